import type { BigIntStats } from 'node:fs';
import type { FileStat } from '../protocol/files.js';
import type { Mount } from './sandbox-path.js';

/** A place in a tree: a directory that is no link and has none on its way, and a name in it. The root itself has the name ''. */
export interface Spot {
  /** Relative to the tree's root, '' for the root. */
  readonly dir: string;
  readonly name: string;
}

/** A place that was looked at earlier in the same operation. */
export interface SeenSpot extends Spot {
  readonly stat?: BigIntStats | undefined;
}

export interface Entry {
  readonly name: string;
  readonly type: FileStat['type'];
  /** Set where the name is not valid UTF-8: no path leads there. Its version. */
  readonly unnamed?: string;
}

export interface OpenFile {
  readonly fd: number;
  readonly stat: BigIntStats;
}

export interface WriteRequest {
  /** Permission bits; `undefined`: of the file replaced, else 0o644. */
  mode?: number | undefined;
  append?: boolean;
  /** Refuse with `stale_file` unless the file is this version; `null`: unless nothing is there. */
  ifVersion?: string | null | undefined;
}

/** The files below one mount. Takes places that were resolved; follows no link, knows no rule. Throws system errors, `Refusal`, `Moved`. */
export interface Tree {
  readonly mount: Mount;
  /** The link-free path of the directory `dir`, which may have links on its way, if that is cheap to say. */
  shortcut(dir: string): string | undefined;
  /** A link's text may name the host path of the tree's root: the same place in the tree, if so. */
  fromHostPath(path: string): string | undefined;
  lstat(at: Spot): BigIntStats | undefined;
  readlink(at: Spot): string;
  /** Without order. */
  entries(dir: string): Entry[];
  /** Regular files only. The caller closes it. */
  open(at: SeenSpot): OpenFile;
  write(at: Spot, data: Uint8Array, request: WriteRequest): void;
  /** Writes a file with the content and mode of an open one. */
  receive(at: Spot, source: OpenFile): void;
  mkdir(at: Spot, mode: number): void;
  unlink(at: Spot): void;
  rmdir(at: Spot): void;
  removeTree(at: Spot): void;
  rename(from: Spot, to: Spot): void;
  link(existing: Spot, at: Spot): void;
  symlink(target: string, at: Spot): void;
  chmod(at: Spot, mode: number): void;
  utimes(at: Spot, atimeMs: number, mtimeMs: number): void;
}

export function joinDir(dir: string, name: string): string {
  if (dir === '') return name;
  return name === '' ? dir : `${dir}/${name}`;
}

export function pathOf(at: Spot): string {
  return joinDir(at.dir, at.name);
}

export function spotOf(path: string): Spot {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? { dir: '', name: path } : { dir: path.slice(0, slash), name: path.slice(slash + 1) };
}
