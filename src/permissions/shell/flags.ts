import { HOLE, isKnown, SPREAD } from '../marks.js';
import type { Match } from '../match.js';

/** Flags in one spelling each: `-rf`, `-r -f` and `--recursive --force` are the same set. */
export type FlagSet = ReadonlySet<string>;

/** Long spellings of short flags, by program or by program and subcommand. */
const LONG: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { '--recursive': 'r', '--force': 'f', '--interactive': 'i', '--dir': 'd', R: 'r' },
  cp: { '--recursive': 'r', '--force': 'f', '--archive': 'a', R: 'r' },
  mv: { '--force': 'f' },
  chmod: { '--recursive': 'R' },
  chown: { '--recursive': 'R' },
  'git push': { '--force': 'f', '--delete': 'd' },
  'git clean': { '--force': 'f' },
  'git commit': { '--no-verify': 'n', '--all': 'a' },
  'git checkout': { '--force': 'f' },
  'git branch': { '--force': 'f', '--delete': 'd' },
};

export function isFlag(word: string): boolean {
  return /^-./.test(word);
}

/** The flags a rule names. */
export function canonicalFlags(program: string, flags: readonly string[], words: readonly string[]): FlagSet {
  const names = namesFor(program, words);
  return new Set(flags.flatMap((flag) => spell(flag, names)));
}

/** Whether a command has them all. An unquoted expansion may be any flag; a quoted one is taken as an operand. */
export function hasFlags(program: string, wanted: FlagSet, words: readonly string[]): Match {
  const names = namesFor(program, words.slice(1));
  const present = new Set<string>();
  let unknown = false;
  for (const word of words.slice(1)) {
    if (word === '--') break;
    if (word.startsWith(SPREAD) || (word.startsWith('-') && !isKnown(word))) unknown = true;
    if (isFlag(word)) for (const name of spell(word, names)) present.add(name);
  }
  if ([...wanted].every((flag) => present.has(flag) || isAbbreviated(flag, present))) return 'yes';
  return unknown ? 'could be' : 'no';
}

/** The other spellings of a program's flags, by those. */
export function flagNames(program: string, words: readonly string[]): Readonly<Record<string, string>> {
  return namesFor(program, words);
}

function namesFor(program: string, words: readonly string[]): Readonly<Record<string, string>> {
  const subcommand = words.find((word) => !word.startsWith('-') && !word.includes(HOLE));
  return LONG[`${program} ${subcommand}`] ?? LONG[program] ?? {};
}

/** A long flag is one flag, its value apart; a cluster of short ones is each of them, and itself (`-exec`). */
function spell(flag: string, names: Readonly<Record<string, string>>): string[] {
  if (flag.startsWith('--')) {
    const name = flag.replace(/=[\s\S]*$/, '');
    const full =
      Object.keys(names).find((long) => long === name) ??
      unique(Object.keys(names).filter((long) => name.length > 3 && long.startsWith(name)));
    return [names[full ?? name] ?? name];
  }
  return [...flag.slice(1)].map((letter) => names[letter] ?? letter);
}

function unique(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

/** Programs accept the beginning of a long flag. */
function isAbbreviated(flag: string, present: ReadonlySet<string>): boolean {
  return flag.length > 4 && [...present].some((other) => other.length > 4 && flag.startsWith(other));
}
