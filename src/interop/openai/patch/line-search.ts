/** How a line of a diff may stand for one of the file, strictest first: models lose white space at the ends. */
const LIKENESSES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trimEnd(),
  (text) => text.trim(),
];

/** Looks for runs of lines in a file, in time linear in it: a diff must not be able to hold up the host. */
export class LineSearch {
  readonly texts: readonly string[];
  /** The lines in each likeness, made when it is first needed. */
  readonly #likenesses: (readonly string[] | undefined)[] = [];

  constructor(texts: readonly string[]) {
    this.texts = texts;
  }

  /**
   * The first place from `from` on where the lines stand, exactly or else but for white space at their ends.
   * @param atEnd prefer the end of the file
   */
  find(wanted: readonly string[], { from, atEnd }: { from: number; atEnd: boolean }): number | undefined {
    const last = this.texts.length - wanted.length;
    for (const [index, like] of LIKENESSES.entries()) {
      const have = this.#likeness(index);
      const needle = wanted.map(like);
      if (atEnd && last >= from && needle.every((text, offset) => have[last + offset] === text)) return last;
      const found = longestPrefix(have, needle, from);
      if (found.length === needle.length) return found.at;
    }
    return undefined;
  }

  /** The place from `from` on where most of the lines stand, from the first on, white space at their ends aside. */
  nearest(wanted: readonly string[], from: number): { at: number; length: number } {
    const index = LIKENESSES.length - 1;
    return longestPrefix(this.#likeness(index), wanted.map(LIKENESSES[index] ?? String), from);
  }

  #likeness(index: number): readonly string[] {
    const known = this.#likenesses[index];
    if (known !== undefined) return known;
    const made = this.texts.map(LIKENESSES[index] ?? String);
    this.#likenesses[index] = made;
    return made;
  }
}

/** The longest run, first place first, that is a prefix of the needle (Knuth, Morris and Pratt's search). */
function longestPrefix(
  lines: readonly string[],
  needle: readonly string[],
  from: number,
): { at: number; length: number } {
  const fallbacks = fallbacksOf(needle);
  let best = { at: -1, length: 0 };
  let length = 0;
  for (let index = from; index < lines.length; index += 1) {
    while (length > 0 && lines[index] !== needle[length]) length = fallbacks[length - 1] ?? 0;
    if (lines[index] === needle[length]) length += 1;
    if (length > best.length) best = { at: index - length + 1, length };
    if (length === needle.length) break;
  }
  return best;
}

/** For each prefix of the needle, how much of it a mismatch right after it leaves. */
function fallbacksOf(needle: readonly string[]): number[] {
  const fallbacks = [0];
  let length = 0;
  for (let index = 1; index < needle.length; index += 1) {
    while (length > 0 && needle[index] !== needle[length]) length = fallbacks[length - 1] ?? 0;
    if (needle[index] === needle[length]) length += 1;
    fallbacks.push(length);
  }
  return fallbacks;
}
