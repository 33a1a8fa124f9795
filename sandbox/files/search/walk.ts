import type { WalkLimits, WalkNotes } from '../../protocol/files.js';
import { byName } from '../overlay/lower-base.js';
import { errnoOf, Moved, Refusal } from '../refusal.js';
import { type Entry, joinDir, type Tree } from '../tree.js';

export const DEFAULT_MAX_RESULTS = 200;
const DEFAULT_MAX_WALKED = 20_000;
const DEFAULT_IGNORED = ['.git', 'node_modules'];

export interface Walked {
  /** Relative to where the walk began. */
  path: string;
  /** Relative to the tree's root. */
  dir: string;
  entry: Entry;
}

export function emptyNotes(): WalkNotes {
  return { resultsLimited: false, walkLimited: false, filesWalked: 0, ignoredDirectories: 0, unreadable: 0 };
}

/** Everything below a directory in path order, links not followed. Fills `notes` on the way. */
export function* walkTree(
  tree: Tree,
  top: string,
  options: { limits: WalkLimits; notes: WalkNotes },
): Generator<Walked> {
  const { limits, notes } = options;
  const ignored = new Set(limits.ignoreDirectories ?? DEFAULT_IGNORED);
  const left = { count: limits.maxWalked ?? DEFAULT_MAX_WALKED };
  yield* walkDirectory('');

  function* walkDirectory(path: string): Generator<Walked> {
    const dir = joinDir(top, path);
    for (const entry of readable(tree, dir, notes)) {
      if (!(left.count > 0)) {
        notes.walkLimited = true;
        return;
      }
      left.count -= 1;
      const below = joinDir(path, entry.name);
      if (entry.type !== 'directory') {
        notes.filesWalked += 1;
        yield { path: below, dir, entry };
      } else if (ignored.has(entry.name)) {
        notes.ignoredDirectories += 1;
      } else {
        yield { path: below, dir, entry };
        yield* walkDirectory(below);
      }
    }
  }
}

function readable(tree: Tree, dir: string, notes: WalkNotes): Entry[] {
  try {
    const entries = tree.entries(dir);
    const named = entries.filter(({ unnamed }) => unnamed === undefined);
    notes.unreadable += entries.length - named.length;
    return inPathOrder(named);
  } catch (error) {
    if (!isPassing(error)) throw error;
    notes.unreadable += 1;
    return [];
  }
}

/** Something in the way of one file or directory, not of the walk. */
export function isPassing(error: unknown): boolean {
  return error instanceof Moved || error instanceof Refusal || errnoOf(error) !== '';
}

/** Directories as if a slash followed their names: `a.txt` comes before `a/b`, as whole paths do. */
function inPathOrder(entries: readonly Entry[]): Entry[] {
  const keyed = entries.map((entry) => ({ name: entry.type === 'directory' ? `${entry.name}/` : entry.name, entry }));
  return keyed.sort(byName).map(({ entry }) => entry);
}
