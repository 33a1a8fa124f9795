import type { GrepMatch } from '../../protocol/files.js';
import type { LinePattern } from './grep-pattern.js';

const MAX_LINE = 2000;

export interface LineSearch {
  path: string;
  context: number;
  maxMatches: number;
}

/** Matching lines of a text. Lines end in `\n`; a `\r` before it is not part of the line. `more`: others were left out. */
export function searchLines(
  text: string,
  pattern: LinePattern,
  search: LineSearch,
): { matches: GrepMatch[]; more: boolean } {
  const matches: GrepMatch[] = [];
  const counted = { upTo: 0, line: 1 };
  for (let start = 0; start < text.length; ) {
    if (pattern.literal !== undefined) {
      const found = text.indexOf(pattern.literal, start);
      if (found === -1) break;
      start = found === 0 ? 0 : Math.max(start, text.lastIndexOf('\n', found - 1) + 1);
    }
    const end = lineEnd(text, start);
    const line = withoutReturn(text.slice(start, end));
    if (pattern.test(line)) {
      if (matches.length >= search.maxMatches) return { matches, more: true };
      matches.push(toMatch(text, { start, end, line, number: lineNumber(text, start, counted) }, search));
    }
    start = end + 1;
  }
  return { matches, more: false };
}

function toMatch(
  text: string,
  found: { start: number; end: number; line: string; number: number },
  { path, context }: LineSearch,
): GrepMatch {
  const match: GrepMatch = { path, line: found.number, text: cut(found.line) };
  if (context === 0) return match;
  return { ...match, before: linesBefore(text, found.start, context), after: linesAfter(text, found.end + 1, context) };
}

function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; end >= 0 && lines.length < count; ) {
    const begin = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    lines.push(cut(withoutReturn(text.slice(begin, end))));
    end = begin - 1;
  }
  return lines.reverse();
}

function linesAfter(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let begin = start; begin < text.length && lines.length < count; ) {
    const end = lineEnd(text, begin);
    lines.push(cut(withoutReturn(text.slice(begin, end))));
    begin = end + 1;
  }
  return lines;
}

function lineNumber(text: string, start: number, counted: { upTo: number; line: number }): number {
  for (let at = text.indexOf('\n', counted.upTo); at !== -1 && at < start; at = text.indexOf('\n', at + 1))
    counted.line += 1;
  counted.upTo = start;
  return counted.line;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** At most 2,000 characters, never half of a surrogate pair. */
function cut(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const last = line.charCodeAt(MAX_LINE - 1);
  return line.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_LINE - 1 : MAX_LINE);
}
