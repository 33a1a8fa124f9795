import type { GlobQuery, GlobResult } from '../../protocol/files.js';
import { Refusal } from '../refusal.js';
import { givenBelow, namespacePath, type Place } from '../resolve.js';
import { pathOf } from '../tree.js';
import { compileGlobs } from './glob-set.js';
import { DEFAULT_MAX_RESULTS, emptyNotes, walkTree } from './walk.js';

export interface GlobSearch {
  patterns: readonly string[];
  query: GlobQuery;
  /** What a rule keeps from being read: left out, and counted. */
  isHidden(place: Place): boolean;
}

/**
 * Paths below `start` that match, relative to it, in path order. Symbolic links are listed like files, never entered.
 * @throws `Refusal` `bad_pattern`, `not_found`, `not_directory`
 */
export function globTree(start: Place, { patterns, query, isHidden }: GlobSearch): GlobResult {
  const matches = compileGlobs(patterns, { base: namespacePath(start), anyDepth: false });
  if (start.stat === undefined) throw new Refusal('not_found', 'no such file or directory');
  if (!start.stat.isDirectory()) throw new Refusal('not_directory', 'it is not a directory');
  const maxResults = query.maxResults ?? DEFAULT_MAX_RESULTS;
  const notes = emptyNotes();
  const paths: string[] = [];
  for (const { path, dir, entry } of walkTree(start.tree, pathOf(start), { limits: query, notes })) {
    if (entry.type === 'directory' && query.directories !== true) continue;
    if (!matches(path)) continue;
    if (isHidden({ tree: start.tree, dir, name: entry.name, stat: undefined, given: givenBelow(start, path) })) {
      notes.unreadable += 1;
      continue;
    }
    if (paths.length >= maxResults) {
      notes.resultsLimited = true;
      break;
    }
    paths.push(path);
  }
  return { paths, ...notes };
}
