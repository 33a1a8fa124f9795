import { type BigIntStats, closeSync } from 'node:fs';
import { Refusal } from './refusal.js';
import { joinDir, pathOf, type Spot, type Tree } from './tree.js';

export interface CopyEnd extends Spot {
  readonly tree: Tree;
}

/**
 * Copies a file, link or directory from one tree into another, modes and times kept.
 * @param requireCopyable throws where a rule keeps a file's content closed
 */
export function copyTree(from: CopyEnd, to: CopyEnd, requireCopyable: (stat: BigIntStats) => void): void {
  const stat = from.tree.lstat(from);
  if (stat === undefined) throw new Refusal('not_found', 'no such file or directory');
  if (stat.isSymbolicLink()) {
    to.tree.symlink(from.tree.readlink(from), to);
    return;
  }
  if (stat.isDirectory()) {
    to.tree.mkdir(to, 0o700);
    for (const { name } of from.tree.entries(pathOf(from))) {
      copyTree(child(from, name), child(to, name), requireCopyable);
    }
    to.tree.chmod(to, Number(stat.mode) & 0o777);
  } else {
    copyFile(from, to, requireCopyable);
  }
  to.tree.utimes(to, Number(stat.atimeMs), Number(stat.mtimeNs) / 1e6);
}

function copyFile(from: CopyEnd, to: CopyEnd, requireCopyable: (stat: BigIntStats) => void): void {
  const source = from.tree.open(from);
  try {
    requireCopyable(source.stat);
    to.tree.receive(to, source);
  } finally {
    closeSync(source.fd);
  }
}

function child(parent: CopyEnd, name: string): CopyEnd {
  return { tree: parent.tree, dir: joinDir(parent.dir, parent.name), name };
}
