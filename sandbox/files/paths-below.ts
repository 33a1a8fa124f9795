import { errnoOf, Moved, Refusal } from './refusal.js';
import { type Entry, joinDir, type Tree } from './tree.js';

/**
 * Every path below the directory `top`, relative to it, in no order.
 * @param limit `undefined` is yielded, and nothing after it, when there are more than that
 */
export function* pathsBelow(tree: Tree, top: string, limit: number): Generator<string | undefined> {
  const pending = [''];
  let seen = 0;
  for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
    for (const entry of entriesOrNone(tree, joinDir(top, dir))) {
      seen += 1;
      if (seen > limit) {
        yield undefined;
        return;
      }
      const path = joinDir(dir, entry.name);
      yield path;
      if (entry.type === 'directory') pending.push(path);
    }
  }
}

function entriesOrNone(tree: Tree, dir: string): Entry[] {
  try {
    return tree.entries(dir);
  } catch (error) {
    // Gone since, or closed to this process, which then cannot move what is in it either.
    if (error instanceof Moved || error instanceof Refusal || errnoOf(error) !== '') return [];
    throw error;
  }
}
