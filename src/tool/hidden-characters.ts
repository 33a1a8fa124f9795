/**
 * Code points that change what a terminal or a reader sees without being seen: control characters (with them every ANSI
 * and OSC sequence), bidirectional overrides, zero-width and invisible characters, tag characters. Newline and tab stay.
 */
export const HIDDEN_CHARACTERS = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad]',
    '\\u034f|\\u061c|[\\u115f\\u1160]|[\\u17b4\\u17b5]|[\\u180b-\\u180f]|[\\u200b-\\u200f]|[\\u2028-\\u202e]|[\\u2060-\\u206f]',
    '\\u3164|\\ufeff|\\uffa0|[\\ufff9-\\ufffb]|[\\u{e0000}-\\u{e0fff}]|[\\ud800-\\udfff]',
  ].join('|'),
  'gu',
);

const MAX_TOLD = 16;

/** The text with each of them spelled out, as `\u{202e}`. */
export function spellOutHidden(text: string): string {
  return text.replaceAll(HIDDEN_CHARACTERS, (character) => `\\u{${codeOf(character).padStart(4, '0')}}`);
}

/** Which of them a value's texts hold, as `U+202E`, each once, at most 16; `undefined` for none. A line's `\r\n` is none. */
export function hiddenCharactersIn(value: unknown): string[] | undefined {
  const found = new Set<string>();
  collect(value, found);
  return found.size === 0 ? undefined : [...found];
}

function collect(value: unknown, found: Set<string>): void {
  if (found.size >= MAX_TOLD) return;
  if (typeof value === 'string') {
    for (const [character] of value.replaceAll('\r\n', '\n').matchAll(HIDDEN_CHARACTERS)) {
      found.add(`U+${codeOf(character).toUpperCase().padStart(4, '0')}`);
      if (found.size >= MAX_TOLD) return;
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) collect(key, found);
      collect(member, found);
    }
  }
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
