import { copyTree } from '../copy-tree.js';
import { AtTarget, atTarget, errnoOf, Refusal } from '../refusal.js';
import type { ExistingPlace, Place } from '../resolve.js';
import { pathOf } from '../tree.js';
import type { Guard } from './guard.js';
import { pathsBelow } from './paths-below.js';

/**
 * Moves what is at one place to another as `rename(2)` does, and between trees by copying.
 * @throws AtTarget where that is to blame
 */
export function renamePlace(from: ExistingPlace, to: Place, guard: Guard): void {
  if (from.name === '') throw new Refusal('access_denied', 'it is a root of the sandbox');
  for (const kind of ['denyRead', 'denyWrite'] as const) guard.require(kind, from);
  guard.requireNotDeniedElsewhere(from.stat);
  guard.requireUnheld(from);
  atTarget(() => {
    if (to.name === '') throw new Refusal('access_denied', 'it is a root of the sandbox');
    guard.require('denyWrite', to);
    guard.requireReplaceable(to);
    guard.requireUnheld(to);
    if (from.stat.isSymbolicLink()) guard.requireLink(to, from.tree.readlink(from));
  });
  if (from.tree === to.tree && pathOf(from) === pathOf(to)) return;
  atTarget(() => requireFits(from, to));
  guard.requireMovable(from, to);
  if (from.tree === to.tree) {
    requireShortEnough(from, to);
    moveWithin(from, to);
    return;
  }
  copyOver(from, to, guard);
  if (from.stat.isDirectory()) from.tree.removeTree(from);
  else from.tree.unlink(from);
}

function requireFits(from: ExistingPlace, to: Place): void {
  const isDirectory = from.stat.isDirectory();
  if (isDirectory && from.tree === to.tree && pathOf(to).startsWith(`${pathOf(from)}/`)) {
    throw new Refusal('invalid_input', 'a directory cannot be moved into itself');
  }
  if (to.stat === undefined) return;
  if (!isDirectory && to.stat.isDirectory()) throw new Refusal('is_directory', 'it is a directory');
  if (isDirectory && !to.stat.isDirectory()) throw new Refusal('not_directory', 'it is not a directory');
  if (isDirectory && to.tree.entries(pathOf(to)).length > 0)
    throw new Refusal('not_empty', 'the directory is not empty');
}

function moveWithin(from: Place, to: Place): void {
  try {
    from.tree.rename(from, to);
  } catch (error) {
    // The source was looked at: these are about what came to be at the target meanwhile.
    throw ABOUT_TARGET.has(errnoOf(error)) ? new AtTarget('', { cause: error }) : error;
  }
}

const ABOUT_TARGET = new Set(['EEXIST', 'ENOTEMPTY', 'EISDIR', 'ENOTDIR']);

/** What is moved deeper must still have a path that the kernel takes: else nobody could remove it again. */
function requireShortEnough(from: ExistingPlace, to: Place): void {
  const length = Buffer.byteLength(pathOf(to));
  if (!from.stat.isDirectory() || length <= Buffer.byteLength(pathOf(from))) return;
  for (const below of pathsBelow(from.tree, pathOf(from), Number.POSITIVE_INFINITY)) {
    if (length + 1 + Buffer.byteLength(below?.path ?? '') > MAX_MOVED_BYTES) {
      throw new Refusal(
        'invalid_input',
        `a path in it would become longer than ${MAX_MOVED_BYTES} bytes`,
        'ENAMETOOLONG',
      );
    }
  }
}

/** Leaves room for the host path of the tree, within the kernel's 4,096. */
const MAX_MOVED_BYTES = 3500;

function copyOver(from: Place, to: Place, guard: Guard): void {
  if (to.stat?.isDirectory() === true) to.tree.rmdir(to);
  else if (to.stat !== undefined && from.stat?.isFile() !== true) to.tree.unlink(to);
  try {
    copyTree(from, to, (stat) => guard.requireNotDeniedElsewhere(stat));
  } catch (error) {
    const partial = to.tree.lstat(to);
    if (partial?.isDirectory() === true) to.tree.removeTree(to);
    throw error;
  }
}
