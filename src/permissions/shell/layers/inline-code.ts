import { isKnown } from '../../text/marks.js';
import { ownEntry } from '../../text/own-entry.js';
import type { ShellWord } from '../syntax/shell-syntax.js';
import type { Layer, NestedScript } from './layer.js';

/** By program, the options whose value is code. */
const CODE_OPTIONS: Readonly<Record<string, RegExp>> = {
  node: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  nodejs: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  bun: /^(?:-[ep]|--eval|--print)$/,
  deno: /^eval$/,
  python: /^-[A-Za-z]*c$/,
  pypy: /^-[A-Za-z]*c$/,
  perl: /^-[A-Za-z]*[eE]$/,
  ruby: /^-[A-Za-z]*e$/,
  php: /^-r$/,
  lua: /^-e$/,
  Rscript: /^-e$/,
  R: /^-e$/,
  julia: /^-[eE]$/,
  guile: /^-c$/,
  emacs: /^--?(?:eval|execute)$/,
  elixir: /^-e$/,
  groovy: /^-e$/,
  scala: /^-e$/,
  raku: /^-e$/,
  osascript: /^-e$/,
  pwsh: /^-(?:c|Command)$/i,
  tsx: /^(?:-[a-z]*[ep]|--eval|--print)$/,
  'ts-node': /^(?:-[a-z]*[ep]|--eval|--print)$/,
  jruby: /^-[A-Za-z]*e$/,
  luajit: /^-e$/,
  ipython: /^-[A-Za-z]*c$/,
  octave: /^--?eval$/,
  iex: /^(?:-e|--eval|--rpc-eval)$/,
  mix: /^(?:-e|--eval|eval)$/,
  erl: /^-eval$/,
  rails: /^(?:r|runner)$/,
  rake: /^-[eEp]$|^--execute/,
  puppet: /^(?:-e|--execute)$/,
  knife: /^(?:-E|--exec)$/,
  sqlmap: /^--eval$/,
  gimp: /^-b$|^--batch$/,
  sbcl: /^--eval$/,
  clisp: /^-x$/,
  ecl: /^(?:-eval|--eval)$/,
  racket: /^(?:-e|--eval|-[a-z]*e)$/,
  clojure: /^(?:-e|--eval)$/,
  clj: /^(?:-e|--eval)$/,
  bb: /^(?:-e|--eval)$/,
  kotlin: /^-e(?:xpression)?$/,
  ocaml: /^-e$/,
  ghc: /^-e$/,
  swift: /^-e$/,
  jrunscript: /^-e$/,
  slsh: /^-e$/,
  nim: /^--eval$/,
  nix: /^--expr$/,
  mongosh: /^--eval$/,
  mongo: /^--eval$/,
  bpftrace: /^-e$/,
};
/** And those that may have it glued on: `perl -pe1`. */
const GLUED: Readonly<Record<string, RegExp>> = {
  python: /^-(?![WXm])[A-Za-z]*?c([\s\S]+)$/,
  pypy: /^-(?![WXm])[A-Za-z]*?c([\s\S]+)$/,
  perl: /^-(?![MmI])[A-Za-z0-9]*?[eE]([\s\S]+)$/,
  ruby: /^-(?![IrEKx])[A-Za-z]*?e([\s\S]+)$/,
  php: /^-r([\s\S]+)$/,
  lua: /^-e([\s\S]+)$/,
};
/** Words and command lines that need no quotes: `qw/rm x/`, `%x(rm x)`. */
const OWN_QUOTES = /(?:\bq[qwx]?\s?|%[qQwWx])([([{</|!])/y;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };
const AWKS = /^(?:awk|gawk|mawk|nawk)$/;

/** Calls by which code of these languages runs programs. */
const RUNS_PROGRAMS =
  /child_process|\b(?:exec\w*|spawn\w*|system|popen\w*|subprocess|check_output|check_call|shell_exec|passthru|proc_open|Command|getline)\b|\bos\.|`|%x|\bqx\b|\bBun\.\$|\|/;
/** The names that languages of less use give them. */
const RUNS_IN_OTHERS =
  /\b(?:shell(?:-command)?|run(?:-program|Process)?|sh|cmd|call\w*|do shell script|sys\.process|create_process)\b|\$EXEC|(?:Sys|System)\.|os:cmd/;
const TAKES_NO_INPUT = /^(?:mix|rails|rake|nix|puppet|knife|sqlmap|ghc|bpftrace|gimp|nim|emacs)$/;
const COMMON = /^(?:node|nodejs|deno|bun|tsx|ts-node|python|pypy|perl|ruby|php|[gmn]?awk)[\d.]*$/;

/** The option that takes code, for a program that runs another language; a version in its name does not count. */
export function codeLanguage(program: string): RegExp | undefined {
  return byLanguage(CODE_OPTIONS, program);
}

function byLanguage(table: Readonly<Record<string, RegExp>>, program: string): RegExp | undefined {
  const name = Object.hasOwn(table, program) ? program : program.replace(/[\d.]+$/, '');
  return ownEntry(table, name);
}

/** Whether a program of another language reads its code from its standard input. */
export function readsCode(program: string, words: readonly string[]): boolean {
  if (codeLanguage(program) === undefined || TAKES_NO_INPUT.test(program)) return false;
  const first = words.find((word) => word === '-' || !word.startsWith('-'));
  return (first === undefined || first === '-') && codeIn(program, words).length === 0;
}

/** The code of another language in a command's words. */
export function codeIn(program: string, words: readonly string[]): string[] {
  if (AWKS.test(program)) return awkPrograms(words);
  const option = codeLanguage(program);
  if (option === undefined) return [];
  const glued = byLanguage(GLUED, program);
  return words.flatMap((word, index) => {
    const inWord = () => (glued?.exec(word) ?? /^--(?:eval|print|execute)=([\s\S]*)$/.exec(word))?.[1];
    const code = option.test(word) ? words[index + 1] : inWord();
    return code === undefined ? [] : [code];
  });
}

/** Every text literal of a piece of code. */
export function textsIn(code: string): string[] {
  return literalsOf(code).flatMap(({ text }) => (text === '' ? [] : [text]));
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
    .filter((code) => runsPrograms(code) || (!COMMON.test(program) && RUNS_IN_OTHERS.test(code)))
    .flatMap(commandsIn)
    .map((text): NestedScript => ({ text, guessed: true }));
  return scripts.length === 0 ? undefined : { scripts };
}

/** The first operand, unless a file gives the program. */
function awkPrograms(words: readonly string[]): string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (/^-[fE]|^--(?:file|exec)/.test(word)) return [];
    const given = /^(?:-e|--source=)([\s\S]+)$/.exec(word)?.[1];
    if (given !== undefined) return [given];
    if (/^(?:-e|--source)$/.test(word)) return words.slice(index + 1, index + 2);
    if (/^(?:-[vFi]|--include|--assign|--field-separator)$/.test(word)) index += 1;
    else if (!word.startsWith('-')) return [word];
  }
  return [];
}

/** Whether code has a call that runs programs. */
export function runsPrograms(code: string): boolean {
  return RUNS_PROGRAMS.test(code);
}

/** Texts that follow each other with nothing but commas and brackets between are the words of one command. */
export function commandsIn(code: string): string[] {
  const commands: string[][] = [];
  let last = -1;
  for (const { text, from, to } of literalsOf(code)) {
    const words = last !== -1 && /^[\s,[\]]*$/.test(code.slice(last, from)) ? commands.at(-1) : undefined;
    if (words === undefined) commands.push([text]);
    else words.push(text);
    last = to;
  }
  return commands.map((words) => words.filter((word) => word !== '').join(' '));
}

interface Literal {
  text: string;
  from: number;
  to: number;
}

/** By hand and in one pass: a pattern that looks for each closing quote takes the square of their number. */
function literalsOf(code: string): Literal[] {
  const found: Literal[] = [];
  const unclosed = new Map<string, number>();
  for (let from = 0; from < code.length; from += 1) {
    const quote = code.charAt(from);
    const own = quote === 'q' || quote === '%' ? ownLiteral(code, { from, unclosed }) : undefined;
    if (own !== undefined) {
      found.push(own);
      from = own.to - 1;
    }
    if (own !== undefined || !`'"\``.includes(quote) || from < (unclosed.get(quote) ?? 0)) continue;
    const { end, closed } = endOfLiteral(code, from);
    if (closed) {
      found.push({ text: withoutEscapes(code.slice(from + 1, end)), from, to: end + 1 });
      from = end;
    } else unclosed.set(quote, end);
  }
  return found;
}

function ownLiteral(
  code: string,
  { from, unclosed }: { from: number; unclosed: Map<string, number> },
): Literal | undefined {
  OWN_QUOTES.lastIndex = from;
  const [opening, bracket = ''] = OWN_QUOTES.exec(code) ?? [];
  if (opening === undefined) return undefined;
  const closing = ownEntry(CLOSING, bracket) ?? bracket;
  if (unclosed.has(closing)) return undefined;
  const start = from + opening.length;
  const end = code.indexOf(closing, start);
  if (end !== -1) return { text: code.slice(start, end), from, to: end + 1 };
  unclosed.set(closing, code.length);
  return undefined;
}

function endOfLiteral(code: string, from: number): { end: number; closed: boolean } {
  const quote = code.charAt(from);
  let at = from + 1;
  for (; at < code.length && code.charAt(at) !== '\n'; at += 1) {
    if (code.charAt(at) === quote) return { end: at, closed: true };
    if (code.charAt(at) === '\\') at += 1;
  }
  return { end: at, closed: false };
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
