import { HOLE, isKnown } from '../../text/marks.js';
import { readsCode } from '../layers/inline-code.js';
import { isJustMade } from '../layers/program-file-layer.js';
import type { ShellCommand } from '../syntax/shell-command.js';
import { changedOperands, codeOperands } from './code-operands.js';
import { codeTouches } from './code-touches.js';
import { read, type TouchedWord, written, writtenIn } from './touched-word.js';

/** Programs whose source text can take in other files. */
const INCLUDING =
  /^(?:(?:[\w.-]+-)?(?:gcc|g\+\+|clang|clang\+\+|cpp|cc|c\+\+|as)(?:-[\d.]+)?|tcc|nasm|yasm|m4|gfortran)$/;
/** Programs that take commands which read files. */
const COMMANDED: ReadonlySet<string> = new Set(
  `sqlite sqlite3 psql mysql mariadb duckdb ed red ex vi vim nvim view gvim emacs gnuplot bc dc gdb
  lldb octave R tclsh expect yq lftp ftp sftp ncftp smbclient tmux screen`.split(/\s+/),
);
/** Their commands that write what they name, or change directory to write in it. */
const WRITES_IN_COMMANDS =
  /(?:^|[\s:.\\;|%$,+\d])(?:w(?:q|rite|riteto)?!?|sav\w*!?|up(?:date)?|o|out(?:put|file)?|dumpfile|once|backup|clone|log(?:ging|file)?|l?cd|vacuum|attach|tee|copy|dump|append|restore|set|m?get|mirror|generate\S*|gcore|export|save\S*|t|puts|open|file|sink)(?:[\s(]|$)|writefile|write-|>/i;
/** Between these the names of files stand in most languages. */
const SEPARATORS = /[\s"'`()<>[\]{};,=|&+]+/;
const FILES_OF_COMPILERS = /\.(?:[chisSmM]|cc|cpp|cxx|c\+\+|hh|hpp|o|a|so|asm|mm|f\d*|m4)$/i;

/** The files that code names: on a program's standard input, or as a text of commands among its words. */
export function sourceTouches(program: string, words: readonly string[], command: ShellCommand): TouchedWord[] {
  const including = INCLUDING.test(program);
  const commanded = COMMANDED.has(program);
  const includes = including && readsSource(program, words);
  const inWords = commanded ? words.filter((word) => /^\+|[\s(]/.test(word)) : [];
  const glued = including ? words.flatMap((word) => /^-(?:include|imacros)(.+)$/.exec(word)?.[1] ?? []) : [];
  return [
    ...glued.map((word) => read(word)),
    ...inWords.flatMap(commandedIn),
    ...stdinTouches(command, { program, words, includes, commanded }),
  ];
}

interface SourceReader {
  program: string;
  words: readonly string[];
  includes: boolean;
  commanded: boolean;
}

function stdinTouches(
  { stdin, redirects }: ShellCommand,
  { program, words, includes, commanded }: SourceReader,
): TouchedWord[] {
  if (stdin === undefined) {
    const isFile = redirects.some(({ kind, target }) => kind === 'read' && isKnown(target));
    return includes && !isFile ? [read(HOLE)] : [];
  }
  if (includes && !isKnown(stdin)) return [read(HOLE)];
  if (readsCode(program, words)) {
    const operands = words.filter((word) => word !== '-');
    const opened = codeOperands(program, operands, [stdin]);
    return [
      ...codeTouches(stdin),
      ...opened.map((word) => read(word)),
      ...changedOperands([stdin], opened).map((word) => written(word)),
    ];
  }
  if (commanded) return commandedIn(stdin);
  return INCLUDING.test(program) ? namesIn(stdin) : [];
}

/** What the commands of such a text read, and write where one of them does. */
function commandedIn(text: string): TouchedWord[] {
  const names = namesIn(text);
  const writes = WRITES_IN_COMMANDS.test(text.replace(/\\n/g, '\n'));
  return writes ? [...names, ...names.map(({ word }) => writtenIn(word, { perhaps: true }))] : names;
}

function namesIn(text: string): TouchedWord[] {
  const names = new Set(text.replace(/\\n/g, '\n').split(SEPARATORS));
  return [...names].filter((name) => name !== '').map((name) => read(name, { perhaps: true }));
}

/** Its source is on its standard input: `-`, or for those that need none, no file. */
function readsSource(program: string, words: readonly string[]): boolean {
  if (words.includes('-') || words.some((word, index) => isJustMade(word) && words[index - 1] !== '-o')) return true;
  if (!/(?:^|-)(?:as|m4|cpp)$/.test(program)) return false;
  return (
    !words.some((word) => !word.startsWith('-') && (program === 'm4' || FILES_OF_COMPILERS.test(word))) &&
    !words.includes('--version')
  );
}
