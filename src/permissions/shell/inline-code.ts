import { isKnown } from '../marks.js';
import type { Layer, NestedScript } from './layer.js';
import type { ShellWord } from './shell-syntax.js';

/** By program, the options whose value is code. */
const CODE_OPTIONS: Readonly<Record<string, RegExp>> = {
  node: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  nodejs: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  bun: /^(?:-[ep]|--eval|--print)$/,
  deno: /^eval$/,
  python: /^-[A-Za-z]*c$/,
  python2: /^-[A-Za-z]*c$/,
  python3: /^-[A-Za-z]*c$/,
  pypy3: /^-[A-Za-z]*c$/,
  perl: /^-[A-Za-z]*[eE]$/,
  ruby: /^-[A-Za-z]*e$/,
  php: /^-r$/,
  lua: /^-e$/,
};
const AWKS = /^(?:awk|gawk|mawk|nawk)$/;

/** Calls by which code of these languages runs programs. */
const RUNS_PROGRAMS =
  /child_process|\b(?:exec\w*|spawn\w*|system|popen\w*|subprocess|check_output|check_call|shell_exec|passthru|proc_open|Command|getline)\b|\bos\.|`|%x|\bqx\b|\bBun\.\$|\|/;
/** Texts that follow each other with nothing but commas and brackets between are the words of one command. */
const TEXTS = /(?:(['"`])(?:\\.|(?!\1)[^\\\n]){0,2000}\1[\s,[\]]*)+/g;
const ONE_TEXT = /(['"`])((?:\\.|(?!\1)[^\\\n]){0,2000})\1/g;

/** The option that takes code, for a program that runs another language; a version in its name does not count. */
export function codeLanguage(program: string): RegExp | undefined {
  if (Object.hasOwn(CODE_OPTIONS, program)) return CODE_OPTIONS[program];
  const name = program.replace(/[\d.]+$/, '');
  return Object.hasOwn(CODE_OPTIONS, name) ? CODE_OPTIONS[name] : undefined;
}

/** Whether a program of another language reads its code from its standard input. */
export function readsCode(program: string, words: readonly string[]): boolean {
  if (codeLanguage(program) === undefined) return false;
  const first = words.find((word) => word === '-' || !word.startsWith('-'));
  return (first === undefined || first === '-') && codeIn(program, words).length === 0;
}

/** The code of another language in a command's words. */
export function codeIn(program: string, words: readonly string[]): string[] {
  if (AWKS.test(program)) return awkPrograms(words);
  const option = codeLanguage(program);
  if (option === undefined) return [];
  return words.flatMap((word, index) => {
    const code = option.test(word) ? words[index + 1] : /^--(?:eval|print)=([\s\S]*)$/.exec(word)?.[1];
    return code === undefined ? [] : [code];
  });
}

/** Every text literal of a piece of code. */
export function textsIn(code: string): string[] {
  return [...code.matchAll(ONE_TEXT)].map((match) => withoutEscapes(match[2] ?? '')).filter((text) => text !== '');
}

/** What inline code visibly runs: each of its texts, where it has a call that runs programs. */
export function inlineCodeLayer(
  program: string,
  words: readonly ShellWord[],
  stdin: string | undefined,
): Layer | undefined {
  const texts = words.map(({ text }) => text);
  const given = codeIn(program, texts);
  const codes = (stdin !== undefined && readsCode(program, texts) ? [stdin] : given).filter(isKnown);
  const scripts = codes
    .filter((code) => RUNS_PROGRAMS.test(code))
    .flatMap((code) => [...code.matchAll(TEXTS)])
    .map(([texts]): NestedScript => ({ text: textsIn(texts).join(' '), guessed: true }));
  return scripts.length === 0 ? undefined : { scripts };
}

/** The first operand, unless a file gives the program. */
function awkPrograms(words: readonly string[]): string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (/^-f|^--file/.test(word)) return [];
    if (/^-[vF]$/.test(word)) index += 1;
    else if (!word.startsWith('-')) return [word];
  }
  return [];
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
