import { HOLE, isKnown, SPREAD } from '../../text/marks.js';
import { ownEntry } from '../../text/own-entry.js';
import { valueIn } from '../programs/program-options.js';
import { globalOptionWidth } from '../programs/program-table.js';
import type { RawCommand } from '../syntax/shell-command.js';
import type { ShellWord } from '../syntax/shell-syntax.js';
import { joined, known, type Layer, type NestedScript, runsScript, UNKNOWN } from './layer.js';
import { WRAPPERS, type WrapperSpec } from './wrappers.js';

const CORE_PROGRAM = /^--coreutils-prog(?:-shebang)?=/;

/** `coreutils --coreutils-prog=rm x` is `coreutils rm x`. */
function named(program: string, words: readonly ShellWord[]): readonly ShellWord[] {
  if (program !== 'coreutils') return words;
  return words.map((word) => ({ ...word, text: word.text.replace(CORE_PROGRAM, '') }));
}

/** A program of the table, called so that it runs another. */
export function wrapperLayer(program: string, words: readonly ShellWord[], command: RawCommand): Layer | undefined {
  for (const spec of WRAPPERS.get(program) ?? []) {
    if (spec.needs !== undefined && !words.some(({ text }) => spec.needs?.test(text) === true)) continue;
    const rest = afterSubcommand(program, spec.subcommand ?? [], named(program, words));
    if (rest !== undefined) return applySpec(spec, rest, command);
  }
  return undefined;
}

const ENV_VALUES = ['-S', '--split-string', '-C', '--chdir', '-u', '--unset', '-a', '--argv0'];

/** `env [options] [NAME=value…] command`, or a text to split. */
export function envLayer(words: readonly ShellWord[], { stdin }: RawCommand): Layer | undefined {
  const assignments: string[] = [];
  let directory: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]?.text ?? '';
    const taken = word.startsWith('-') ? valueIn(word, ENV_VALUES) : undefined;
    if (taken !== undefined) {
      const value = taken.value ?? words[++index]?.text ?? '';
      if (/^-S|^--s/.test(taken.option)) {
        // What comes out is read as words of `env` again, options and all.
        const texts = ['env', value, ...words.slice(index + 1).map(({ text }) => text)];
        return { scripts: [{ text: known(texts.join(' ').trim()) }] };
      }
      if (/^-C|^--c/.test(taken.option)) directory = value;
    } else if (/^[^=-][^=]*=/.test(word) && isKnown(word.replace(/=[\s\S]*$/, ''))) assignments.push(word);
    // Only options end at `--`; assignments may still follow.
    else if (word !== '--' && !word.startsWith('-')) {
      const layer = runs(words.slice(index), { transparent: true, stdin, assignments });
      const placed = directory === undefined ? layer : { ...layer, directory };
      // bash takes such a variable for a function that it was given.
      return assignments.some((text) => text.startsWith('BASH_FUNC_'))
        ? { ...placed, scripts: UNKNOWN.scripts }
        : placed;
    }
  }
  return undefined;
}

function afterSubcommand(
  program: string,
  subcommand: readonly string[],
  words: readonly ShellWord[],
): readonly ShellWord[] | undefined {
  let rest = words;
  for (const wanted of subcommand) {
    const at = placeOf(program, wanted, rest);
    if (at === undefined) return undefined;
    rest = rest.slice(at + 1);
  }
  return rest;
}

/** Behind options, which may take the next word with them: both are tried where it is not known. */
function placeOf(program: string, wanted: string, words: readonly ShellWord[]): number | undefined {
  const pending = [0];
  const seen = new Set<number>();
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const text = words[at]?.text;
    if (text === undefined || seen.has(at)) continue;
    seen.add(at);
    if (text === wanted) return at;
    if (text.startsWith('-')) for (const width of globalOptionWidth(program, text)) pending.push(at + width);
  }
  return undefined;
}

function applySpec(spec: WrapperSpec, words: readonly ShellWord[], { stdin }: RawCommand): Layer | undefined {
  const scripts: NestedScript[] = [];
  const assignments: string[] = [];
  const takers = [
    ...(spec.script ?? []),
    ...Object.keys(spec.words ?? {}),
    ...(spec.directory ?? []),
    ...(spec.valueOptions ?? []),
  ];
  let directory: string | undefined;
  let operands = spec.operands ?? 0;
  const flags: string[] = [];
  let replacing: string | undefined;
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index]?.text ?? '';
    if (word.startsWith(SPREAD)) return UNKNOWN;
    if (spec.pairOptions?.includes(word) === true) index += 2;
    else if (/^-./.test(word)) {
      const taken = valueIn(word, takers);
      flags.push(word);
      const value = taken === undefined ? undefined : (taken.value ?? words[++index]?.text);
      if (taken !== undefined && spec.script?.includes(taken.option) === true) scripts.push({ text: known(value) });
      const owner = taken === undefined ? undefined : ownEntry(spec.words ?? {}, taken.option);
      if (owner !== undefined) scripts.push({ text: known(`${owner} ${value ?? ''}`) });
      if (taken !== undefined && spec.directory?.includes(taken.option) === true) directory = value;
      const inWord = [word, value ?? ''].flatMap((text) => spec.directoryIn?.exec(text)?.[1] ?? [])[0];
      if (inWord !== undefined) directory = inWord;
      if (spec.replaces === true) replacing = replacementIn(word, value) ?? replacing;
    } else if (spec.assignments === true && /^\w+=/.test(word)) assignments.push(word);
    else if (operands > 0) operands -= 1;
    else break;
  }
  if (spec.afterDashes !== undefined) {
    const { afterDashes } = spec;
    const dashes = words.findIndex(({ text }) => (afterDashes === true ? text === '--' : afterDashes.test(text)));
    index = dashes === -1 ? words.length : dashes + 1;
  }
  const rest = replaced(owned(spec, words, index), replacing);
  if (rest.length === 0) {
    if (scripts.length > 0) return { scripts };
    // `ssh` alone, as in `rsync -e ssh`, names no host to start one on.
    if (spec.shell?.test(flags.join(' ')) !== true || (spec.operands === 1 && operands > 0)) return undefined;
    return stdin === undefined ? UNKNOWN : runsScript(stdin);
  }
  if (spec.each === true) return { scripts: [...scripts, ...rest.map(({ text }) => ({ text: known(text) }))] };
  if (spec.joins === true) {
    // An alias of `gh` begins with `!` where it is for a shell.
    scripts.push({ text: spec.appends === true ? undefined : joined(rest)?.replace(/^!/, '') });
    return spec.elsewhere === true ? { scripts, directory: HOLE } : { scripts };
  }
  const { transparent: when } = spec;
  const transparent = when instanceof RegExp ? flags.every((flag) => when.test(flag)) : when === true;
  const last = rest.at(-1);
  const appended = spec.appends === true && last !== undefined ? [...rest, { text: SPREAD, span: last.span }] : rest;
  // `yarn exec 'rm x'`: no program has a blank in its name, but some hand their words to a shell.
  const [only] = rest;
  if (rest.length === 1 && only !== undefined && isKnown(only.text) && /\s/.test(only.text))
    scripts.push({ text: only.text, guessed: true });
  const layer = { ...runs(appended, { transparent, stdin, assignments }), scripts };
  return directory === undefined ? layer : { ...layer, directory };
}

/** The text in whose place `xargs -I text`, `-i`, `--replace` puts what it reads. */
function replacementIn(word: string, value: string | undefined): string | undefined {
  if (/^-[a-zA-Z0-9]*I/.test(word)) return value;
  const [, text] = /^(?:-[a-z0-9]*i|--rep[a-z]*=?)([\s\S]*)$/.exec(word) ?? [];
  return text === '' ? '{}' : text;
}

function replaced(words: readonly ShellWord[], text: string | undefined): readonly ShellWord[] {
  if (text === undefined || text === '') return words;
  return words.map((word) => ({ ...word, text: word.text.replaceAll(text, HOLE) }));
}

/** The words from there on, with the program they are of in front. */
function owned({ program }: WrapperSpec, words: readonly ShellWord[], index: number): readonly ShellWord[] {
  const rest = words.slice(index);
  const span = words[Math.min(index, words.length - 1)]?.span;
  return program === undefined || span === undefined ? rest : [{ text: program, span }, ...rest];
}

interface RunOptions {
  transparent: boolean;
  stdin: string | undefined;
  assignments: readonly string[];
}

function runs(words: readonly ShellWord[], { transparent, stdin, assignments }: RunOptions): Layer {
  return { scripts: [], transparent, inner: [{ words, assignments, ...(stdin === undefined ? {} : { stdin }) }] };
}
