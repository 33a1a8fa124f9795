import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** `$XDG_CACHE_HOME/caisson`, else `~/.cache/caisson`. */
export function cacheDirectory(): string {
  const base = process.env.XDG_CACHE_HOME;
  return join(base?.startsWith('/') ? base : join(homedir(), '.cache'), 'caisson');
}

/** Makes it, for this user alone. @returns whether nobody else can write it; throws the system's error when it cannot be made */
export function makeCacheDirectory(directory: string): boolean {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!isOurs(directory, 'directory')) return false;
  chmodSync(directory, 0o700);
  return true;
}

/** Whether nobody but this user can have written it: what is kept there holds machine code. */
export function isOurs(path: string, type: 'directory' | 'file'): boolean {
  try {
    const stats = lstatSync(path);
    const rightType = type === 'directory' ? stats.isDirectory() : stats.isFile();
    const ownedByUs = process.getuid === undefined || stats.uid === process.getuid();
    return rightType && ownedByUs && (stats.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
