import type { ApprovalRequest } from '../../host/types.js';
import { countUnsafe, escapeTerminal } from './escape.js';

const LATIN = /\p{Script=Latin}/u;
const LOOK_ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u{ff01}-\u{ff5e}\u{1d400}-\u{1d7ff}]/gu;

/**
 * An approval request for a person to judge: every argument whole and escaped, never cut, with its length; letters of
 * another alphabet inside a Latin word, and full-width or mathematical letters, are shown as code points.
 */
export function approvalText(request: ApprovalRequest): string {
  const lines = [`${safe(request.displayName)} (${safe(request.toolName)}) asks for approval`];
  if (request.rule !== undefined) lines.push(`  rule    ${safe(request.rule)}`);
  if (request.reason !== undefined) lines.push(`  reason  ${safe(request.reason)}`);
  for (const [name, value] of entriesOf(request.args)) lines.push(argumentText(name, value));
  return lines.join('\n');
}

function entriesOf(args: unknown): [string, unknown][] {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.entries(args) : [['args', args]];
}

function argumentText(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
  const unsafe = countUnsafe(text);
  const marked = markLookAlikes(text);
  const notes = [
    `${[...text].length} characters`,
    ...(unsafe > 0 ? [`${unsafe} invisible or control`] : []),
    ...(marked.count > 0 ? [`${marked.count} look-alike`] : []),
  ];
  const body = escapeTerminal(marked.text).split('\n');
  return [`  ${safe(name)} (${notes.join(', ')})`, ...body.map((line) => `    | ${line}`)].join('\n');
}

function markLookAlikes(text: string): { text: string; count: number } {
  let count = 0;
  const mark = (letter: string) => {
    count += 1;
    return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
  };
  const marked = text.replace(/[\p{L}\p{N}_\u{ff01}-\u{ff5e}]+/gu, (word) =>
    LATIN.test(word) || /[\u{ff01}-\u{ff5e}\u{1d400}-\u{1d7ff}]/u.test(word) ? word.replace(LOOK_ALIKE, mark) : word,
  );
  return { text: marked, count };
}

function safe(text: string): string {
  return escapeTerminal(text).replaceAll('\n', '\\n');
}
