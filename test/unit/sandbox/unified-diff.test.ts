import { spawnSync } from 'node:child_process';
import { lstat, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/sandbox/contract.js';
import { unifiedDiff } from '../../../src/sandbox/unified-diff.js';

const CHANGES: Change[] = [
  { path: 'a.txt', kind: 'modified', type: 'file', mode: 0o644, before: 'one\ntwo\n', after: 'one\n2\n' },
  { path: 'empty', kind: 'added', type: 'file', mode: 0o644, after: '' },
  { path: 'link', kind: 'added', type: 'symlink', mode: 0o777, after: 'a.txt' },
  { path: 'no end', kind: 'added', type: 'file', mode: 0o755, after: '#!/bin/sh' },
  { path: 'picture', kind: 'modified', type: 'file', mode: 0o644 },
  { path: 'run', kind: 'modified', type: 'file', mode: 0o755, beforeMode: 0o644, before: 'x\n', after: 'x\n' },
  { path: 'with "quotes"\tand ü', kind: 'added', type: 'file', mode: 0o644, after: 'odd\n' },
  { path: 'dir', kind: 'added', type: 'directory' },
  { path: 'gone.txt', kind: 'deleted', type: 'file', mode: 0o644, before: 'bye\n' },
];

describe('unifiedDiff()', () => {
  it('is a patch that git apply takes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'caisson-diff-test-'));
    try {
      for (const { path, before } of CHANGES)
        if (before !== undefined) await writeFile(join(directory, path), before, { mode: 0o644 });
      const { status, stderr } = spawnSync('git', ['apply', '-'], {
        cwd: directory,
        input: unifiedDiff(CHANGES),
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(await readFile(join(directory, 'a.txt'), 'utf8')).toBe('one\n2\n');
      expect(await readFile(join(directory, 'empty'), 'utf8')).toBe('');
      expect(await readFile(join(directory, 'no end'), 'utf8')).toBe('#!/bin/sh');
      expect(await readFile(join(directory, 'with "quotes"\tand ü'), 'utf8')).toBe('odd\n');
      expect((await lstat(join(directory, 'link'))).isSymbolicLink()).toBe(true);
      expect((await stat(join(directory, 'run'))).mode & 0o111).not.toBe(0);
      await expect(readFile(join(directory, 'gone.txt'))).rejects.toThrow('ENOENT');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('names a file whose content is not text', () => {
    const diff = unifiedDiff([{ path: 'x.png', kind: 'modified', type: 'file', mode: 0o644 }]);
    expect(diff).toContain('Binary files a/x.png and b/x.png differ');
  });

  it('is empty without changes', () => {
    expect(unifiedDiff([])).toBe('');
  });
});
