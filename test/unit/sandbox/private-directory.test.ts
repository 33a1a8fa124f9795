import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownerMark } from '../../../sandbox/protocol/owner.js';
import { createPrivateDirectory, sweepPrivateDirectories } from '../../../src/sandbox/private-directory.js';

const AS_ROOT = process.getuid?.() === 0;

describe('a private directory', () => {
  let parent: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'private-directory-'));
  });
  afterEach(() => {
    rmSync(parent, { recursive: true });
  });

  /** As a process of this machine leaves it that is no more. */
  function leave(kind: string, pid = 4_194_304): string {
    const [, , here] = ownerMark().split('-');
    const path = join(parent, `caisson-${kind}-${pid}-1-${here}-0123456789abcdef`);
    mkdirSync(path);
    return path;
  }

  it('is open to its owner alone', () => {
    const { path, remove } = createPrivateDirectory({ kind: 'session', parent });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    remove();
    expect(existsSync(path)).toBe(false);
  });

  it.runIf(AS_ROOT)('belongs to the user who works in it, in one that stays its owner’s', () => {
    const { path, remove } = createPrivateDirectory({ kind: 'session', parent, user: { uid: 65_534, gid: 65_534 } });
    expect(statSync(path)).toMatchObject({ uid: 65_534, gid: 65_534 });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(dirname(path))).toMatchObject({ uid: 0 });
    remove();
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('of a process that is gone is swept, whatever it was for; what is not one of ours is kept', () => {
    const dead = ['session', 'files', 'covers', 'host', 'demo'].map((kind) => leave(kind));
    const reused = leave('files', process.pid);
    const foreign = join(parent, 'caisson-session-notes');
    const elsewhere = join(parent, 'caisson-files-4194304-1-0123456789abcdef-0123456789abcdef');
    for (const path of [foreign, elsewhere]) mkdirSync(path);
    const mine = createPrivateDirectory({ kind: 'files', parent });
    sweepPrivateDirectories(parent);
    expect([...dead, reused].filter(existsSync)).toEqual([]);
    expect([foreign, elsewhere, mine.path].filter(existsSync)).toHaveLength(3);
    mine.remove();
  });

  it.runIf(AS_ROOT)('of another user is never swept', () => {
    const theirs = leave('files');
    chownSync(theirs, 65_534, 65_534);
    sweepPrivateDirectories(parent);
    expect(existsSync(theirs)).toBe(true);
  });

  it('is removed with what is closed in it, by a host that is not root too', () => {
    const closed = join(leave('covers'), 'directory');
    mkdirSync(closed);
    writeFileSync(join(closed, 'file'), '');
    chmodSync(closed, 0);
    if (!AS_ROOT) sweepPrivateDirectories(parent);
    else {
      for (const path of [parent, dirname(closed), closed]) chownSync(path, 65_534, 65_534);
      const library = new URL('../../../src/sandbox/private-directory.ts', import.meta.url).href;
      const hooks = join(import.meta.dirname, '../../docker/fixtures/typescript-hooks.mjs');
      const script = `const { sweepPrivateDirectories } = await import(${JSON.stringify(library)});
        process.setgid(65534); process.setuid(65534);
        sweepPrivateDirectories(${JSON.stringify(parent)});`;
      execFileSync(process.execPath, ['--no-warnings', '--import', hooks, '--input-type=module', '-e', script]);
    }
    expect(existsSync(dirname(closed))).toBe(false);
  });
});
