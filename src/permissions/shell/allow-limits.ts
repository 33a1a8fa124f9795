import { GLOB, isKnown, SPREAD } from '../marks.js';
import { isWithin, WORKSPACE } from '../paths/call-path.js';
import { resolvePath } from '../paths/resolve-path.js';
import { programName } from './program-name.js';
import { readOptions } from './program-options.js';
import { sedCommands } from './sed-commands.js';
import { readSed } from './sed-scripts.js';
import type { ShellCommand } from './shell-command.js';

/** Variables that may be set in front of an allowed command: they choose a mode, never a program or a library. */
const HARMLESS_VARIABLES = new Set(
  `CI NODE_ENV DEBUG FORCE_COLOR NO_COLOR TERM COLUMNS LANG LC_ALL TZ CGO_ENABLED GOOS GOARCH RUST_BACKTRACE RUST_LOG
  RAILS_ENV RACK_ENV APP_ENV ENVIRONMENT VERBOSE PORT HOST LOG_LEVEL DATABASE_URL TEST`.split(/\s+/),
);
/** Variables that decide what later commands run, however they are set. */
const STEERING_VARIABLE =
  /^(?:PATH|IFS|ENV|BASH_ENV|PS\d|PROMPT_COMMAND|SHELL|HOME|CDPATH|EDITOR|VISUAL|BROWSER|.*PAGER|LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|npm_.*|NPM_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|MAKEFLAGS|GLOBIGNORE|BASHOPTS|SHELLOPTS)(?:\[|\+?=)/;

/**
 * Flags by which a program that only looks writes files or runs others; an exact rule is needed for those. Long ones
 * count from where GNU and git take them for the whole.
 */
const REACHING_FLAGS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-(?![XHdu])[a-zA-Z]*[oOKDcJ]|--outp|--remote-n|--conf|--dump|--cookie-j|--trace|--upload|--hsts|--alt-svc|--etag-save|--libcurl|--stderr)/,
  wget: /^(?:-[a-zA-Z]*[OoaPi]|--output|--append|--direc|--input|--use-ask|--post-f|--body-f|--save|--warc|--execute|--conf)/,
  base32: /^(?:-[A-Za-z]*o|--o)/,
  base64: /^(?:-[A-Za-z]*o|--o)/,
  date: /^(?:-(?![Idfr])[A-Za-z]*s|--s)/,
  file: /^(?:-[A-Za-z]*C|--co)/,
  hostname: /^(?:-[A-Za-z]*[Fb]|--[fb])/,
  iconv: /^(?:-[A-Za-z]*o|--o)/,
  less: /^(?:-[A-Za-z]*[oO]|--log|--LOG|\+)/,
  man: /^(?:-[A-Za-z]*[PH]|--pager|--html)/,
  sdiff: /^(?:-[A-Za-z]*o|--o)/,
  shuf: /^(?:-[A-Za-z]*o|--o)/,
  yq: /^(?:-[A-Za-z]*[is]|--in|--split|--y)/,
  awk: /system\s*\(|\||>|-i\b/,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fls|fprint0)/,
  fd: /^(?:-[A-Za-z0-9]*[xX]|--exec)/,
  git: /^(?:-c|--config-env|--exec-path|--up|--rece|--ou|-O|--op|--ext-d|--extc|--ext$|--ext=|--textc|--exe|--conf|--templ|-x$)/,
  grep: /^--(?:include-from)$/,
  rg: /^--(?:pre|hostname-bin)/,
  sed: /^-[A-Za-z]*[ifs]|^--(?:i|f)/,
  sort: /^(?:-[A-Za-z]*o|--o|--co|-T|--te)/,
  tar: /^(?:-I|--to-c|--checkpoint-|--use|--rs|--rm|-F|--inf|--new-vol)/,
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

/** Whose operands people take from elsewhere, and whose flags reach only by some configuration. */
const NO_MORE_WORDS = new Set(['grep', 'git']);

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
  if (first === 'set') return rest.every((word) => /^[-+][a-z]+$|^pipefail$/.test(word));
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

/** Whether a prefix rule may allow it: no variable or flag turns it into something else. */
export function isWithinLimits({ words, assignments }: ShellCommand): boolean {
  if (words.length === 0) return assignments.every((assignment) => !STEERING_VARIABLE.test(assignment));
  if (!assignments.every((assignment) => HARMLESS_VARIABLES.has(assignment.replace(/[+[=][\s\S]*$/, '')))) return false;
  const program = programName(words[0] ?? '');
  const flags = REACHING_FLAGS[program];
  if (flags !== undefined && words.slice(1).some((word) => flags.test(word))) return false;
  if (flags !== undefined && !NO_MORE_WORDS.has(program) && mayBringFlags(words)) return false;
  if (!onlyLooksAt(program, words.slice(1))) return false;
  return program !== 'sed' || !readSed(words.slice(1)).scripts.some(reaches);
}

/** What `xargs` appends, an unquoted variable and a pattern may begin with a dash, unless something stands before it. */
function mayBringFlags(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).some((word) => word.startsWith(SPREAD) || word.startsWith(GLOB));
}

/** An unquoted expansion may be more operands than one. */
function onlyLooksAt(program: string, words: readonly string[]): boolean {
  const looked = Object.hasOwn(LOOKED_AT, program) ? LOOKED_AT[program] : undefined;
  if (looked === undefined) return true;
  const { operands } = readOptions({ operands: 'data', data: looked.values ?? [] }, words);
  if (operands.length > looked.most || words.some((word) => word.includes(SPREAD))) return false;
  return operands.every((word) => looked.like?.test(word) !== false);
}

/** What is not known of a script could be anything. */
function reaches(script: string): boolean {
  const commands = isKnown(script) ? sedCommands(script) : undefined;
  return commands === undefined ? REACHING_SED.test(script) : commands.some(({ kind }) => kind !== 'read');
}

/** Whether a redirect writes nothing that is kept. */
export function isHarmlessTarget(target: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target);
}
