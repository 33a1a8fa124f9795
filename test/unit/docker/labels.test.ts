import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isAbandoned, ownLabels } from '../../../src/sandbox/docker/engine/labels.js';

const soon = () => Date.now() + 60_000;

describe('isAbandoned()', () => {
  it('leaves what a living owner has', () => {
    expect(isAbandoned(ownLabels('session', soon()))).toBe(false);
  });

  it('takes what has expired, whoever owns it', () => {
    expect(isAbandoned(ownLabels('session', Date.now() - 1))).toBe(true);
    expect(isAbandoned({ ...ownLabels('session', Date.now() - 1), 'caisson.host': 'elsewhere' })).toBe(true);
  });

  it('takes what a process owned that has ended', async () => {
    const child = spawn('sleep', ['60']);
    const labels = { ...ownLabels('session', soon()), 'caisson.pid': String(child.pid), 'caisson.started': '' };
    expect(isAbandoned(labels)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAbandoned(labels)).toBe(true);
  });

  it('is not fooled by a process id that was given to another process', () => {
    expect(isAbandoned({ ...ownLabels('session', soon()), 'caisson.started': '1' })).toBe(true);
  });

  it('leaves what another machine owns, and what is not ours at all', () => {
    expect(isAbandoned({ ...ownLabels('session', soon()), 'caisson.host': 'elsewhere', 'caisson.pid': '1' })).toBe(
      false,
    );
    expect(isAbandoned({})).toBe(false);
    expect(isAbandoned({ 'com.example': 'x' })).toBe(false);
  });
});
