import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Attacks, codeOf } from './attack.js';

const SOURCES = join(import.meta.dirname, '../../../src/sandbox/docker');

/** The engine's archive API cannot see tmpfs, follows links as root and writes into read-only roots: it is never used. */
async function archiveIsNeverUsed(): Promise<void> {
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    expect([name, /putArchive|getArchive|infoArchive/.test(readFileSync(join(SOURCES, name), 'utf8'))]).toEqual([
      name,
      false,
    ]);
  }
}

/** Through archives and links. */
export const archiveAttacks: Attacks = {
  'DOC-060': archiveIsNeverUsed,
  'DOC-061': async ({ sandbox }) => {
    await archiveIsNeverUsed();
    await sandbox.fs.writeFile('on-tmpfs', 'seen');
    expect((await sandbox.exec('cat on-tmpfs')).stdout).toBe('seen');
  },
  'DOC-063': async ({ sandbox }) => {
    await sandbox.exec('ln -sfn /etc abs; ln -sfn /tmp tmp-link');
    for (const path of ['abs/new', 'tmp-link/new', 'abs/passwd']) {
      expect([path, await codeOf(sandbox.fs.writeFile(path, 'x'))]).toEqual([path, 'path_escape']);
    }
    expect((await sandbox.exec('cat /etc/new /tmp/new')).stdout).toBe('');
  },
  'DOC-065': async ({ sandbox }) => {
    await sandbox.exec(
      'mkfifo fifo; ln -sfn nowhere dangling; ln -sfn /proc/self/environ environ; ln -sfn /dev/zero zero',
    );
    expect(await codeOf(sandbox.fs.readFile('fifo'))).toBe('not_regular_file');
    expect(await sandbox.fs.readFile('dangling')).toBe(null);
    expect(await codeOf(sandbox.fs.readFile('environ'))).toBe('path_escape');
    expect(await codeOf(sandbox.fs.readFile('zero'))).toBe('path_escape');
    expect(await codeOf(sandbox.fs.readFile('/dev/zero'))).toBe('path_escape');
    await sandbox.exec('rm -f fifo dangling environ zero');
  },
  'DOC-066': async ({ sandbox }) => {
    await sandbox.exec('mkdir -p race && echo mine > race/file');
    const swapping = sandbox.exec(
      'while :; do ln -sfn /etc race-link; mv -T race-link swap 2>/dev/null; ln -sfn race race-link; mv -T race-link swap 2>/dev/null; done',
      { timeoutMs: 3_000 },
    );
    const seen = new Set<string>();
    const until = performance.now() + 2_500;
    while (performance.now() < until) {
      const read = await sandbox.fs.readFile('swap/hostname').then(
        (bytes) => (bytes === null ? 'nothing' : 'LEAKED'),
        (error: { code: string }) => error.code,
      );
      const mine = await sandbox.fs.readFile('swap/file').then(
        (bytes) => (bytes === null ? 'nothing' : Buffer.from(bytes).toString()),
        (error: { code: string }) => error.code,
      );
      seen.add(read).add(mine);
    }
    await swapping;
    expect(
      [...seen].filter((what) => !['nothing', 'mine\n', 'path_escape', 'not_found', 'not_directory'].includes(what)),
    ).toEqual([]);
    expect(seen.has('mine\n')).toBe(true);
  },
  'DOC-067': async ({ sandbox }) => {
    await sandbox.fs.writeFile('f', 'x');
    const message = await sandbox.fs.readFile('f/x').then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).not.toMatch(/overlay2|var\/lib/);
    expect(message).toContain('/workspace/f/x');
  },
};
