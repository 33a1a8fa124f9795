import { isKnown, SPREAD } from './marks.js';
import type { Match } from './match.js';
import { canonicalFlags, type FlagSet, hasFlags, isFlag } from './shell/flags.js';
import { programName } from './shell/program-name.js';
import { globalOptionWidth, isOpaqueProgram, isPossibleAlias } from './shell/program-table.js';
import type { ShellCommand } from './shell/shell-command.js';
import { certainlyMatches, couldMatch } from './wildcard.js';

/** A command rule's pattern, taken apart. */
export interface CommandPattern {
  readonly words: readonly string[];
  /** Ends in `:*` or ` *`: any words may follow. */
  readonly prefix: boolean;
  /** Has a `*` elsewhere: matched as text. */
  readonly text?: string;
  /** The program it is about, where that is one name. */
  readonly program?: string;
  readonly operands: readonly string[];
  readonly flags: FlagSet;
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

function withParts(pattern: Omit<CommandPattern, 'operands' | 'flags' | 'program'>): CommandPattern {
  const [program = '', ...wanted] = pattern.words;
  const parts = {
    ...pattern,
    operands: wanted.filter((word) => !isFlag(word)),
    flags: canonicalFlags(program, wanted.filter(isFlag), wanted),
  };
  // As text, `npm * x` is about npm as well; `ls*` is about no one program.
  const isText = pattern.text !== undefined;
  return program === '' || (isText && program.includes('*')) ? parts : { ...parts, program };
}

function matchText(pattern: string, words: readonly string[]): Match {
  const text = words.join(' ');
  if (!couldMatch(pattern, text) && !couldMatch(`${pattern} *`, text)) return 'no';
  return isKnown(text) ? 'yes' : 'could be';
}

/** The rule's flags are a set, wherever they stand; its other words come in order, with options between them skipped. */
function matchFromProgram({ words: [program = ''], operands, flags }: CommandPattern, words: readonly string[]): Match {
  const [first = ''] = words;
  if (!couldMatch(program, programName(first)) && first !== program) return 'no';
  const name = isKnown(programName(first)) ? 'yes' : 'could be';
  return both(name, both(matchOperands(program, operands, words.slice(1)), matchFlags(program, flags, words)));
}

function matchFlags(program: string, wanted: FlagSet, words: readonly string[]): Match {
  if (wanted.size === 0) return 'yes';
  return hasFlags(program, wanted, words);
}

/** `git push` against `-C dir push origin`: what an option may take with it is tried both ways. */
function matchOperands(program: string, wanted: readonly string[], words: readonly string[]): Match {
  if (wanted.length === 0) return 'yes';
  let places: ReadonlyMap<number, Match> = new Map([[0, 'yes']]);
  for (const [order, word] of wanted.entries()) {
    const next = new Map<number, Match>();
    for (const [start, sofar] of places) {
      for (const [place, match] of findWord(program, { word, words, start, isSubcommand: order === 0 })) {
        const result = both(sofar, match);
        if (next.get(place + 1) !== 'yes') next.set(place + 1, result);
      }
    }
    if (next.size === 0) return 'no';
    places = next;
  }
  return [...places.values()].reduce<Match>((best, match) => (best === 'yes' || match === 'yes' ? 'yes' : match), 'no');
}

interface WordSearch {
  word: string;
  words: readonly string[];
  start: number;
  isSubcommand: boolean;
}

function findWord(program: string, { word, words, start, isSubcommand }: WordSearch): Map<number, Match> {
  const found = new Map<number, Match>();
  const pending = [start];
  const seen = new Set<number>();
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const other = words[at];
    if (other === undefined || seen.has(at)) continue;
    seen.add(at);
    if (other.includes(SPREAD)) {
      found.set(at, 'could be');
      continue;
    }
    if (couldMatch(word, other)) found.set(at, isKnown(other) ? 'yes' : 'could be');
    else if (isSubcommand && isPossibleAlias(program, other)) found.set(at, 'could be');
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
    if (programName(words[from] ?? '') !== program) continue;
    places += 1;
    if (places > MAX_PLACES) return { match: 'could be', from };
    if (matchFromProgram(pattern, words.slice(from)) !== 'no') return { match: 'could be', from };
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
