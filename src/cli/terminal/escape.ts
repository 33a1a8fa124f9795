import { HIDDEN_CHARACTERS } from '../../tool/hidden-characters.js';

/** Text a guest wrote, made safe to print: what could move the cursor, colour, hide or reorder is shown as `\x1b` or `\u{202e}`. */
export function escapeTerminal(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN_CHARACTERS, escapeCodePoint);
}

/** How many characters of `text` `escapeTerminal` would show as escapes. */
export function countUnsafe(text: string): number {
  return text.replaceAll('\r\n', '\n').match(HIDDEN_CHARACTERS)?.length ?? 0;
}

/** JSON that is safe on a terminal and still parses to the same value. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  return text.replace(HIDDEN_CHARACTERS, (character) =>
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
