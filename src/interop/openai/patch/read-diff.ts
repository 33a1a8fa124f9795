import { PatchError } from './patch-error.js';

export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** A change with the lines around it. */
export interface Hunk {
  /** Texts of the `@@` lines before it, outermost first: it stands below them. */
  anchors: string[];
  lines: DiffLine[];
  /** The lines that must be in the file: shown and removed ones. */
  old: string[];
  /** It stands at the end of the file. */
  atEnd: boolean;
}

/** Hunks of one diff. */
const MAX_HUNKS = 1_000;

const END_OF_FILE = '*** End of File';

/** The envelope of a patch over many files; in a diff of one file it says nothing new. */
const ENVELOPE = /^\*\*\* (Begin Patch|End Patch|Add File: .*|Update File: .*)$/;

/**
 * Reads the hunks of an update.
 * @throws PatchError for a line of no known kind, a hunk that changes nothing, or a diff without hunks
 */
export function readDiff(diff: string, path: string): Hunk[] {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let open: Hunk | undefined;
  for (const [index, line] of diffLines(diff).entries()) {
    if (ENVELOPE.test(line) || line.startsWith('\\ No newline')) continue;
    if (line.startsWith('*** Move to:'))
      throw new PatchError(`Cannot move "${path}": create the new file and delete this one`);
    if (line.startsWith('@@')) {
      if (open !== undefined) anchors = [];
      open = undefined;
      anchors.push(...anchorOf(line));
    } else if (line === END_OF_FILE) {
      if (open !== undefined) open.atEnd = true;
      open = undefined;
      anchors = [];
    } else {
      if (open === undefined) {
        open = { anchors, lines: [], old: [], atEnd: false };
        hunks.push(open);
      }
      addLine(open, line, { path, number: index + 1 });
    }
  }
  if (hunks.length === 0) throw new PatchError(`Cannot update "${path}": the diff is empty`);
  if (hunks.length > MAX_HUNKS)
    throw new PatchError(
      `Cannot update "${path}": the diff has ${hunks.length} hunks; send at most ${MAX_HUNKS} at once`,
    );
  return hunks.map((hunk, index) => checked(hunk, { path, number: index + 1 }));
}

/**
 * Reads the text of a file to create.
 * @throws PatchError for a line that does not start with `+`
 */
export function readCreateDiff(diff: string, path: string): string {
  const lines = diff.split('\n');
  const last = lines.pop() ?? '';
  const texts = lines.flatMap((line, index) => addedText(line, { path, number: index + 1, end: '\n' }));
  // The text ends with a line end where the diff does.
  return [...texts, ...(last === '' ? [] : addedText(last, { path, number: lines.length + 1, end: '' }))].join('');
}

function addedText(line: string, { path, number, end }: { path: string; number: number; end: string }): string[] {
  if (ENVELOPE.test(line.trimEnd()) || line.trimEnd() === END_OF_FILE) return [];
  if (line.startsWith('+')) return [line.slice(1) + end];
  throw new PatchError(
    `Cannot create "${path}": line ${number} of the diff is ${show(line)}; every line of a new file must start with "+"`,
  );
}

/** A diff may have any line ends, whatever the file has. */
function diffLines(diff: string): string[] {
  const lines = diff.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** `@@ class A`, `@@ class A @@`, bare `@@`; the numbers of a unified diff say nothing here. */
function anchorOf(line: string): string[] {
  const text = line
    .slice(2)
    .replace(/^ -\d+(,\d+)? \+\d+(,\d+)? @@/, '')
    .replace(/ @@$/, '')
    .trim();
  return text === '' ? [] : [text];
}

function addLine(hunk: Hunk, line: string, where: { path: string; number: number }): void {
  // Models leave out the space of an empty line.
  const sign = line === '' ? ' ' : line[0];
  if (sign !== ' ' && sign !== '-' && sign !== '+') {
    throw new PatchError(
      `Cannot update "${where.path}": line ${where.number} of the diff is ${show(line)}; lines must start with " ", "-", "+" or "@@"`,
    );
  }
  const text = line.slice(1);
  hunk.lines.push({ sign, text });
  if (sign !== '+') hunk.old.push(text);
}

function checked(hunk: Hunk, { path, number }: { path: string; number: number }): Hunk {
  if (hunk.lines.some(({ sign }) => sign !== ' ')) return hunk;
  throw new PatchError(
    `Cannot update "${path}": hunk ${number} changes nothing; it has no line that starts with "-" or "+"`,
  );
}

function show(line: string): string {
  return JSON.stringify(line.length > 100 ? `${line.slice(0, 100)}…` : line);
}
