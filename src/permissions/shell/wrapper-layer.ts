import { isKnown, SPREAD } from '../marks.js';
import { joined, known, type Layer, type NestedScript, UNKNOWN } from './layer.js';
import type { RawCommand } from './shell-command.js';
import type { ShellWord } from './shell-syntax.js';
import { WRAPPERS, type WrapperSpec } from './wrappers.js';

/** A program of the table, called so that it runs another. */
export function wrapperLayer(program: string, words: readonly ShellWord[], command: RawCommand): Layer | undefined {
  for (const spec of WRAPPERS.get(program) ?? []) {
    const rest = afterSubcommand(spec.subcommand ?? [], words);
    if (rest !== undefined) return applySpec(spec, rest, command);
  }
  return undefined;
}

/** `env [options] [NAME=value…] command`, or a text to split. */
export function envLayer(words: readonly ShellWord[], { stdin }: RawCommand): Layer | undefined {
  const assignments: string[] = [];
  let directory: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]?.text ?? '';
    const split = /^(?:-[a-z]*S|--split-string=?)([\s\S]*)$/.exec(word);
    if (split !== null) {
      const texts = [split[1] ?? '', ...words.slice(index + 1).map(({ text }) => text)];
      return { scripts: [{ text: known(texts.join(' ').trim()) }] };
    }
    const moved = /^--chdir=([\s\S]*)$/.exec(word)?.[1];
    if (moved !== undefined) directory = moved;
    else if (/^(?:-[a-z]*C|--chdir)$/.test(word)) directory = words[++index]?.text;
    else if (/^(?:-[a-z]*u|--unset)$/.test(word)) index += 1;
    else if (/^[^=-][^=]*=/.test(word) && isKnown(word.replace(/=[\s\S]*$/, ''))) assignments.push(word);
    // Only options end at `--`; assignments may still follow.
    else if (word !== '--' && !word.startsWith('-')) {
      const layer = runs(words.slice(index), { transparent: true, stdin, assignments });
      return directory === undefined ? layer : { ...layer, directory };
    }
  }
  return undefined;
}

function afterSubcommand(subcommand: readonly string[], words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  let rest = words;
  for (const wanted of subcommand) {
    const at = rest.findIndex(({ text }) => !text.startsWith('-'));
    if (rest[at]?.text !== wanted) return undefined;
    rest = rest.slice(at + 1);
  }
  return rest;
}

function applySpec(spec: WrapperSpec, words: readonly ShellWord[], { stdin }: RawCommand): Layer | undefined {
  const scripts: NestedScript[] = [];
  const assignments: string[] = [];
  let operands = spec.operands ?? 0;
  let flagged = false;
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index]?.text ?? '';
    if (word.startsWith(SPREAD)) return UNKNOWN;
    const script = spec.script?.find((option) => word === option || word.startsWith(`${option}=`));
    if (script !== undefined) {
      scripts.push({ text: known(word === script ? words[++index]?.text : word.slice(script.length + 1)) });
    } else if (/^-./.test(word)) {
      flagged = true;
      if (spec.valueOptions?.includes(word) === true) index += 1;
    } else if (spec.assignments === true && /^\w+=/.test(word)) assignments.push(word);
    else if (operands > 0) operands -= 1;
    else break;
  }
  const rest = words.slice(index);
  if (rest.length === 0) return scripts.length > 0 ? { scripts } : undefined;
  if (spec.joins === true) {
    scripts.push({ text: spec.appends === true ? undefined : joined(rest) });
    return { scripts };
  }
  const transparent = spec.transparent === true || (spec.transparent === 'bare' && !flagged);
  const last = rest.at(-1);
  const appended = spec.appends === true && last !== undefined ? [...rest, { text: SPREAD, span: last.span }] : rest;
  return { ...runs(appended, { transparent, stdin, assignments }), scripts };
}

interface RunOptions {
  transparent: boolean;
  stdin: string | undefined;
  assignments: readonly string[];
}

function runs(words: readonly ShellWord[], { transparent, stdin, assignments }: RunOptions): Layer {
  return { scripts: [], transparent, inner: [{ words, assignments, ...(stdin === undefined ? {} : { stdin }) }] };
}
