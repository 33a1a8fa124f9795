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
    found.flags.push(word);
    const taken = valueIn(word, takers);
    if (taken === undefined) continue;
    const value = taken.value ?? words[++index];
    if (value !== undefined) found.values.push({ option: taken.option, value });
  }
  return found;
}

/** The words after options like this one, or after its `=`. */
export function optionValues(words: readonly string[], option: RegExp): string[] {
  return words.flatMap((word, index) => {
    const at = word.indexOf('=');
    if (at > 0 && option.test(word.slice(0, at))) return [word.slice(at + 1)];
    return option.test(word) ? (words[index + 1] ?? []) : [];
  });
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
