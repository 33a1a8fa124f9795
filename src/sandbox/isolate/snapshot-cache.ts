import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory, isOurs, makeCacheDirectory } from '../cache-directory.js';
import type { GuestCode } from './guest-code.js';

/**
 * V8 heap snapshots hold machine code, so one is used only when nobody but this user can have written it: in a
 * directory and a file of ours that group and others cannot write, named by everything that makes it valid.
 */
export interface SnapshotCache {
  /** A snapshot that may be loaded; absent when there is none yet. */
  find(): string | undefined;
  /** Keeps what a worker built; where that is not possible each process builds its own. */
  store(bytes: Uint8Array): void;
}

export function createSnapshotCache(code: GuestCode, flags: { jitless: boolean } = { jitless: false }): SnapshotCache {
  const directory = cacheDirectory();
  const path = join(directory, `${snapshotName(code, flags)}.v8snapshot`);
  return {
    find: () => (isOurs(directory, 'directory') && isOurs(path, 'file') ? path : undefined),
    store: (bytes) => store(directory, path, bytes),
  };
}

const names = new Map<string, string>();

function snapshotName(code: GuestCode, flags: { jitless: boolean }): string {
  const key = JSON.stringify([code.shell, flags]);
  const known = names.get(key);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  // A snapshot fits one build of V8 on one kind of processor with one set of flags, and one text of the guest's code.
  hash.update(JSON.stringify([process.version, process.versions.v8, process.arch, process.platform, flags]));
  hash.update(readFileSync(code.shell));
  hash.update(readFileSync(code.worker));
  const name = hash.digest('hex').slice(0, 32);
  names.set(key, name);
  return name;
}

function store(directory: string, path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    if (!makeCacheDirectory(directory)) return;
    writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    discard(temporary);
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Where nothing can be written, nothing was left.
  }
}
