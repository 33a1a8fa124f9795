/** How a program's options are spelled. */
export interface FlagSpellings {
  /** What a name stands for: a letter, or a long name with its dashes. Several are parted by blanks. */
  readonly names: Readonly<Record<string, string>>;
  /** `one dash`: it begins a long option, as two do. `bundled`: the first word may be short options without one. */
  readonly form?: FlagForm | undefined;
}

export type FlagForm = 'one dash' | 'bundled';

/** The options among a program's arguments, each in one spelling. What could be an abbreviation counts as all of it. */
export function presentFlags(args: readonly string[], spellings: FlagSpellings): Set<string> {
  const present = new Set<string>();
  for (const [index, word] of args.entries()) {
    if (word === '--') break;
    const isBundle = index === 0 && spellings.form === 'bundled' && /^[A-Za-z]/.test(word);
    const flag = isBundle ? `-${word}` : word;
    if (/^-./.test(flag)) for (const name of flagsIn(flag, spellings)) present.add(name);
  }
  return present;
}

/** Whether options are all there: a long one that is not known may be abbreviated. */
export function hasAllFlags(wanted: readonly string[], present: ReadonlySet<string>): boolean {
  return wanted.every((flag) => present.has(flag) || isAbbreviated(flag, present));
}

/** What one word of options stands for: a long one without its value; of a cluster, each letter. */
export function flagsIn(word: string, { names, form }: FlagSpellings): string[] {
  const isLong = word.startsWith('--') || form === 'one dash';
  if (!isLong) return [...word.slice(1)].flatMap((letter) => meanings(names, letter) ?? letter);
  const name = `--${word.replace(/^--?/, '').replace(/=[\s\S]*$/, '')}`;
  const known = meanings(names, name);
  if (known !== undefined) return known;
  // A program refuses what begins several names: taking it for all of them lets none through.
  const full = Object.keys(names).filter((long) => name.length > 2 && long.startsWith(name));
  return [name, ...full.flatMap((long) => meanings(names, long) ?? [])];
}

function meanings(names: FlagSpellings['names'], name: string): string[] | undefined {
  return Object.hasOwn(names, name) ? names[name]?.split(' ') : undefined;
}

function isAbbreviated(flag: string, present: ReadonlySet<string>): boolean {
  return flag.length > 4 && [...present].some((other) => other.length > 4 && flag.startsWith(other));
}
