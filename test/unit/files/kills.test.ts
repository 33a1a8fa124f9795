import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Fixture, openLayer, put } from './layer-fixture.js';

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});

async function start(fixture: Fixture, bytes: number, job: string): Promise<ChildProcess> {
  const child = fork(
    join(import.meta.dirname, 'fixtures/write-forever.mjs'),
    [JSON.stringify(fixture.options), String(bytes), job],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  children.push(child);
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** One letter all through: never part of one content and part of another. */
function isWhole(content: string, bytes: number): boolean {
  return content.length === bytes && content === content[0]?.repeat(bytes);
}

function leftovers(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => name.includes('.tmp'));
}

describe('a process killed', () => {
  it.each(['direct', 'overlay', 'memory'] as const)(
    'in the middle of a write leaves the old content or the new, in %s mode',
    async (mode) => {
      const bytes = 50 * 1024 * 1024;
      const fixture = openLayer({ mode, files: { big: 'a'.repeat(bytes) }, maxBytes: 1024 * 1024 * 1024 });
      for (let round = 0; round < 3; round += 1) {
        const child = await start(fixture, bytes, 'replace');
        await sleep(40 + round * 35);
        await kill(child);
        const layer = fixture.again();
        expect(isWhole(Buffer.from(layer.readFile('/workspace/big', bytes)).toString('latin1'), bytes)).toBe(true);
        expect(layer.list('/workspace').map((entry) => entry.name)).toEqual(['big']);
        expect(leftovers(fixture.workspace)).toEqual([]);
        expect(leftovers(fixture.privateRoot)).toEqual([]);
      }
    },
  );

  it('in the middle of a move loses nothing', async () => {
    const fixture = openLayer({ files: { 'a/x/file': 'kept' } });
    mkdirSync(join(fixture.workspace, 'b/y'), { recursive: true });
    for (let round = 0; round < 6; round += 1) {
      const child = await start(fixture, 0, 'move');
      await sleep(5 + round * 3);
      await kill(child);
      const layer = fixture.again();
      if (!existsSync(join(fixture.workspace, 'a/x/file'))) layer.rename('/workspace/b/y/file', '/workspace/a/x/file');
      expect(readFileSync(join(fixture.workspace, 'a/x/file'), 'utf8')).toBe('kept');
      expect(leftovers(fixture.workspace)).toEqual([]);
    }
  });

  it('in the middle of a commit leaves what the next one finishes', async () => {
    const bytes = 2 * 1024 * 1024;
    const fixture = openLayer({ mode: 'overlay', files: { big: 'x'.repeat(bytes) } });
    for (let round = 0; round < 5; round += 1) {
      const child = await start(fixture, bytes, 'commit');
      await sleep(20 + round * 11);
      await kill(child);
      const layer = fixture.again();
      layer.commit();
      expect(layer.changes()).toEqual([]);
      for (const name of readdirSync(fixture.workspace)) {
        expect(isWhole(readFileSync(join(fixture.workspace, name), 'latin1'), bytes)).toBe(true);
      }
    }
  });
});

describe('two processes on one overlay', () => {
  it('see whole files of each other, and one may be killed', async () => {
    const bytes = 10_000;
    const fixture = openLayer({ mode: 'overlay', files: { 'keep/me': 'kept', shared: 'x'.repeat(bytes) } });
    const first = await start(fixture, bytes, 'own');
    const second = await start(fixture, bytes, 'own');
    const { layer } = fixture;
    const end = performance.now() + 1200;
    let read = 0;
    while (performance.now() < end) {
      if (performance.now() > end - 600) await kill(first);
      for (const { path } of layer.glob(['**'], {}).paths.map((path) => ({ path }))) {
        const content = contentOrNothing(layer, `/workspace/${path}`);
        if (content === undefined || path === 'keep/me') continue;
        expect(isWhole(content, bytes)).toBe(true);
        read += 1;
      }
      put(layer, '/workspace/mine', 'm'.repeat(bytes));
    }
    expect(second.exitCode).toBeNull();
    await kill(second);
    expect(read).toBeGreaterThan(10);
    expect(readFileSync(join(fixture.workspace, 'shared'), 'latin1')).toBe('x'.repeat(bytes));
    expect(contentOrNothing(layer, '/workspace/keep/me')).toBe('kept');
    layer.discard();
    expect(layer.changes()).toEqual([]);
  });
});

function contentOrNothing(layer: Fixture['layer'], path: string): string | undefined {
  try {
    return Buffer.from(layer.readFile(path, 1_000_000)).toString('latin1');
  } catch (error) {
    if ((error as { code?: string }).code === 'not_found') return undefined;
    throw error;
  }
}
