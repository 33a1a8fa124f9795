import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isGone, isMarkOfGone, ownerMark, thisOwner } from '../../../sandbox/protocol/owner.js';

describe('an owner', () => {
  it('is this very process', () => {
    expect(thisOwner()).toMatchObject({ pid: process.pid, started: expect.stringMatching(/^\d+$/) });
    expect(isGone(thisOwner())).toBe(false);
    expect(isMarkOfGone(ownerMark())).toBe(false);
  });

  it('is gone when its process has ended, or its pid was given to another', async () => {
    const child = spawn('sleep', ['60']);
    const owner = { ...thisOwner(), pid: child.pid ?? 0, started: '' };
    expect(isGone(owner)).toBe(false);
    expect(isGone({ ...owner, started: '1' })).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isGone(owner)).toBe(true);
  });

  it('of another machine, or of a container with pids of its own, is never known to be gone', () => {
    expect(isGone({ host: 'elsewhere', pid: 4_194_304, started: '1' })).toBe(false);
    const [, , here] = ownerMark().split('-');
    expect(isMarkOfGone(`4194304-1-${here}`)).toBe(true);
    expect(isMarkOfGone('4194304-1-0123456789abcdef')).toBe(false);
  });
});
