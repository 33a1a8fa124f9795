import { isWithin, WORKSPACE } from '../paths/call-path.js';
import { resolvePath } from '../paths/resolve-path.js';
import { isKnown } from '../text/marks.js';
import { ownEntry } from '../text/own-entry.js';
import { sedCommands } from './layers/sed-commands.js';
import { readSed } from './layers/sed-scripts.js';
import { programName } from './programs/program-name.js';
import { namesOf } from './programs/program-names.js';
import { optionValues, readOptions, valueIn } from './programs/program-options.js';
import type { ShellCommand } from './syntax/shell-command.js';
import { mayBringFlags, maySpread } from './unknown-words.js';
import { hasWritingOptions, writingOptions } from './writing-options.js';

/** Variables that may be set in front of an allowed command: they choose a mode, never a program or a library. */
const HARMLESS_VARIABLES = new Set(
  `CI NODE_ENV DEBUG FORCE_COLOR NO_COLOR TERM COLUMNS LANG LC_ALL TZ CGO_ENABLED GOOS GOARCH RUST_BACKTRACE RUST_LOG
  RAILS_ENV RACK_ENV APP_ENV ENVIRONMENT VERBOSE PORT HOST LOG_LEVEL DATABASE_URL TEST`.split(/\s+/),
);
/** Variables that decide what later commands run, however they are set: they may be in the environment already. */
const STEERING_VARIABLE =
  /^(?:PATH|IFS|ENV|BASH_ENV|PS\d|PROMPT_COMMAND|SHELL|HOME|CDPATH|EDITOR|VISUAL|BROWSER|.*PAGER|LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|npm_.*|NPM_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|(?:GNU)?MAKEFLAGS|MAKEFILES|GLOBIGNORE|BASHOPTS|SHELLOPTS|LESS.*|(?:TAR|GREP)_OPTIONS|.*_JAVA_OPTIONS|(?:MAVEN|GRADLE|FZF_DEFAULT)_OPTS|GO(?:FLAGS|ROOT|PATH|ENV|TOOLCHAIN)|RUSTC.*|RUSTFLAGS|(?:CARGO|PYTEST|BUNDLE|GEM|BAT|FZF|RIPGREP|DOCKER|DENO|BUN|UV|PIP|POETRY|XDG)_.*|LOCPATH|GCONV_PATH|AWK(?:LIB)?PATH|MAN(?:OPT|PATH)|VIMINIT|EXINIT|ZDOTDIR|INPUTRC|TERMINFO|KUBECONFIG)(?:\[|\+?=)/;

/**
 * Flags by which a program that only looks writes files or runs others; an exact rule is needed for those. Long ones
 * count from where GNU and git take them for the whole.
 */
const REACHING_FLAGS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-(?![XHdu])[a-zA-Z]*[oOKDcJ]|--outp|--remote-n|--conf|--dump|--cookie-j|--trace|--upload|--hsts|--alt-svc|--etag-save|--libcurl|--stderr|--engine)/,
  wget: /^(?:-[a-zA-Z]*[OoaPi]|--output|--append|--direc|--input|--use-ask|--post-f|--body-f|--save|--warc|--execute|--conf)/,
  base32: /^(?:-[A-Za-z]*o|--o)/,
  base64: /^(?:-[A-Za-z]*o|--o)/,
  date: /^(?:-(?![Idfr])[A-Za-z]*s|--s)/,
  file: /^(?:-[A-Za-z]*C|--co)/,
  hostname: /^(?:-[A-Za-z]*[Fb]|--[fb])/,
  iconv: /^(?:-[A-Za-z]*o|--o)/,
  less: /^(?:-[A-Za-z]*[oO]|--log|--LOG|\+)/,
  man: /^(?:-[A-Za-z]*[PHC]|--pager|--html|--conf)/,
  sdiff: /^(?:-[A-Za-z]*o|--o)/,
  shuf: /^(?:-[A-Za-z]*o|--o)/,
  yq: /^(?:-[A-Za-z]*[is]|--in|--split|--y)/,
  awk: /system\s*\(|\||>|@(?:load|include)\b|@\s*[A-Za-z_]\w*\s*\(|^-(?![Fv])[A-Za-z]*[fiIlodDpEW]|^--(?:f(?!ie)|i|lo|e|pr|du|d|de)/,
  cargo: /^--conf/,
  fc: /^-[a-z]*[es]/,
  history: /^-[a-z]*[wa]/,
  nm: /^(?:--?plug|@)/,
  objdump: /^(?:--?plug|@)/,
  strings: /^@/,
  mypy: /^--ins/,
  openssl: /^--?(?:engine|provider|out|keyout|CAcreateserial|CAserial|writerand|config|sess_out|msgfile|keylogfile)/,
  // What reads a file runs what is in it, as `\!` and a backtick do by themselves.
  psql: /\\(?:!|[owies](?![a-z])|ir\b|e[fv]\b|copy|g(?!x\b|desc\b)|lo_|setenv|[a-z]+[^\n]*`)|(?<!')\bprogram\s*'/i,
  ptx: /^(?:-[A-Za-z]*G|--t)/,
  sqlite3:
    /^\s*\.(?!(?:tables?|schema|indexes|indices|headers?|mode|dump|databases|show|width|stats|timer|help|version)\b)|\b(?:writefile|edit|load_extension)\s*\(|\b(?:attach|vacuum\s+into)\b|^--?(?:cmd|init|A|archive)/im,
  xmllint: /^--?(?:o$|o(?:ut|utp|utpu|utput)(?:$|=)|shell$)/,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fls|fprint0)/,
  fd: /^(?:-[A-Za-z0-9]*[xX]|--exec)/,
  git: /^(?:-c|--config-env|--exec-path|--up|--rece|--ou|-O|--op|--ext-d|--extc|--ext$|--ext=|--textc|--filters$|--exe|--conf|--templ|-x$)/,
  rg: /^--(?:pre|hostname-bin)/,
  sed: /^-[A-Za-z]*[ifs]|^--(?:i|f)/,
  sort: /^(?:-[A-Za-z]*o|--o|--co|-T|--te)/,
  tar: /^(?:-I|--to-c|--checkpoint-|--use|--rs|--rm|-F|--inf|--new-vol|(?:-[a-zA-Z]*f|--file=)?[^\s/=-][^\s/]*:)/,
  tree: /^-[A-Za-z]*[oR]/,
};

/** Operands with which a program only looks, where a further one is written or sets something. */
const LOOKED_AT: Readonly<Record<string, { most: number; like?: RegExp; values?: readonly string[] }>> = {
  date: { most: 1, like: /^\+/, values: ['-d', '--date', '-f', '--file', '-r', '--reference'] },
  hostname: { most: 0 },
  uniq: { most: 1, values: ['-f', '-s', '-w', '--skip-fields', '--skip-chars', '--check-chars'] },
  xxd: { most: 1, values: ['-c', '-cols', '-g', '-groupsize', '-l', '-len', '-n', '-name', '-o', '-R', '-s', '-seek'] },
};

/** Commands of a `sed` script that write a file or run a program, wherever one could begin: where it is not understood. */
const REACHING_SED = /(?:^|[;{}\s/\d])[we](?:\s|$)|\/[gIMpi\d]*[we]|(?:^|[;{}!$,\d\n])\s*[weW]\s*\S/;

/** Such flags of programs that check, where a rule may name the flag itself. */
const CHANGING_FLAGS: Readonly<Record<string, RegExp>> = {
  'clang-format': /^--?i$/,
  'clang-tidy': /^--?(?:fix|export-f|load)/,
  eslint: /^(?:--fix|-o|--output-f|--cache-f|--cache-l|--rulesd)/,
  msgfmt: /^(?:-[A-Za-z]*o|--o)/,
  prettier: /^(?:-w|--w|--plug)/,
  ruff: /^(?:-o|--output-fi|--fix|--add-n)/,
};

/** By which a program that runs what a project says runs something else, before a `--`. */
const RUNNING_WORDS: Readonly<Record<string, RegExp>> = {
  make: /^[^-=][^=]*=[\s\S]*(?:\$[({]|`)|^\w+\s*:*!=/,
  npm: /^--(?:script-s|shell|node-o|userc|globalc|git(?:$|=)|edit|view)/,
  pnpm: /^--(?:script-s|shell|node-o|userc|globalc|config)/,
};

/** Options that name where such a program finds what it runs. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  cargo: ['--manifest-path'],
  jest: ['--rootDir', '--config', '-c'],
  mvn: ['-f', '--file'],
  pytest: ['--rootdir', '--confcutdir', '-c', '--config-file'],
  tox: ['-c', '--conf', '--root', '--workdir'],
  vitest: ['-r', '--root', '--dir', '-c', '--config'],
};
/** Words before the program that it runs by way of: `npx`, `pnpm exec`. */
const MAX_BEFORE = 3;

const LIMITED: ReadonlySet<string> = new Set([REACHING_FLAGS, CHANGING_FLAGS].flatMap((table) => Object.keys(table)));

const FREE_BUILTINS = new Set([
  ':',
  'true',
  'false',
  'test',
  '[',
  'echo',
  'printf',
  'pwd',
  'exit',
  'return',
  'break',
  'continue',
  'wait',
  'shift',
  'local',
  'read',
]);

/** Whether a command needs no allow rule: it does nothing outside the shell. */
export function isFree({ words, directories }: ShellCommand): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return true;
  if (FREE_BUILTINS.has(first)) return first !== 'printf' || !rest.some((word) => word.startsWith('-v'));
  if (first === 'command') return /^-[vV]/.test(rest[0] ?? '');
  // `-a` gives every variable from there on to programs.
  if (first === 'set') return rest.every((word) => /^[-+][b-jl-z]+$|^pipefail$/.test(word));
  const [target = '/'] = rest;
  if (first !== 'cd' || rest.length !== 1 || /^[/~-]/.test(target) || !isKnown(target)) return false;
  // Up again, but not out.
  return (
    !/(?:^|\/)\.\.(?:\/|$)/.test(target) || directories.every((from) => isWithin(WORKSPACE, resolvePath(from, target)))
  );
}

/** Whether an assignment decides what later commands run. */
export function steersPrograms(assignment: string): boolean {
  return STEERING_VARIABLE.test(assignment);
}

/**
 * Whether a prefix rule may allow it: no variable or flag turns it into something else. An option that changes files is
 * covered by a rule that names it.
 */
export function isWithinLimits(command: ShellCommand, named: readonly string[] = []): boolean {
  const { words, assignments } = command;
  const [first = '', ...rest] = words;
  if (words.length === 0) return !assignments.some(steersPrograms);
  if (!assignments.every((assignment) => HARMLESS_VARIABLES.has(assignment.replace(/[+[=][\s\S]*$/, '')))) return false;
  const typed = programName(first);
  const program = namesOf(typed).find((name) => LIMITED.has(name) || Object.hasOwn(LOOKED_AT, name)) ?? typed;
  const flags = ownEntry(REACHING_FLAGS, program);
  if (flags !== undefined && rest.some((word) => flags.test(word))) return false;
  const changing = ownEntry(CHANGING_FLAGS, program);
  if (changing !== undefined && rest.some((word) => changing.test(word) && !named.includes(word))) return false;
  if ((LIMITED.has(program) || hasWritingOptions(program)) && mayBringFlags(program, rest)) return false;
  if (writingOptions(command)?.every((option) => named.includes(option)) !== true) return false;
  if (!onlyLooksAt(program, rest)) return false;
  if (program === 'awk' && hasUnknownCode(rest)) return false;
  if (runsElse(program, rest) || leadsOut(command)) return false;
  if (program === 'curl' && optionValues(rest, /^(?:-[a-zA-Z]*w|--write-out)$/, ['--write-out']).some(writesOut))
    return false;
  return program !== 'sed' || !readSed(rest).scripts.some(reaches);
}

/**
 * Whether a wrapper does nothing but run what is inside it: `time -o file` writes one, and by the name that `exec -a rm`
 * gives it, a program that is many becomes another one.
 */
export function isWithinWrapperLimits(command: ShellCommand): boolean {
  const { words } = command;
  if (!isWithinLimits({ ...command, words: [] }) || renames(words)) return false;
  if (!/^g?time$/.test(programName(words[0] ?? ''))) return true;
  for (let index = 1; words[index]?.startsWith('-') === true; index += 1) {
    const word = words[index] ?? '';
    if (!isKnown(word) || /^(?:-[a-zA-Z]*o|--o)/.test(word)) return false;
    if (/^(?:-f|--f\w*)$/.test(word)) index += 1;
  }
  return true;
}

function renames([first = '', ...rest]: readonly string[]): boolean {
  const flag = { exec: /^-[cl]*a/, env: /^(?:-[0iv]*a|--a)/ }[programName(first).replace(/^genv$/, 'env')];
  if (flag === undefined) return false;
  const end = rest.findIndex((word) => word !== '' && !word.startsWith('-'));
  return rest.slice(0, end === -1 ? rest.length : end).some((word) => flag.test(word));
}

/** `%output{file}`, and a format in a file. */
function writesOut(format: string): boolean {
  return format.startsWith('@') || format.includes('%output') || !isKnown(format);
}

function runsElse(program: string, words: readonly string[]): boolean {
  const running = ownEntry(RUNNING_WORDS, /^g?make$/.test(program) ? 'make' : program);
  if (running === undefined) return false;
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? words.length : end).some((word) => running.test(word));
}

/** Whether it is told to run what stands outside the directory where it is. */
function leadsOut({ words }: ShellCommand): boolean {
  const names = words.slice(0, MAX_BEFORE + 1).map(programName);
  const at = names.findIndex((name) => Object.hasOwn(PLACES, name));
  const options = ownEntry(PLACES, names[at] ?? '');
  if (options === undefined) return false;
  return words.slice(at + 1).some((word, index) => {
    const taken = word.startsWith('-') ? valueIn(word, options) : undefined;
    if (taken === undefined) return false;
    const place = taken.value ?? words[at + index + 2] ?? '';
    return !isKnown(place) || /^=?[/~]|(?:^=?|\/)\.\.(?:\/|$)/.test(place);
  });
}

/** The program of `awk`, its first operand, is not known in full. */
function hasUnknownCode(words: readonly string[]): boolean {
  const { operands } = readOptions({ operands: 'data', data: ['-F', '-v', '--assign', '--field-separator'] }, words);
  return !isKnown(operands[0] ?? '');
}

/** An unquoted expansion and a pattern may be more operands than one. */
function onlyLooksAt(program: string, words: readonly string[]): boolean {
  const looked = ownEntry(LOOKED_AT, program);
  if (looked === undefined) return true;
  const { operands } = readOptions({ operands: 'data', data: looked.values ?? [] }, words);
  if (operands.length > looked.most || words.some(maySpread)) return false;
  return operands.every((word) => looked.like?.test(word) !== false);
}

/** What is not known of a script could be anything. */
function reaches(script: string): boolean {
  if (!isKnown(script)) return true;
  const commands = sedCommands(script);
  return commands === undefined ? REACHING_SED.test(script) : commands.some(({ kind }) => kind !== 'read');
}

/** Whether a redirect writes nothing that is kept. */
export function isHarmlessTarget(target: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target);
}
