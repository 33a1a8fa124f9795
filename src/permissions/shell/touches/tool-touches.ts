import { expandBraces } from '../../text/expand-braces.js';
import { HOLE } from '../../text/marks.js';
import {
  CHANGING_OPTION,
  isOutputOption,
  MAKING_SUBCOMMAND,
  type ToolEffects,
  toolEffectsOf,
} from '../programs/tool-effects.js';
import { openBrackets } from '../syntax/open-brackets.js';
import { read, type TouchedWord, writtenIn } from './touched-word.js';

const UNKNOWN_TOOL: ToolEffects = { makes: MAKING_SUBCOMMAND, changes: CHANGING_OPTION };

/** What a program that is no plain file tool writes: what its options name, and what its subcommand makes. */
export function toolTouches(program: string, words: readonly string[]): TouchedWord[] {
  const { subcommand, rest } = subcommandOf(program, words);
  // `python -m pip` is `pip`.
  if (isPython(program) && toolEffectsOf(subcommand) !== undefined) return toolTouches(subcommand, rest);
  const effects = toolEffectsOf(program);
  const named = words.flatMap((word, index) => optionTouches(effects, word, words[index + 1]));
  const here = effects?.here?.test(subcommand) === true ? [writtenIn('.')] : [];
  return [...named, ...madeBy(effects, { subcommand, rest, words }), ...here, ...mounted(program, words)];
}

interface ToolCall {
  subcommand: string;
  rest: readonly string[];
  words: readonly string[];
}

function madeBy(effects: ToolEffects | undefined, { subcommand, rest, words }: ToolCall): TouchedWord[] {
  const { makes, last, second, changes, variables } = effects ?? UNKNOWN_TOOL;
  const values = variables === true ? words.flatMap((word) => /^\w+=([\s\S]+)$/.exec(word)?.[1] ?? []) : [];
  const made = makes?.test(subcommand) === true;
  if (!made && changes?.test(words.find((word) => changes.test(word)) ?? '') !== true)
    return values.map((word) => writtenIn(word, { perhaps: true }));
  const whole = !made || makes?.test('') === true;
  const operands = (whole ? words : rest).filter(isOperand);
  const written = last === true ? operands.slice(-1) : second === true ? operands.slice(1, 2) : operands;
  const found = effects?.globs === true ? written.flatMap(foundBy) : written;
  return found.map((word) => writtenIn(word, { perhaps: effects === undefined, existing: !made }));
}

/** As the program itself expands a pattern: below where it stands, names with a leading dot too. */
function foundBy(word: string): string[] {
  if (word.startsWith('!')) return [];
  return (expandBraces(word) ?? [word]).map((one) => {
    const open = openBrackets(one).replace(/[*?]+/g, HOLE);
    return open.startsWith(HOLE) ? `./${open}` : open;
  });
}

/** `docker run -v directory:place`, `--mount src=directory`. */
function mounted(program: string, words: readonly string[]): TouchedWord[] {
  if (!/^(?:docker|podman|nerdctl)$/.test(program)) return [];
  const values = words.flatMap((word, index) => {
    if (/^(?:-v|--volume|--mount)$/.test(word)) return words[index + 1] ?? [];
    return /^(?:--volume=|--mount=|-v)([\s\S]+)$/.exec(word)?.[1] ?? [];
  });
  return values.flatMap((value) => {
    const directory = /(?:^|,)(?:src|source)=([^,]+)/.exec(value)?.[1] ?? value.split(':')[0] ?? '';
    const isRead = /(?::|,)(?:ro|readonly)(?:$|[,:])/.test(value);
    return [read(directory, { perhaps: true }), ...(isRead ? [] : [writtenIn(directory, { perhaps: true })])];
  });
}

function optionTouches(effects: ToolEffects | undefined, word: string, next: string | undefined): TouchedWord[] {
  if (!word.startsWith('-') || word === '-') return [];
  for (const option of effects?.writes ?? []) {
    const value = toolOptionValue(option, word, next);
    if (value !== undefined) return [writtenIn(value), ...afterColon(value)];
  }
  const equals = word.indexOf('=');
  if (!isOutputOption(equals === -1 ? word : word.slice(0, equals))) {
    const joined = effects === undefined ? /^-[oC]([\s\S]+)$/.exec(word)?.[1] : undefined;
    return joined === undefined ? [] : [writtenIn(joined, { perhaps: true })];
  }
  const value = equals === -1 ? next : word.slice(equals + 1);
  return value === undefined ? [] : [writtenIn(value, { perhaps: true }), ...afterColon(value)];
}

/** `--go_out=settings:directory`, `--output type=local,dest=directory`. */
function afterColon(value: string): TouchedWord[] {
  const named = /(?:^|,)dest=([^,]+)/.exec(value)?.[1];
  if (named !== undefined) return [writtenIn(named)];
  const at = value.lastIndexOf(':');
  return at === -1 ? [] : [writtenIn(value.slice(at + 1), { perhaps: true })];
}

/**
 * `--out x`, `--out=x`, `--ou=x`, `-o x`, `-ox`, `-qo x`. Not as `program-options.ts` reads them: these programs have
 * long options with one dash (`-dumpdir`).
 */
function toolOptionValue(option: string, word: string, next: string | undefined): string | undefined {
  if (word === option) return next;
  if (word.startsWith(`${option}=`)) return word.slice(option.length + 1);
  if (word.startsWith('--')) return shortened(option, word, next);
  if (option.length !== 2) return undefined;
  if (word.startsWith(option)) return word.slice(2);
  return word.length <= 5 && word.endsWith(option.charAt(1)) && /^-[a-zA-Z]+$/.test(word) ? next : undefined;
}

/** Those that are written in Python, and some others, take the beginning of a long option for all of it. */
function shortened(option: string, word: string, next: string | undefined): string | undefined {
  const [, name = '', value] = /^(--[a-z][\w-]{3,})(?:=([\s\S]*))?$/i.exec(word) ?? [];
  return name !== '' && option.startsWith(name) ? (value ?? next) : undefined;
}

/** `python -m venv` has the module for one. */
function subcommandOf(program: string, words: readonly string[]): { subcommand: string; rest: readonly string[] } {
  const module = isPython(program) ? words.indexOf('-m') + 1 : undefined;
  if (module === 0) return { subcommand: '', rest: words };
  const at = module ?? words.findIndex((word, index) => isOperand(word) && !isOption(words[index - 1]));
  return at === -1 ? { subcommand: '', rest: [] } : { subcommand: words[at] ?? '', rest: words.slice(at + 1) };
}

function isPython(program: string): boolean {
  return /^(?:python|pypy)/.test(program);
}

function isOption(word: string | undefined): boolean {
  return word?.startsWith('-') === true && isOutputOption(word);
}

function isOperand(word: string): boolean {
  return !word.startsWith('-');
}
