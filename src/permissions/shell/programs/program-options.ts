import type { ProgramEffects } from './program-effects.js';

export interface ReadOptions {
  operands: string[];
  values: { option: string; value: string }[];
  /** Every word that is an option. */
  flags: string[];
}

/** Parts a program's words into operands and options, with the values of those that are known to take one. */
export function readOptions(
  { data = [], reads = [], lists = [], writes = [], prefixes = [], into = [] }: ProgramEffects,
  words: readonly string[],
): ReadOptions {
  const takers = [...data, ...reads, ...lists, ...writes, ...prefixes, ...into];
  const found: ReadOptions = { operands: [], values: [], flags: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      found.operands.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      found.operands.push(word);
      continue;
    }
    const taken = valueIn(word, takers);
    found.flags.push(withoutValue(word, taken?.value));
    if (taken === undefined) continue;
    const value = taken.value ?? words[++index];
    if (value !== undefined) found.values.push({ option: taken.option, value });
  }
  return found;
}

/** The letters of a value are no flags: `-Cdir` is `-C`. */
function withoutValue(word: string, value: string | undefined): string {
  return value === undefined || word.startsWith('--') ? word : word.slice(0, word.length - value.length);
}

/**
 * The values of options like this one: the next word, what stands behind `=`, and what is joined to a short one, also
 * behind flags where the pattern allows for them. Of the `long` ones also what is short for them.
 */
export function optionValues(words: readonly string[], option: RegExp, long: readonly string[] = []): string[] {
  return words.flatMap((word, index) => {
    if (!word.startsWith('-') || word === '-') return [];
    if (option.test(word)) return words[index + 1] ?? [];
    const at = word.indexOf('=');
    if (at > 0 && option.test(word.slice(0, at))) return [word.slice(at + 1)];
    if (!word.startsWith('--')) return joinedValue(word, option) ?? [];
    const taken = word.length > 4 ? abbreviated(word, long) : undefined;
    return taken === undefined ? [] : (taken.value ?? words[index + 1] ?? []);
  });
}

/** `-Ffile`, `-aFfile` */
function joinedValue(word: string, option: RegExp): string | undefined {
  for (let end = 2; end < word.length && /[A-Za-z]/.test(word.charAt(end - 1)); end += 1) {
    if (option.test(word.slice(0, end))) return word.slice(end);
  }
  return undefined;
}

/** `--out=x`, `--out x`, `--ou x`, `-o x`, `-ox`, and `-vo x` where `-o` takes a value. */
export function valueIn(word: string, takers: readonly string[]): { option: string; value?: string } | undefined {
  for (const option of takers) {
    if (word === option) return { option };
    if (word.startsWith(`${option}=`)) return { option, value: word.slice(option.length + 1) };
  }
  if (word.startsWith('--')) return abbreviated(word, takers);
  for (let at = 1; at < word.length; at += 1) {
    const option = `-${word.charAt(at)}`;
    if (!takers.includes(option)) continue;
    return at === word.length - 1 ? { option } : { option, value: word.slice(at + 1) };
  }
  return undefined;
}

/** GNU programs take as much of a long option's name as tells it apart. */
function abbreviated(word: string, takers: readonly string[]): { option: string; value?: string } | undefined {
  const [, name = '', value] = /^(--[a-z][^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  const option = name === '' ? undefined : takers.find((taker) => taker.startsWith(name));
  if (option === undefined) return undefined;
  return value === undefined ? { option } : { option, value };
}
