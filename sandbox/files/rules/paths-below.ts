import { errnoOf, Moved, Refusal } from '../refusal.js';
import { type Entry, joinDir, type Tree } from '../tree.js';

export interface PathBelow {
  /** Relative to the directory that was looked through. */
  path: string;
  type: Entry['type'];
  /** A directory that cannot be looked into; it comes a second time then. */
  closed?: true;
}

/**
 * Every path below the directory `top`, in no order.
 * @param limit `undefined` is yielded, and nothing after it, when there are more than that
 */
export function* pathsBelow(tree: Tree, top: string, limit: number): Generator<PathBelow | undefined> {
  const pending = [''];
  let seen = 0;
  for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
    const entries = entriesOrNone(tree, joinDir(top, dir));
    if (entries === undefined) yield { path: dir, type: 'directory', closed: true };
    for (const { name, type } of entries ?? []) {
      seen += 1;
      if (seen > limit) {
        yield undefined;
        return;
      }
      const path = joinDir(dir, name);
      yield { path, type };
      if (type === 'directory') pending.push(path);
    }
  }
}

/** `undefined`: closed to this process. */
function entriesOrNone(tree: Tree, dir: string): Entry[] | undefined {
  try {
    return tree.entries(dir);
  } catch (error) {
    if (error instanceof Moved || ['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return [];
    if (error instanceof Refusal || errnoOf(error) !== '') return undefined;
    throw error;
  }
}
