/**
 * What cannot be known of a word before the command runs, written as characters that no shell word holds. A text that
 * brings them along is refused before it is read.
 */

/** Any text inside one word. */
export const HOLE = '\u0000';
/** Any text that may also be no word or several words. */
export const SPREAD = '\u0001';
/** What a `*` expands to: any text without a slash. */
export const GLOB = '\u0002';
/** What a `?` or `[…]` expands to: one character that is no slash. */
export const ONE = '\u0003';

/** Text of one word without a slash, which is neither `.` nor `..`: a number, a date, the last part of a path. */
export const NAME = '\u0004';

const LAST_MARK = 4;

/** Whether a word holds nothing unknown. */
export function isKnown(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (word.charCodeAt(index) <= LAST_MARK) return false;
  }
  return true;
}

/** Whether a character stands for text that is not known. */
export function isMark(character: string): boolean {
  return character.charCodeAt(0) <= LAST_MARK;
}

/** A word as people can read it; what is not known is `…`. */
export function showWord(word: string): string {
  return isKnown(word) ? word : [...word].map((character) => (isMark(character) ? '…' : character)).join('');
}
