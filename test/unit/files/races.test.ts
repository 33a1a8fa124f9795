import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FileError } from '../../../sandbox/files/file-layer.js';
import { openLayer } from './layer-fixture.js';

const DURATION_MS = 1500;
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

async function startSwapper(workspace: string, outside: string): Promise<void> {
  const child = fork(join(import.meta.dirname, 'fixtures/swap.mjs'), [workspace, outside]);
  children.push(child);
  await once(child, 'message');
}

/** Runs the work over and over; only `FileError`s may come out of it. */
function hammer(work: () => void): { succeeded: number; escapes: number } {
  let [succeeded, escapes] = [0, 0];
  const end = performance.now() + DURATION_MS;
  while (performance.now() < end) {
    try {
      work();
      succeeded += 1;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.code === 'path_escape') escapes += 1;
    }
  }
  return { succeeded, escapes };
}

describe.each(['direct', 'overlay'] as const)(
  'while another process swaps names with links out, in %s mode',
  (mode) => {
    it('no read, list, search or stat ever leaks', async () => {
      const { layer, workspace, outside } = openLayer({ mode, files: { 'd/secret': 'inside', f: 'inside' } });
      await startSwapper(workspace, outside);
      const seen = new Set<string>();
      const versions = new Set<string>();
      let escapes = 0;
      const done = hammer(() => {
        for (const path of ['/workspace/d/secret', '/workspace/f', '/workspace/d/../d/secret']) {
          try {
            seen.add(Buffer.from(layer.readFile(path, 100)).toString());
            versions.add(layer.stat(path).version.split(':')[1] ?? '');
          } catch (error) {
            if (!(error instanceof FileError)) throw error;
            if (error.code === 'path_escape') escapes += 1;
          }
        }
        for (const match of layer.grep('SECRET', {}).matches) seen.add(match.text);
      });
      expect(done.succeeded).toBeGreaterThan(10);
      // The links were met: a leak would have been seen.
      expect(escapes).toBeGreaterThan(10);
      expect([...seen]).toEqual(['inside']);
      expect(versions).not.toContain(String(lstatSync(join(outside, 'secret'), { bigint: true }).ino));
    });

    it('no write, removal, move or change of mode ever gets out', async () => {
      const { layer, workspace, outside } = openLayer({
        mode,
        files: { 'd/secret': 'inside', 'd/e/x': '', f: 'inside', 'other/g': 'g' },
      });
      await startSwapper(workspace, outside);
      let round = 0;
      const steps: (() => unknown)[] = [
        () => layer.writeFile('/workspace/d/secret', Buffer.from('written')),
        () => layer.writeFile('/workspace/f', Buffer.from('written')),
        () => layer.writeFile('/workspace/f', Buffer.from('+'), { append: true }),
        () => layer.writeFile(`/workspace/d/new${round % 100}/x`, Buffer.from('new'), { parents: true }),
        () => layer.mkdir('/workspace/d/made/deep', { recursive: true }),
        () => layer.chmod('/workspace/f', 0o600 + (round % 64)),
        () => layer.chmod('/workspace/d', 0o700 + (round % 64)),
        () => layer.utimes('/workspace/d/secret', 1000, 1000),
        () => layer.rename('/workspace/other/g', '/workspace/d/g'),
        () => layer.rename('/workspace/d/g', '/workspace/other/g'),
        () => void layer.remove('/workspace/d/made', { recursive: true }),
        () => void layer.remove(`/workspace/d/new${round % 100}`, { recursive: true }),
        () => layer.link('/workspace/d/secret', '/workspace/other/stolen'),
        () => void layer.remove('/workspace/other/stolen'),
        // What is in the upper layer is out of the swapper's reach.
        () => mode === 'overlay' && layer.discard(),
        () => mode === 'overlay' && layer.writeFile('/workspace/d/secret', Buffer.from(`committed ${round}`)),
        () => mode === 'overlay' && layer.commit(),
      ];
      const before = lstatSync(join(outside, 'secret'), { bigint: true });
      const done = hammer(() => {
        round += 1;
        steps[round % steps.length]?.();
      });
      expect(done.succeeded).toBeGreaterThan(10);
      expect(done.escapes).toBeGreaterThan(10);
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('SECRET');
      const after = lstatSync(join(outside, 'secret'), { bigint: true });
      expect([after.ino, after.mode, after.mtimeNs, after.nlink]).toEqual([
        before.ino,
        before.mode,
        before.mtimeNs,
        before.nlink,
      ]);
      expect(lstatSync(outside).mode & 0o777).toBe(0o755);
    });
  },
);
