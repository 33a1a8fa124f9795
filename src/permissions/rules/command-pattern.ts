import type { FlagSpellings } from '../../sandbox/present-flags.js';
import { canonicalFlags, type FlagSet, hasFlags, isFlag } from '../shell/programs/flags.js';
import { optionSpellings } from '../shell/programs/option-spellings.js';
import { programName } from '../shell/programs/program-name.js';
import { namesOf } from '../shell/programs/program-names.js';
import { globalOptionWidth, isOpaqueProgram, isPossibleAlias } from '../shell/programs/program-table.js';
import { respelled } from '../shell/programs/respelled-commands.js';
import { canonicalSubcommands, impliesGroup, subcommandNames } from '../shell/programs/subcommands.js';
import type { ShellCommand } from '../shell/syntax/shell-command.js';
import { isKnown, SPREAD } from '../text/marks.js';
import type { Match } from '../text/match.js';
import { certainlyMatches, couldMatch } from '../text/wildcard.js';

/** A command rule's pattern, taken apart. */
export interface CommandPattern {
  readonly words: readonly string[];
  /** Ends in `:*` or ` *`: any words may follow. */
  readonly prefix: boolean;
  /** Has a `*` elsewhere: matched as text. */
  readonly text?: string;
  /** The program it is about, where that is one name. */
  readonly program?: string;
  /** Subcommands by their one name. */
  readonly operands: readonly string[];
  readonly flags: FlagSet;
  readonly spellings: FlagSpellings;
}

/** How a rule meets a command, and from which word on. */
export interface CommandMatch {
  match: Match;
  from: number;
}

/** Of a program's name among the words of an unknown one: each place is looked at from there to the end. */
const MAX_PLACES = 8;
const NO: CommandMatch = { match: 'no', from: 0 };
const TRUSTED_DIRECTORIES = /^(?:\/usr\/local\/bin|\/usr\/bin|\/bin|\/usr\/sbin|\/sbin)\/[^/]+$/;

/** Takes a pattern apart; an array is its words as they are. */
export function parseCommandPattern(source: string | readonly string[]): CommandPattern {
  if (typeof source !== 'string') return withParts({ words: source, prefix: false });
  const ending = /(?::\*|\s+\*)$/.exec(source);
  const body = ending === null ? source.trim() : source.slice(0, ending.index).trim();
  const words = splitWords(body);
  const prefix = ending !== null || body === '*';
  return withParts(body.includes('*') ? { words, prefix, text: body } : { words, prefix });
}

/** How a deny or ask rule meets one command. Without a star it is a prefix: who denies `yarn` means `yarn install`. */
export function matchRestricting(pattern: CommandPattern, { words }: Pick<ShellCommand, 'words'>): CommandMatch {
  const [first] = words;
  if (first === undefined) return NO;
  // An unquoted expansion may be no word at all: then the command is named by the next one.
  if (first.includes(SPREAD)) return { match: 'could be', from: 0 };
  if (pattern.text !== undefined)
    return { match: matchText(pattern.text, [programName(first), ...words.slice(1)]), from: 0 };
  const match = matchFromProgram(pattern, words);
  return match === 'no' ? matchInsideUnknownProgram(pattern, words) : { match, from: 0 };
}

/** How an allow rule meets one command: what is not certain is not allowed. */
export function matchesAllowing(pattern: CommandPattern, { words: given }: Pick<ShellCommand, 'words'>): boolean {
  const [first, ...rest] = given;
  if (first === undefined || !isKnown(first)) return false;
  const program = TRUSTED_DIRECTORIES.test(first) ? programName(first) : first;
  const words = [program, ...rest];
  if (pattern.text !== undefined) {
    const text = words.join(' ');
    return certainlyMatches(pattern.text, text) || (pattern.prefix && certainlyMatches(`${pattern.text} *`, text));
  }
  if (words.length < pattern.words.length) return false;
  if (!pattern.prefix && words.length !== pattern.words.length) return false;
  return pattern.words.every((word, index) => words[index] === word);
}

function withParts(pattern: Pick<CommandPattern, 'words' | 'prefix' | 'text'>): CommandPattern {
  const [program = '', ...wanted] = meantWords(pattern);
  const plain = wanted.filter((word) => !isFlag(word));
  const { form } = optionSpellings(program, []);
  // `tar xf` is `tar -x -f`.
  const bundle = form === 'bundled' && plain.length === wanted.length ? plain.slice(0, 1) : [];
  const operands = canonicalSubcommands(program, plain.slice(bundle.length));
  const given = [...bundle.map((letters) => `-${letters}`), ...wanted.filter(isFlag)];
  const spellings = optionSpellings(program, operands, given);
  const parts = { ...pattern, operands, flags: canonicalFlags(given, spellings), spellings };
  // As text, `npm * x` is about npm as well; `ls*` is about no one program.
  const isText = pattern.text !== undefined;
  return program === '' || (isText && program.includes('*')) ? parts : { ...parts, program };
}

/** `docker-compose` is a way to write `docker compose`, in a rule as in a command. */
function meantWords({ words, text }: Pick<CommandPattern, 'words' | 'text'>): readonly string[] {
  const [program] = words;
  return text === undefined && program === 'docker-compose' ? (respelled(words)[1] ?? words) : words;
}

function matchText(pattern: string, words: readonly string[]): Match {
  const text = words.join(' ');
  if (!couldMatch(pattern, text) && !couldMatch(`${pattern} *`, text)) return 'no';
  return isKnown(text) ? 'yes' : 'could be';
}

/** The rule's flags are a set, wherever they stand; its other words come in order, with options between them skipped. */
function matchFromProgram(pattern: CommandPattern, words: readonly string[]): Match {
  const [first = ''] = words;
  const { program = '', operands } = pattern;
  if (!couldMatch(program, programName(first)) && first !== program) return 'no';
  const name = isKnown(programName(first)) ? 'yes' : 'could be';
  return both(name, both(matchOperands(program, operands, words.slice(1)), matchFlags(pattern, words)));
}

function matchFlags({ flags, spellings }: CommandPattern, words: readonly string[]): Match {
  return flags.size === 0 ? 'yes' : hasFlags(flags, words, spellings);
}

/** `git push` against `-C dir push origin`: what an option may take with it is tried both ways. */
function matchOperands(program: string, wanted: readonly string[], words: readonly string[]): Match {
  if (wanted.length === 0) return 'yes';
  let starts: ReadonlyMap<number, Match> = new Map([[0, 'yes']]);
  for (const [order, word] of wanted.entries()) {
    const next = new Map<number, Match>();
    for (const [start, sofar] of starts) {
      for (const [end, match] of findWord(program, { word, words, start, before: wanted.slice(0, order) })) {
        const result = both(sofar, match);
        if (next.get(end) !== 'yes') next.set(end, result);
      }
    }
    if (next.size === 0) return 'no';
    starts = next;
  }
  return [...starts.values()].reduce<Match>((best, match) => (best === 'yes' || match === 'yes' ? 'yes' : match), 'no');
}

interface WordSearch {
  word: string;
  words: readonly string[];
  start: number;
  /** The operands that came before it. */
  before: readonly string[];
}

/** Where the command goes on behind a word of the rule. */
function findWord(program: string, { word, words, start, before }: WordSearch): Map<number, Match> {
  const found = new Map<number, Match>();
  const pending = [start];
  const seen = new Set<number>();
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const other = words[at];
    if (other === undefined || seen.has(at)) continue;
    seen.add(at);
    if (other.includes(SPREAD)) {
      found.set(at + 1, 'could be');
      continue;
    }
    if (couldMatch(word, other)) found.set(at + 1, isKnown(other) ? 'yes' : 'could be');
    else if (subcommandNames(program, before, other).includes(word)) found.set(at + 1, 'yes');
    else if (before.length === 0 && impliesGroup(program, word, other)) found.set(at, 'yes');
    else if (before.length === 0 && isPossibleAlias(program, other)) found.set(at + 1, 'could be');
    if (!other.startsWith('-') || other === '-') continue;
    for (const width of globalOptionWidth(program, other)) pending.push(at + width);
  }
  return found;
}

/** `rtk git push`: a program not known to take such words as data may run them. */
function matchInsideUnknownProgram(pattern: CommandPattern, words: readonly string[]): CommandMatch {
  const { program, operands } = pattern;
  if (operands.length === 0 || !isOpaqueProgram(programName(words[0] ?? ''))) return NO;
  let places = 0;
  for (let from = 1; from < words.length; from += 1) {
    const names = program === undefined ? [] : namesOf(programName(words[from] ?? ''));
    if (program === undefined || !names.includes(program)) continue;
    places += 1;
    if (places > MAX_PLACES) return { match: 'could be', from };
    if (matchFromProgram(pattern, [program, ...words.slice(from + 1)]) !== 'no') return { match: 'could be', from };
  }
  return NO;
}

function both(left: Match, right: Match): Match {
  if (left === 'no' || right === 'no') return 'no';
  return left === 'yes' && right === 'yes' ? 'yes' : 'could be';
}

/** Blanks part words; a backslash or quotes keep them together. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:\\.|"[^"]*"|'[^']*'|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/\\(.)|"([^"]*)"|'([^']*)'/g, (_, escaped, double, single) => escaped ?? double ?? single),
  );
}
