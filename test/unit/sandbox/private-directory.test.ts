import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createPrivateDirectory,
  privateDirectoryParent,
  removePrivateDirectory,
} from '../../../src/sandbox/isolate/private-directory.js';

describe('a private directory', () => {
  it('is open to its owner alone', () => {
    const path = createPrivateDirectory(undefined);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    removePrivateDirectory(path);
    expect(existsSync(path)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('belongs to the user the worker becomes', () => {
    const path = createPrivateDirectory({ uid: 65_534, gid: 65_534 });
    expect(statSync(path)).toMatchObject({ uid: 65_534, gid: 65_534 });
    removePrivateDirectory(path);
  });

  it('of a process that is gone is swept, of a living one is kept', () => {
    const { path: parent } = privateDirectoryParent();
    const dead = join(parent, 'caisson-session-4194304-1-0123456789abcdef');
    const reused = join(parent, `caisson-session-${process.pid}-1-0123456789abcdef`);
    const foreign = join(parent, 'caisson-session-notes');
    for (const path of [dead, reused, foreign]) mkdirSync(path, { recursive: true });
    const mine = createPrivateDirectory(undefined);
    const second = createPrivateDirectory(undefined);
    expect([dead, reused, foreign, mine].map(existsSync)).toEqual([false, false, true, true]);
    rmSync(foreign, { recursive: true });
    removePrivateDirectory(mine);
    removePrivateDirectory(second);
  });
});
