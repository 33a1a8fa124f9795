import { type FlagSpellings, flagsIn, hasAllFlags, presentFlags } from '../../../sandbox/present-flags.js';
import { isKnown, SPREAD } from '../../text/marks.js';
import type { Match } from '../../text/match.js';

/** Flags in one spelling each: `-rf`, `-r -f` and `--recursive --force` are the same set. */
export type FlagSet = ReadonlySet<string>;

export function isFlag(word: string): boolean {
  return /^-./.test(word);
}

/** The flags a rule names: an abbreviation only where it tells one apart. */
export function canonicalFlags(flags: readonly string[], spellings: FlagSpellings): FlagSet {
  return new Set(
    flags.flatMap((flag) => {
      const found = flagsIn(flag, spellings);
      const isLong = found[0]?.startsWith('--') === true && found.length > 1 && !isMeant(flag, spellings);
      if (!isLong) return found;
      const [own = '', ...others] = found;
      const [only] = new Set(others);
      return new Set(others).size === 1 && only !== undefined ? [only] : [own];
    }),
  );
}

function isMeant(flag: string, { names }: FlagSpellings): boolean {
  return Object.hasOwn(names, `--${flag.replace(/^--?/, '').replace(/=[\s\S]*$/, '')}`);
}

/**
 * Whether a command has them all. An unquoted expansion may be any flag; a quoted one is taken as an operand. Where the
 * spellings are not known, a short flag and a long one that begins with its letter could be the same.
 */
export function hasFlags(wanted: FlagSet, words: readonly string[], spellings: FlagSpellings): Match {
  const args = words.slice(1);
  const present = presentFlags(args, spellings);
  if (hasAllFlags([...wanted], present)) return 'yes';
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  if (options.some((word) => word.startsWith(SPREAD) || (word.startsWith('-') && !isKnown(word)))) return 'could be';
  const isUnknown = spellings.form === undefined && Object.keys(spellings.names).length === 0;
  return isUnknown && couldHaveAll(wanted, present) ? 'could be' : 'no';
}

function couldHaveAll(wanted: FlagSet, present: FlagSet): boolean {
  return [...wanted].every((flag) => hasAllFlags([flag], present) || [...present].some((other) => isTwin(flag, other)));
}

/** `-o` and `--output`, in either order. */
function isTwin(one: string, other: string): boolean {
  if (one.startsWith('--') === other.startsWith('--')) return false;
  const [short, long] = one.startsWith('--') ? [other, one] : [one, other];
  return long.charAt(2).toLowerCase() === short.toLowerCase();
}
