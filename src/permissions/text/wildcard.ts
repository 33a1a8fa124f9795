import { isKnown, isMark } from './marks.js';

/**
 * Text in which some stretches are unknown meets a pattern with `*`. Both are one-dimensional wildcards; whether any
 * text satisfies both is decided in time proportional to the product of their lengths, with no backtracking.
 */

const STAR = '*';

/** Whether some text that `pattern` (with `*`) matches could be the text of `word` (with marks). */
export function couldMatch(pattern: string, word: string): boolean {
  const known = isKnown(word);
  if (!pattern.includes(STAR)) {
    if (known) return pattern === word;
    if (!agreeAtTheEnds(pattern, word) || !holdsInOrder(pattern, word)) return false;
  }
  return intersects(tokens(pattern, isStar), known ? [...word] : tokens(word, isMark));
}

/** Whether `pattern` matches whatever the unknown stretches of `word` turn out to be. */
export function certainlyMatches(pattern: string, word: string): boolean {
  return intersects(tokens(pattern, isStar), [...word]);
}

/** Most words are told apart by what is known at their ends. */
function agreeAtTheEnds(text: string, word: string): boolean {
  const first = word.charAt(0);
  const last = word.charAt(word.length - 1);
  return (isMark(first) || text.startsWith(first)) && (isMark(last) || text.endsWith(last));
}

/** Whether a text has all that is known of a word, in its order: most texts do not, and this is soon found out. */
function holdsInOrder(text: string, word: string): boolean {
  let at = 0;
  for (const character of word) {
    if (isMark(character)) continue;
    at = text.indexOf(character, at) + character.length;
    if (at < character.length) return false;
  }
  return true;
}

type Token = string | undefined;

function isStar(character: string): boolean {
  return character === STAR;
}

/** `undefined` is "any text". Neighbouring ones are one. */
function tokens(text: string, isAny: (character: string) => boolean): Token[] {
  const list: Token[] = [];
  for (const character of text) {
    const token = isAny(character) ? undefined : character;
    if (token !== undefined || list.at(-1) !== undefined || list.length === 0) list.push(token);
  }
  return list;
}

function intersects(left: readonly Token[], right: readonly Token[]): boolean {
  let row = firstRow(right);
  for (const token of left) {
    const next = new Uint8Array(right.length + 1);
    next[0] = token === undefined ? (row[0] ?? 0) : 0;
    for (const [index, other] of right.entries()) {
      next[index + 1] = reaches(token, other, [row[index], row[index + 1], next[index]]);
    }
    row = next;
  }
  return row[right.length] === 1;
}

function firstRow(right: readonly Token[]): Uint8Array {
  const row = new Uint8Array(right.length + 1);
  row[0] = 1;
  for (const [index, token] of right.entries()) row[index + 1] = token === undefined ? (row[index] ?? 0) : 0;
  return row;
}

function reaches(
  token: Token,
  other: Token,
  [both, up, back]: [number | undefined, number | undefined, number | undefined],
): number {
  if (token === undefined && other === undefined) return both || up || back ? 1 : 0;
  if (token === undefined || other === undefined) return up || back ? 1 : 0;
  return both && token === other ? 1 : 0;
}
