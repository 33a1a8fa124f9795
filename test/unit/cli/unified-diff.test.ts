import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/cli/terminal/unified-diff.js';
import type { Change } from '../../../src/sandbox/contract.js';

const CHANGES: Change[] = [
  { path: 'a.txt', kind: 'modified', type: 'file', mode: 0o644, before: 'one\ntwo\n', after: 'one\n2\n' },
  { path: 'no end', kind: 'added', type: 'file', mode: 0o755, after: '#!/bin/sh' },
  { path: 'dir', kind: 'added', type: 'directory' },
  { path: 'gone.txt', kind: 'deleted', type: 'file', mode: 0o644, before: 'bye\n' },
];

describe('unifiedDiff()', () => {
  it('is a patch that git apply takes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'caisson-diff-test-'));
    try {
      await writeFile(join(directory, 'a.txt'), 'one\ntwo\n');
      await writeFile(join(directory, 'gone.txt'), 'bye\n');
      const { status, stderr } = spawnSync('git', ['apply', '-'], {
        cwd: directory,
        input: unifiedDiff(CHANGES),
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(await readFile(join(directory, 'a.txt'), 'utf8')).toBe('one\n2\n');
      expect(await readFile(join(directory, 'no end'), 'utf8')).toBe('#!/bin/sh');
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
