/** The lines of a text, each with its own line end; the empty text has none. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** How a text ends its lines; `none` when it has no line end. */
export function lineEnding(text: string): 'lf' | 'crlf' | 'mixed' | 'none' {
  const all = countOf(text, '\n');
  if (all === 0) return 'none';
  const crlf = countOf(text, '\r\n');
  if (crlf === 0) return 'lf';
  return crlf === all ? 'crlf' : 'mixed';
}

/** The line, from 1, that holds the character at `index`. */
export function lineAt(text: string, index: number): number {
  return countOf(text.slice(0, index), '\n') + 1;
}

/** The first `length` characters, never ending inside a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The last `length` characters, never starting inside a surrogate pair. */
export function cutStart(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
