import { closeSync } from 'node:fs';
import type { GrepQuery, GrepResult } from '../../protocol/files.js';
import { readToEnd } from '../file-bytes.js';
import { Refusal } from '../refusal.js';
import { givenBelow, namespacePath, type Place } from '../resolve.js';
import { joinDir, pathOf, type Spot, type Tree } from '../tree.js';
import { compileGlobs } from './glob-set.js';
import { compileLinePattern, type LinePattern } from './grep-pattern.js';
import { searchLines } from './search-lines.js';
import { DEFAULT_MAX_RESULTS, emptyNotes, isPassing, walkTree } from './walk.js';

const MAX_CONTEXT = 20;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const BINARY_CHECK_BYTES = 8192;

export interface GrepOptions {
  pattern: string;
  query: GrepQuery;
  /** Throws where a rule keeps the content closed. */
  requireReadable(place: Place): void;
  /** Opens what passed. */
  open(place: Place): { fd: number; size: number };
}

/**
 * Lines of the files below `start`, or of the file `start`, that match, in path and line order. Links are not followed.
 * @throws `Refusal` `bad_pattern`, `not_found`; for a single file also what reading it throws
 */
export function grepTree(start: Place, options: GrepOptions): GrepResult {
  const { query } = options;
  const pattern = compileLinePattern(options.pattern, query);
  const accepts =
    query.globs === undefined || query.globs.length === 0
      ? () => true
      : compileGlobs(query.globs, { base: namespacePath(start), anyDepth: true });
  if (start.stat === undefined) throw new Refusal('not_found', 'no such file or directory');
  const result: GrepResult = { matches: [], files: 0, binaryFiles: 0, largeFiles: 0, ...emptyNotes() };
  const search = { pattern, options, result };
  if (!start.stat.isDirectory()) {
    result.filesWalked = 1;
    searchFile(start, search);
    return result;
  }
  for (const { path, dir, entry } of walkTree(start.tree, pathOf(start), { limits: query, notes: result })) {
    if (entry.type !== 'file' || !accepts(path)) continue;
    const place = { tree: start.tree, dir, name: entry.name, stat: undefined, given: givenBelow(start, path) };
    try {
      searchFile(place, search);
    } catch (error) {
      if (!isPassing(error)) throw error;
      result.unreadable += 1;
    }
    if (result.resultsLimited) break;
  }
  return result;
}

interface Search {
  pattern: LinePattern;
  options: GrepOptions;
  result: GrepResult;
}

function searchFile(place: Place, { pattern, options, result }: Search): void {
  options.requireReadable(place);
  const { fd, size } = options.open(place);
  let bytes: Buffer;
  try {
    if (size > MAX_FILE_BYTES) {
      result.largeFiles += 1;
      return;
    }
    const read = readToEnd(fd, size, MAX_FILE_BYTES);
    bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  } finally {
    closeSync(fd);
  }
  if (bytes.subarray(0, BINARY_CHECK_BYTES).includes(0)) {
    result.binaryFiles += 1;
    return;
  }
  if (pattern.literal !== undefined && !bytes.includes(pattern.literal)) return;
  const { query } = options;
  const left = (query.maxResults ?? DEFAULT_MAX_RESULTS) - result.matches.length;
  const context = Math.min(Math.max(query.context ?? 0, 0), MAX_CONTEXT);
  const found = searchLines(bytes.toString('utf8'), pattern, {
    path: shownPath(place.tree, place),
    context,
    maxMatches: left,
  });
  if (found.matches.length > 0) result.files += 1;
  result.matches.push(...found.matches);
  result.resultsLimited = found.more;
}

/** Relative to the workspace; in the other trees the whole path. */
function shownPath(tree: Tree, at: Spot): string {
  const path = joinDir(at.dir, at.name);
  return tree.mount === '/workspace' ? path : `${tree.mount}/${path}`;
}
