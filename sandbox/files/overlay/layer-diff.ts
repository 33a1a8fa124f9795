import { closeSync, readSync } from 'node:fs';
import { joinDir, type Spot, spotOf, type Tree } from '../tree.js';
import { byName } from './lower-base.js';

/** One difference between what the sandbox sees and what the workspace holds. */
export interface Difference {
  path: string;
  kind: 'added' | 'modified' | 'deleted';
  type: 'file' | 'directory' | 'symlink';
  /** Of what is there now; absent when deleted. */
  mode?: number;
  /** Of what was there before, where it was another. */
  beforeMode?: number;
}

/** What to compare: the tree as the sandbox sees it with what lies below, and where the two can differ at all. */
export interface Layers {
  seen: Tree;
  /** Absent: everything counts as added. */
  below?: Tree;
  /** A directory for which this is false is the same in both. */
  touched(dir: string): boolean;
}

/** Differences in path order, a directory before what is in it. */
export function diffLayers(layers: Layers): Difference[] {
  const found: Difference[] = [];
  compareDirectory(layers, '', found);
  return found;
}

function compareDirectory(layers: Layers, dir: string, found: Difference[]): void {
  if (!layers.touched(dir)) return;
  const names = new Set(layers.seen.entries(dir).map((entry) => entry.name));
  for (const entry of layers.below?.entries(dir) ?? []) names.add(entry.name);
  // As if each name were followed by a slash, so that paths as a whole come in order.
  const ordered = [...names].map((name) => ({ name: `${name}/` })).sort(byName);
  for (const { name } of ordered) compareName(layers, { dir, name: name.slice(0, -1) }, found);
}

function compareName(layers: Layers, at: Spot, found: Difference[]): void {
  const path = joinDir(at.dir, at.name);
  const now = layers.seen.lstat(at);
  const before = layers.below?.lstat(at);
  const nowType = now === undefined ? undefined : typeName(now);
  const beforeType = before === undefined ? undefined : typeName(before);
  if (nowType !== undefined && nowType === beforeType && now !== undefined && before !== undefined) {
    const mode = Number(now.mode) & 0o777;
    const beforeMode = Number(before.mode) & 0o777;
    const sameMode = mode === beforeMode;
    const modes = sameMode ? { mode } : { mode, beforeMode };
    if (nowType === 'directory') {
      if (!sameMode) found.push({ path, kind: 'modified', type: nowType, ...modes });
      compareDirectory(layers, path, found);
    } else if (nowType === 'symlink') {
      if (layers.seen.readlink(at) !== layers.below?.readlink(at))
        found.push({ path, kind: 'modified', type: nowType });
    } else if (!sameMode || !sameContent(layers, at)) {
      found.push({ path, kind: 'modified', type: nowType, ...modes });
    }
    return;
  }
  if (beforeType !== undefined && layers.below !== undefined) pushAll(layers.below, at, 'deleted', found);
  if (nowType !== undefined) pushAll(layers.seen, at, 'added', found);
}

function pushAll(tree: Tree, at: Spot, kind: 'added' | 'deleted', found: Difference[]): void {
  const stat = tree.lstat(at);
  const type = stat === undefined ? undefined : typeName(stat);
  if (stat === undefined || type === undefined) return;
  const path = joinDir(at.dir, at.name);
  const mode = Number(stat.mode) & 0o777;
  found.push(kind === 'deleted' || type === 'symlink' ? { path, kind, type } : { path, kind, type, mode });
  if (type !== 'directory') return;
  const ordered = tree.entries(path).map(({ name }) => ({ name: `${name}/` }));
  for (const { name } of ordered.sort(byName)) pushAll(tree, spotOf(`${path}/${name.slice(0, -1)}`), kind, found);
}

const CHUNK = 256 * 1024;

function sameContent({ seen, below }: Layers, at: Spot): boolean {
  if (below === undefined) return false;
  const one = seen.open(at);
  try {
    const other = below.open(at);
    try {
      if (one.stat.dev === other.stat.dev && one.stat.ino === other.stat.ino) return true;
      return one.stat.size === other.stat.size && sameBytes(one.fd, other.fd);
    } finally {
      closeSync(other.fd);
    }
  } finally {
    closeSync(one.fd);
  }
}

function sameBytes(one: number, other: number): boolean {
  const left = Buffer.allocUnsafe(CHUNK);
  const right = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ; ) {
    const count = readSync(one, left, 0, CHUNK, position);
    if (readSync(other, right, 0, CHUNK, position) !== count) return false;
    if (count === 0) return true;
    if (!left.subarray(0, count).equals(right.subarray(0, count))) return false;
    position += count;
  }
}

/** FIFOs, sockets and devices are no part of a change: `undefined`. */
function typeName(stat: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): Difference['type'] | undefined {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  return stat.isSymbolicLink() ? 'symlink' : undefined;
}
