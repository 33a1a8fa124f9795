/**
 * Code points that change what a terminal shows without being seen: control characters (with them every ANSI and OSC
 * sequence), bidirectional overrides, zero-width and invisible characters, tag characters. Newline and tab stay.
 */
const UNSAFE = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad]',
    '\\u034f|\\u061c|[\\u115f\\u1160]|[\\u17b4\\u17b5]|[\\u180b-\\u180f]|[\\u200b-\\u200f]|[\\u2028-\\u202e]|[\\u2060-\\u206f]',
    '\\u3164|\\ufeff|\\uffa0|[\\ufff9-\\ufffb]|[\\u{e0000}-\\u{e0fff}]|[\\ud800-\\udfff]',
  ].join('|'),
  'gu',
);

/** Text a guest wrote, made safe to print: what could move the cursor, colour, hide or reorder is shown as `\x1b` or `\u{202e}`. */
export function escapeTerminal(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, escapeCodePoint);
}

/** How many characters of `text` `escapeTerminal` would show as escapes. */
export function countUnsafe(text: string): number {
  return text.replaceAll('\r\n', '\n').match(UNSAFE)?.length ?? 0;
}

/** JSON that is safe on a terminal and still parses to the same value. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  return text.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, index) => jsonEscape(character.charCodeAt(index))).join(''),
  );
}

function escapeCodePoint(character: string): string {
  if (character === '\r') return '\\r';
  if (character === '\u0007') return '\\a';
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
