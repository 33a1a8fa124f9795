import type { BigIntStats } from 'node:fs';
import type { FileStat } from '../protocol/files.js';

export function toFileStat(stat: BigIntStats): FileStat {
  return {
    type: typeOf(stat),
    size: Number(stat.size),
    mode: Number(stat.mode) & 0o7777,
    mtimeMs: Number(stat.mtimeNs) / 1e6,
    version: versionOf(stat),
  };
}

export function typeOf(stat: BigIntStats): FileStat['type'] {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  return stat.isSymbolicLink() ? 'symlink' : 'other';
}

/** The change time is in it: it cannot be set back, as the modification time can. */
export function versionOf(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
