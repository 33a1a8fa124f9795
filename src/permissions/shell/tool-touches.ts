import { CHANGING_OPTION, isOutputOption, type ToolEffects, toolEffectsOf } from './tool-effects.js';
import { type TouchedWord, written } from './touched-word.js';

const UNKNOWN_TOOL: ToolEffects = { changes: CHANGING_OPTION };

/** What a program that is no plain file tool writes: what its options name, and what its subcommand makes. */
export function toolTouches(program: string, words: readonly string[]): TouchedWord[] {
  const effects = toolEffectsOf(program);
  const { makes, last, changes, here } = effects ?? UNKNOWN_TOOL;
  const named = words.flatMap((word, index) => optionTouches(effects, word, words[index + 1]));
  const { subcommand, rest } = subcommandOf(program, words);
  const made = makes?.test(subcommand) === true;
  const changed = changes !== undefined && words.some((word) => changes.test(word));
  const operands = (made && subcommand !== '' && !matchesEmpty(makes) ? rest : words).filter(isOperand);
  return [
    ...named,
    ...(made || changed
      ? (last === true ? operands.slice(-1) : operands).map((word) => written(word, { perhaps: effects === undefined }))
      : []),
    ...(here?.test(subcommand) === true ? [written('.')] : []),
  ];
}

function optionTouches(effects: ToolEffects | undefined, word: string, next: string | undefined): TouchedWord[] {
  if (!word.startsWith('-') || word === '-') return [];
  for (const option of effects?.writes ?? []) {
    const value = valueIn(option, word, next);
    if (value !== undefined) return [written(value)];
  }
  const equals = word.indexOf('=');
  if (!isOutputOption(equals === -1 ? word : word.slice(0, equals))) return [];
  const value = equals === -1 ? next : word.slice(equals + 1);
  return value === undefined ? [] : [written(value, { perhaps: true })];
}

/** `--out x`, `--out=x`, `-o x`, `-ox`, `-qo x`. */
function valueIn(option: string, word: string, next: string | undefined): string | undefined {
  if (word === option) return next;
  if (word.startsWith(`${option}=`)) return word.slice(option.length + 1);
  if (option.length !== 2 || word.startsWith('--')) return undefined;
  if (word.startsWith(option)) return word.slice(2);
  return word.length <= 5 && word.endsWith(option.charAt(1)) && /^-[a-zA-Z]+$/.test(word) ? next : undefined;
}

/** `python -m venv` has the module for one. */
function subcommandOf(program: string, words: readonly string[]): { subcommand: string; rest: readonly string[] } {
  const module = /^(?:python|pypy)/.test(program) ? words.indexOf('-m') + 1 : undefined;
  if (module === 0) return { subcommand: '', rest: words };
  const at = module ?? words.findIndex((word, index) => isOperand(word) && !isOption(words[index - 1]));
  return at === -1 ? { subcommand: '', rest: [] } : { subcommand: words[at] ?? '', rest: words.slice(at + 1) };
}

function isOption(word: string | undefined): boolean {
  return word?.startsWith('-') === true && isOutputOption(word);
}

function isOperand(word: string): boolean {
  return !word.startsWith('-');
}

/** It asks for no subcommand. */
function matchesEmpty(makes: RegExp | undefined): boolean {
  return makes?.test('') === true;
}
