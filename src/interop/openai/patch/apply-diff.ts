import { findHunk } from './find-hunk.js';
import { LineSearch } from './line-search.js';
import { joinLines, type Line, toLines } from './lines.js';
import { type Hunk, readDiff } from './read-diff.js';

/**
 * Applies a V4A diff (what OpenAI's `apply_patch` writes: hunks found by their context, no line numbers) to the text
 * of a file. Lines that the diff only shows keep the file's bytes, new lines get the line end of those before them,
 * and whether the text ends with a line end stays as it is.
 * @param path for messages
 * @throws PatchError that says which hunk, where and what to do next
 */
export function applyDiff(text: string, diff: string, path: string): string {
  const hunks = readDiff(diff, path);
  const lines = toLines(text);
  const search = new LineSearch(lines.map((line) => line.text));
  const pieces: Line[][] = [];
  let cursor = 0;
  for (const [index, hunk] of hunks.entries()) {
    const start = findHunk(search, hunk, { cursor, path, number: index + 1, count: hunks.length });
    const end = start + hunk.old.length;
    pieces.push(lines.slice(cursor, start), changed(hunk, lines.slice(start, end)));
    cursor = end;
  }
  pieces.push(lines.slice(cursor));
  return joinLines(pieces.flat(), text);
}

/** The lines that a hunk leaves, from the first that it shows; new ones end as the line does that they follow or replace. */
function changed(hunk: Hunk, here: readonly Line[]): Line[] {
  const left: Line[] = [];
  let at = 0;
  for (const { sign, text } of hunk.lines) {
    if (sign === '+') {
      left.push({ text, end: here[at - 1]?.end });
      continue;
    }
    const line = here[at];
    if (sign === ' ' && line !== undefined) left.push(line);
    at += 1;
  }
  return left;
}
