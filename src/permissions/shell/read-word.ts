import { HOLE, SPREAD } from '../wildcard.js';
import { decodeAnsiC } from './ansi-c.js';
import type { Cursor } from './cursor.js';

const WORD_END = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']);
const NAME = /[A-Za-z_]\w*|[0-9@*#?!$-]/y;

/** A word without its quotes, and how much of its start was bare: reserved words and assignments must be. */
export interface ReadWord {
  text: string;
  bareLength: number;
}

/** Reads the commands of a nested script, up to and with its closing `)`. */
export type ReadNested = () => void;

interface Nested {
  /** Continues at the cursor. */
  list: ReadNested;
  /** A script of its own, already cut out of the text. */
  script: (text: string) => void;
}

interface Draft {
  text: string;
  bareLength: number | undefined;
  braceAt: number | undefined;
  /** A comma or `..` came after the open brace: it is an expansion. */
  braceList: boolean;
  bracketAt: number | undefined;
}

/** Reads one word at the cursor; `undefined` when there is none. */
export function readWord(cursor: Cursor, nested: Nested): ReadWord | undefined {
  const start = cursor.position;
  const draft: Draft = { text: '', bareLength: undefined, braceAt: undefined, braceList: false, bracketAt: undefined };
  while (!cursor.atEnd && readPiece(cursor, nested, draft));
  if (cursor.position === start) return undefined;
  return { text: draft.text, bareLength: draft.bareLength ?? draft.text.length };
}

function readPiece(cursor: Cursor, nested: Nested, draft: Draft): boolean {
  const character = cursor.peek();
  if ((character === '<' || character === '>') && cursor.peek(1) === '(') {
    cursor.position += 2;
    cursor.nested(nested.list);
    draft.text += HOLE;
    return true;
  }
  if (WORD_END.has(character)) return false;
  cursor.position += 1;
  switch (character) {
    case '\\':
      readEscape(cursor, draft);
      return true;
    case "'":
      quoted(draft, readSingleQuoted(cursor));
      return true;
    case '"':
      quoted(draft, readDoubleQuoted(cursor, nested));
      return true;
    case '$':
      readDollar(cursor, nested, draft);
      return true;
    case '`':
      readBackticks(cursor, nested);
      draft.text += SPREAD;
      return true;
    default:
      addBare(draft, character);
      return true;
  }
}

/** Globs and brace expansions make a word unknown; the brackets around them decide how much of it. */
function addBare(draft: Draft, character: string): void {
  if (character === '*' || character === '?') {
    draft.text += HOLE;
    return;
  }
  if (character === '[') draft.bracketAt ??= draft.text.length;
  if (character === '{') draft.braceAt ??= draft.text.length;
  if (draft.braceAt !== undefined && (character === ',' || (character === '.' && draft.text.endsWith('.')))) {
    draft.braceList = true;
  }
  draft.text += character;
  if (character === ']' && draft.bracketAt !== undefined) {
    draft.text = draft.text.slice(0, draft.bracketAt) + HOLE;
    draft.bracketAt = undefined;
  }
  if (character === '}' && draft.braceAt !== undefined && draft.braceList) {
    draft.text = draft.text.slice(0, draft.braceAt) + SPREAD;
    draft.braceAt = undefined;
    draft.braceList = false;
  }
}

function quoted(draft: Draft, text: string): void {
  draft.bareLength ??= draft.text.length;
  draft.text += text;
}

function readEscape(cursor: Cursor, draft: Draft): void {
  if (cursor.take('\n')) return;
  quoted(draft, cursor.peek());
  cursor.position += 1;
}

function readSingleQuoted(cursor: Cursor): string {
  const end = cursor.text.indexOf("'", cursor.position);
  if (end === -1) {
    cursor.giveUp();
    return HOLE;
  }
  const text = cursor.text.slice(cursor.position, end);
  cursor.position = end + 1;
  return text;
}

function readDoubleQuoted(cursor: Cursor, nested: Nested): string {
  let text = '';
  while (!cursor.atEnd) {
    const character = cursor.peek();
    cursor.position += 1;
    if (character === '"') return text;
    if (character === '\\') text += readEscapeInDoubleQuotes(cursor);
    else if (character === '`') {
      readBackticks(cursor, nested);
      text += HOLE;
    } else if (character === '$') text += readExpansion(cursor, nested, true) ?? '$';
    else text += character;
  }
  cursor.giveUp();
  return HOLE;
}

function readEscapeInDoubleQuotes(cursor: Cursor): string {
  const next = cursor.peek();
  if (next === '\n') {
    cursor.position += 1;
    return '';
  }
  if (next === '' || !'$`"\\'.includes(next)) return '\\';
  cursor.position += 1;
  return next;
}

function readDollar(cursor: Cursor, nested: Nested, draft: Draft): void {
  if (cursor.take("'")) {
    quoted(draft, readAnsiC(cursor));
    return;
  }
  if (cursor.take('"')) {
    quoted(draft, readDoubleQuoted(cursor, nested));
    return;
  }
  draft.text += readExpansion(cursor, nested, false) ?? '$';
}

function readAnsiC(cursor: Cursor): string {
  const body = cursor.takeMatch(/(?:[^'\\]|\\[\s\S])*'/y);
  if (body !== undefined) return decodeAnsiC(body.slice(0, -1));
  cursor.giveUp();
  return HOLE;
}

/** What follows a `$`; `undefined` when the `$` stands for itself. */
function readExpansion(cursor: Cursor, nested: Nested, inQuotes: boolean): string | undefined {
  const unknown = inQuotes ? HOLE : SPREAD;
  if (cursor.startsWith('((')) {
    cursor.position += 2;
    readArithmetic(cursor, nested);
    return HOLE;
  }
  if (cursor.take('(')) {
    cursor.nested(nested.list);
    return unknown;
  }
  if (cursor.take('{')) return readParameter(cursor, nested, inQuotes);
  // `$[ … ]` is the old spelling of arithmetic.
  if (cursor.startsWith('[')) {
    cursor.giveUp();
    return unknown;
  }
  const name = cursor.takeMatch(NAME);
  if (name === undefined) return undefined;
  return name === '@' || name === '*' ? SPREAD : unknown;
}

/** `${…}` after its brace. Substitutions in it run wherever they stand. */
function readParameter(cursor: Cursor, nested: Nested, inQuotes: boolean): string {
  const start = cursor.position;
  cursor.nested(() => readParameterBody(cursor, nested, inQuotes));
  const body = cursor.text.slice(start, cursor.position - 1);
  // `@P` expands its value as a prompt, which runs substitutions in it; `!` reads another variable's value.
  if (/@[A-Za-z]$/.test(body)) cursor.unreadable = true;
  return inQuotes && !/\[[@*]\]|^[@*]/.test(body) ? HOLE : SPREAD;
}

function readParameterBody(cursor: Cursor, nested: Nested, inQuotes: boolean): void {
  while (!cursor.atEnd) {
    const character = cursor.peek();
    cursor.position += 1;
    if (character === '}') return;
    if (character === '\\') cursor.position += 1;
    else if (character === '`') readBackticks(cursor, nested);
    else if (character === '"') readDoubleQuoted(cursor, nested);
    else if (character === '$') {
      // A `$'…'` or `$"…"` here quotes or does not, by the operator and the quotes around it.
      if (cursor.peek() === "'" || cursor.peek() === '"') cursor.giveUp();
      readExpansion(cursor, nested, inQuotes);
    } else if (character === "'") {
      // Inside double quotes a single quote quotes after some operators and is plain text after others.
      if (inQuotes) cursor.giveUp();
      else readSingleQuoted(cursor);
    } else if ((character === '<' || character === '>') && cursor.take('(')) cursor.nested(nested.list);
  }
  cursor.giveUp();
}

/** `$((…))` and `((…))` after their parentheses. */
export function readArithmetic(cursor: Cursor, nested: Nested): void {
  // A variable's value is evaluated too: `x='a[$(cmd)]'; ((x))` runs `cmd`.
  if (/\[\s*[$`]/.test(cursor.text)) cursor.unreadable = true;
  let open = 0;
  while (!cursor.atEnd) {
    const character = cursor.peek();
    cursor.position += 1;
    if (character === '(') open += 1;
    else if (character === ')') {
      if (open === 0 && cursor.take(')')) return;
      // A lone `)`: these were two groups, not arithmetic.
      if (open === 0) break;
      open -= 1;
    } else if (character === '`') readBackticks(cursor, nested);
    else if (character === '$') readExpansion(cursor, nested, true);
    else if (character === '\\') cursor.position += 1;
    // A quoted or subscripted operand is evaluated again, with whatever it holds.
    else if (character === "'" || character === '"' || character === '[') break;
  }
  cursor.giveUp();
}

function readBackticks(cursor: Cursor, nested: Nested): void {
  const body = cursor.takeMatch(/(?:[^`\\]|\\[\s\S])*`/y);
  if (body === undefined) {
    cursor.giveUp();
    return;
  }
  // In double quotes `\"` is unescaped as well; both readings are judged where they differ.
  const plain = body.slice(0, -1).replace(/\\([`$\\])/g, '$1');
  cursor.nested(() => nested.script(plain));
  if (plain.includes('\\"')) cursor.nested(() => nested.script(plain.replaceAll('\\"', '"')));
}
