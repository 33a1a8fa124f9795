import type { LineSearch } from './line-search.js';
import { PatchError } from './patch-error.js';
import type { Hunk } from './read-diff.js';

interface Place {
  /** The first line that no earlier hunk took. */
  cursor: number;
  path: string;
  number: number;
  count: number;
}

/** Lines of a hunk that a message shows. */
const SHOWN_LINES = 8;

/**
 * The line where a hunk's old lines start: the first place below its anchors and below the hunk before it.
 * @throws PatchError when there is none
 */
export function findHunk(search: LineSearch, hunk: Hunk, place: Place): number {
  const start = belowAnchors(search.texts, hunk, place);
  if (hunk.old.length === 0) return insertionPoint(search.texts, hunk, { ...place, start });
  const found = search.find(hunk.old, { from: start, atEnd: hunk.atEnd }) ?? onAnchor(search, hunk, start);
  if (found !== undefined) return found;
  throw notFound(search, hunk, { ...place, start });
}

/** A line that is the anchor, or has it in it: models shorten signatures. */
function belowAnchors(texts: readonly string[], { anchors }: Hunk, place: Place): number {
  let start = place.cursor;
  for (const anchor of anchors) {
    const tests = [(text: string) => text.trim() === anchor, (text: string) => text.includes(anchor)];
    const at = tests
      .map((test) => texts.findIndex((text, index) => index >= start && test(text)))
      .find((index) => index >= 0);
    if (at === undefined) {
      throw failure(place, `the line of its anchor ${JSON.stringify(`@@ ${anchor}`)} was not found${after(start)}`);
    }
    start = at + 1;
  }
  return start;
}

/** An anchor may also be the hunk's own first line: then the hunk starts on it, not below it. */
function onAnchor(search: LineSearch, { anchors, old }: Hunk, start: number): number | undefined {
  if (anchors.length === 0) return undefined;
  const found = search.find(old, { from: start - 1, atEnd: false });
  return found === start - 1 ? found : undefined;
}

function insertionPoint(texts: readonly string[], hunk: Hunk, place: Place & { start: number }): number {
  if (hunk.anchors.length > 0) return place.start;
  if (hunk.atEnd || texts.length === 0) return texts.length;
  throw failure(
    place,
    'it has only new lines and says nothing of where; show lines of the file around them, or an "@@" line',
  );
}

function notFound(search: LineSearch, hunk: Hunk, place: Place & { start: number }): PatchError {
  const shown = hunk.old.slice(0, SHOWN_LINES).map((line) => `  ${line.slice(0, 200)}`);
  const more = hunk.old.length > SHOWN_LINES ? [`  … ${hunk.old.length - SHOWN_LINES} more`] : [];
  const earlier = place.start > 0 ? search.find(hunk.old, { from: 0, atEnd: false }) : undefined;
  const hint =
    earlier !== undefined
      ? `They are at line ${earlier + 1}, above the place searched: hunks must come in the order of the file`
      : nearest(search, hunk, place.start);
  return failure(place, [`these lines were not found${after(place.start)}:`, ...shown, ...more, hint].join('\n'));
}

function nearest(search: LineSearch, { old }: Hunk, start: number): string {
  const best = search.nearest(old, start);
  const advice = 'Read the file again and copy its lines exactly';
  if (old.slice(0, best.length).every((line) => line.trim() === '')) return advice;
  const line = best.at + best.length;
  const have = search.texts[line];
  const has = have === undefined ? 'the file ends' : `the file has ${JSON.stringify(have.slice(0, 200))}`;
  const wants = JSON.stringify(old[best.length]?.slice(0, 200));
  return `They match from line ${best.at + 1} on, but at line ${line + 1} ${has} where the diff has ${wants}. ${advice}`;
}

function after(start: number): string {
  return start === 0 ? '' : ` after line ${start}`;
}

function failure({ path, number, count }: Place, problem: string): PatchError {
  const which = count === 1 ? 'the diff' : `hunk ${number} of ${count}`;
  return new PatchError(`Cannot apply ${which} to "${path}": ${problem}`);
}
