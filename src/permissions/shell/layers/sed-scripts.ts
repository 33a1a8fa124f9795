import { isKnown } from '../../text/marks.js';
import type { ProgramEffects } from '../programs/program-effects.js';
import { readOptions } from '../programs/program-options.js';
import type { Layer } from './layer.js';
import { type SedCommand, sedCommands } from './sed-commands.js';

const EFFECTS: ProgramEffects = {
  operands: 'pattern',
  data: ['-e', '--expression', '-l', '--line-length'],
  reads: ['-f', '--file'],
};
const GIVES_SCRIPT = /^-(?:[a-zA-Z]*[ef]|-e|-fi)/;
/** What may stand before a command of a script: an address may end in another character than `/`. */
const BEFORE = '(?:^|[;{}!$\\d\\n]|[/,|#%@:][IM]*)[ \\t]*';
/** `e command` runs the command, `e` alone what was read. */
const RUNS = new RegExp(`${BEFORE}e(?:[ \\t]+([^\\n]*)|[ \\t]*(?:$|[;}\\n]))`, 'g');
/** `s/…/…/e` runs what the line has become. */
const RUNS_RESULT = new RegExp(
  `${BEFORE}s([^\\s\\w\\\\])(?:\\\\[\\s\\S]|(?!\\1)[^\\\\]){0,2000}\\1(?:\\\\[\\s\\S]|(?!\\1)[^\\\\]){0,2000}\\1[gpIiMm\\d]*e`,
);

/** `w file` and `r file`, and `s/…/…/w file`. */
const FILES = /(?:^|[;}\s/\d$,!])([wWrR])\s*([^\s;}][^\n;}]*)/g;

/** A `sed` command line taken apart. */
export interface SedWords {
  scripts: readonly string[];
  scriptFiles: readonly string[];
  files: readonly string[];
}

export function readSed(words: readonly string[]): SedWords {
  const { operands, values, flags } = readOptions(EFFECTS, words);
  const given = flags.some((flag) => GIVES_SCRIPT.test(flag));
  const valuesOf = (short: string, long: string) =>
    values.filter(({ option }) => option === short || option === long).map(({ value }) => value);
  return {
    scripts: [...valuesOf('-e', '--expression'), ...(given ? [] : operands.slice(0, 1))],
    scriptFiles: valuesOf('-f', '--file'),
    files: given ? operands : operands.slice(1),
  };
}

/** What a script of `sed` runs, as GNU's does. */
export function sedLayer(words: readonly string[]): Layer | undefined {
  const scripts = readSed(words).scripts.filter(isKnown);
  const commands = scripts.flatMap(reachesOf).flatMap(({ kind, argument }) => (kind === 'run' ? [argument] : []));
  if (commands.length === 0) return undefined;
  return { scripts: commands.map((text) => ({ text, guessed: text !== undefined })) };
}

/** What a script reads, writes and runs, or could where it is not understood. */
export function reachesOf(script: string): SedCommand[] {
  return sedCommands(script) ?? guessed(script);
}

function guessed(script: string): SedCommand[] {
  const files = [...script.matchAll(FILES)].map(
    ([, letter = '', file = '']): SedCommand => ({
      kind: letter.toLowerCase() === 'w' ? 'write' : 'read',
      argument: file.trim(),
    }),
  );
  const runs = [...script.matchAll(RUNS)].map(
    ([, argument]): SedCommand => (argument === undefined ? { kind: 'run' } : { kind: 'run', argument }),
  );
  return [...files, ...runs, ...(RUNS_RESULT.test(script) ? [{ kind: 'run' } as const] : [])];
}
