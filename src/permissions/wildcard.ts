/**
 * Text in which some stretches are unknown meets a pattern with `*`. Both are one-dimensional wildcards; whether any
 * text satisfies both is decided in time proportional to the product of their lengths, with no backtracking.
 */

/** Stands for text inside one word that cannot be known before the command runs. */
export const HOLE = '\u0000';
/** Stands for any text that may also be no word or several words. */
export const SPREAD = '\u0001';

const STAR = '*';

/** Whether a word holds nothing unknown. */
export function isKnown(word: string): boolean {
  return !word.includes(HOLE) && !word.includes(SPREAD);
}

/** Whether some text that `pattern` (with `*`) matches could be the text of `word` (with holes). */
export function couldMatch(pattern: string, word: string): boolean {
  if (!pattern.includes(STAR) && isKnown(word)) return pattern === word;
  return intersects(tokens(pattern, [STAR]), tokens(word, [HOLE, SPREAD]));
}

/** Whether `pattern` matches whatever the unknown stretches of `word` turn out to be. */
export function certainlyMatches(pattern: string, word: string): boolean {
  return intersects(tokens(pattern, [STAR]), tokens(word, []));
}

type Token = string | undefined;

/** `undefined` is "any text". Neighbouring ones are one. */
function tokens(text: string, any: readonly string[]): Token[] {
  const list: Token[] = [];
  for (const character of text) {
    const token = any.includes(character) ? undefined : character;
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
  if (token === undefined) return up || back ? 1 : 0;
  if (other === undefined) return up || back ? 1 : 0;
  return both && token === other ? 1 : 0;
}
