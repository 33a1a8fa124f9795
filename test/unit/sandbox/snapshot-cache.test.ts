import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheDirectory } from '../../../src/sandbox/cache-directory.js';
import type { GuestCode } from '../../../src/sandbox/isolate/guest-code.js';
import { createSnapshotCache } from '../../../src/sandbox/isolate/snapshot-cache.js';

let root: string;
let code: GuestCode;
const before = process.env.XDG_CACHE_HOME;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'caisson-cache-'));
  process.env.XDG_CACHE_HOME = root;
  code = { worker: join(root, 'worker.js'), shell: join(root, 'shell.js'), isolatedVm: root, readable: [] };
  writeFileSync(code.worker, 'worker');
  writeFileSync(code.shell, 'shell');
});

afterEach(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
  rmSync(root, { recursive: true });
});

describe('the snapshot cache', () => {
  it('finds what was stored, in files that only this user can read', () => {
    const cache = createSnapshotCache(code);
    expect(cache.find()).toBeUndefined();
    cache.store(Uint8Array.of(1, 2, 3));
    const path = cache.find();
    expect(path).toMatch(/\.v8snapshot$/);
    expect(statSync(path as string).mode & 0o777).toBe(0o600);
    expect(statSync(cacheDirectory()).mode & 0o777).toBe(0o700);
  });

  it('does not use a file, directory or link that others can write', () => {
    const cache = createSnapshotCache(code);
    cache.store(Uint8Array.of(1));
    const path = cache.find() as string;
    chmodSync(path, 0o666);
    expect(cache.find()).toBeUndefined();
    chmodSync(path, 0o600);
    chmodSync(cacheDirectory(), 0o777);
    expect(cache.find()).toBeUndefined();
    chmodSync(cacheDirectory(), 0o700);
    rmSync(path);
    symlinkSync(code.worker, path);
    expect(cache.find()).toBeUndefined();
  });

  it('is silent where it cannot write, and leaves nothing half written', () => {
    mkdirSync(root, { recursive: true });
    writeFileSync(cacheDirectory(), 'a file in the way');
    createSnapshotCache(code).store(Uint8Array.of(1));
    expect(readdirSync(root).filter((name) => name.includes('v8snapshot'))).toEqual([]);
  });

  it('has another name for other guest code', () => {
    const first = createSnapshotCache(code);
    first.store(Uint8Array.of(1));
    const other = { ...code, shell: join(root, 'shell2.js') };
    writeFileSync(other.shell, 'changed');
    expect(createSnapshotCache(other).find()).toBeUndefined();
  });
});
