import { isKnown } from '../marks.js';
import { programName } from './program-name.js';
import type { ShellCommand } from './shell-command.js';

/** Variables that may be set in front of an allowed command: they choose a mode, never a program or a library. */
const HARMLESS_VARIABLES = new Set(
  `CI NODE_ENV DEBUG FORCE_COLOR NO_COLOR TERM COLUMNS LANG LC_ALL TZ CGO_ENABLED GOOS GOARCH RUST_BACKTRACE RUST_LOG
  RAILS_ENV RACK_ENV APP_ENV ENVIRONMENT VERBOSE PORT HOST LOG_LEVEL DATABASE_URL TEST`.split(/\s+/),
);
/** Variables that decide what later commands run, however they are set. */
const STEERING_VARIABLE =
  /^(?:PATH|IFS|ENV|BASH_ENV|PS\d|PROMPT_COMMAND|SHELL|HOME|CDPATH|EDITOR|VISUAL|BROWSER|.*PAGER|LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|npm_.*|NPM_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|MAKEFLAGS|GLOBIGNORE|BASHOPTS|SHELLOPTS)(?:\[|\+?=)/;

/** Flags by which a program that only looks writes files or runs others; an exact rule is needed for those. */
const REACHING_FLAGS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-(?![XHdu])[a-zA-Z]*[oOKDcJ]|--output|--remote-name|--config|--dump-header|--cookie-jar|--trace|--upload-file)/,
  wget: /^(?:-[a-zA-Z]*[OoaPi]|--output|--directory-prefix|--input-file|--use-askpass|--post-file|--body-file)/,
  awk: /system\s*\(|\||>|-i\b/,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fls|fprint0)/,
  fd: /^(?:-x|-X|--exec)/,
  git: /^(?:-c|--config-env|--exec-path|--upload-pack|--receive-pack|--output|-O|--open-files-in-pager|--ext-diff|--textconv|--exec|-x$)/,
  grep: /^--(?:include-from)$/,
  rg: /^--(?:pre|hostname-bin)/,
  sed: /^-[A-Za-z]*[ifs]|^--(?:in-place|file)|(?:^|[;}\s/\d])[we](?:\s|$)|\/[gIp\d]*[we]/,
  sort: /^(?:-[A-Za-z]*o|--output|--compress-program|-T)/,
  tar: /^(?:-I|--to-command|--checkpoint-action|--use-compress-program|--rsh-command|-F|--info-script)/,
  tree: /^-o/,
};

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
export function isFree({ words }: ShellCommand): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return true;
  if (FREE_BUILTINS.has(first)) return first !== 'printf' || !rest.some((word) => word.startsWith('-v'));
  if (first === 'command') return /^-[vV]/.test(rest[0] ?? '');
  if (first === 'set') return rest.every((word) => /^[-+][a-z]+$|^pipefail$/.test(word));
  return (
    first === 'cd' &&
    rest.length === 1 &&
    /^(?![/~-])/.test(rest[0] ?? '/') &&
    isKnown(rest[0] ?? '') &&
    !/(?:^|\/)\.\.(?:\/|$)/.test(rest[0] ?? '')
  );
}

/** Whether a prefix rule may allow it: no variable or flag turns it into something else. */
export function isWithinLimits({ words, assignments }: ShellCommand): boolean {
  if (words.length === 0) return assignments.every((assignment) => !STEERING_VARIABLE.test(assignment));
  if (!assignments.every((assignment) => HARMLESS_VARIABLES.has(assignment.replace(/[+[=][\s\S]*$/, '')))) return false;
  const flags = REACHING_FLAGS[programName(words[0] ?? '')];
  return flags === undefined || !words.slice(1).some((word) => flags.test(word));
}

/** Whether a redirect writes nothing that is kept. */
export function isHarmlessTarget(target: string): boolean {
  return /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target);
}
