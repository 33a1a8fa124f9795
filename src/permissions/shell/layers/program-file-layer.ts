import { ownEntry } from '../../text/own-entry.js';
import { valueIn } from '../programs/program-options.js';
import type { ShellWord } from '../syntax/shell-syntax.js';
import { codeLanguage } from './inline-code.js';
import { type Layer, UNKNOWN } from './layer.js';
import { isDevice } from './shell-layer.js';

const AWK = ['-f', '--file', '-i', '--include', '-E', '--exec', '-l', '--load'];
const VIM = ['-S', '-u', '-s'];
/** By program, the options whose value is a file of code. */
const CODE_FILES: Readonly<Record<string, readonly string[]>> = {
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  sed: ['-f', '--file'],
  gsed: ['-f', '--file'],
  make: ['-f', '--file', '--makefile', '--include'],
  gmake: ['-f', '--file', '--makefile', '--include'],
  ninja: ['-f'],
  just: ['-f', '--justfile'],
  task: ['-t', '--taskfile'],
  at: ['-f'],
  expect: ['-f'],
  gdb: ['-x', '--command'],
  php: ['-f', '--file'],
  node: ['-r', '--require', '--import', '--experimental-loader', '--loader'],
  vim: VIM,
  nvim: VIM,
  vi: VIM,
  ex: VIM,
  emacs: ['-l', '--load', '--script'],
};
/** Beside the languages that take code in an option. */
const FIRST_OPERAND =
  /^(?:Rscript|R|tclsh|wish|expect|crontab|ts-node|tsx|deno|guile|julia|pwsh|groovy|scala|ghci|runghc|racket|osascript|elixir|erl|octave|at|batch|patchelf)$/;

/** A program whose code is in a file that was just made, such as `<(…)` or its standard input. */
export function programFileLayer(program: string, words: readonly ShellWord[]): Layer | undefined {
  const texts = words.map(({ text }) => text);
  if (program === 'run-parts') return texts.some((text) => /^--(?:test|list)$/.test(text)) ? undefined : UNKNOWN;
  const options = ownEntry(CODE_FILES, program);
  if (options !== undefined && codeFiles(options, texts).some(isJustMade)) return UNKNOWN;
  if (/^g?make$/.test(program)) return texts.some(isMakeCode) ? UNKNOWN : undefined;
  if (codeLanguage(program) === undefined && !FIRST_OPERAND.test(program)) return undefined;
  const first = texts.find((text) => !text.startsWith('-'));
  return first !== undefined && first !== '-' && isJustMade(first) ? UNKNOWN : undefined;
}

function codeFiles(options: readonly string[], words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const taken = word.startsWith('-') ? valueIn(word, options) : undefined;
    return taken === undefined ? [] : [taken.value ?? words[index + 1] ?? ''];
  });
}

/** A file that holds what was just made: a pipe, or the standard input. */
export function isJustMade(file: string): boolean {
  return file === '-' || (isDevice(file) && !/^\/dev\/(?:null|zero|stdout|stderr|u?random|tty)$/.test(file));
}

/** Makefile text, or another shell for its recipes. */
function isMakeCode(word: string): boolean {
  return /^(?:-E|--eval(?:=|$)|SHELL=(?!(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$)|\.SHELLFLAGS=|MAKEFLAGS=|MAKEFILES=)/.test(
    word,
  );
}
