import { isKnown } from '../wildcard.js';
import { programName } from './program-name.js';
import type { ShellCommand } from './shell-command.js';

/** Their first operand is a pattern or a program, unless an option gives it. */
const PATTERN_FIRST = words('ack ag awk egrep fgrep gawk grep jq rg sed yq');
/** Programs whose words are not files they read: names, messages, or files they only create, list or remove. */
const NOT_READERS =
  words(`: [ [[ alias basename cd chgrp chmod chown command dirname echo exit export false find hash help kill
  ls man mkdir mktemp npm npx pnpm popd printenv printf pushd pwd read readlink realpath rm rmdir set shred sleep
  stat tee test touch true truncate type umask unlink unset wait whereis which yarn`);
const GIT_READERS = words('archive blame bundle cat-file diff grep hash-object show stash');
/** Programs all of whose operands are files they change. */
const WRITERS = words('chmod chown mv rm rmdir shred tee touch truncate unlink mkdir');
/** Programs that write their last operand. */
const COPIERS = words('cp install ln rsync');
const INTERPRETERS = words('node python python3 perl ruby php deno bun');

/** Words that name files the command reads; what it reads beside them is the sandbox's to refuse. */
export function pathsRead(command: ShellCommand): string[] {
  const redirected = command.redirects.filter(({ kind }) => kind === 'read').map(({ target }) => target);
  return [...redirected, ...operandsRead(command.words)].filter(isKnown);
}

/** Words that name files the command changes. */
export function pathsWritten(command: ShellCommand): string[] {
  const redirected = command.redirects.filter(({ kind }) => kind === 'write').map(({ target }) => target);
  return [...redirected, ...operandsWritten(command.words)].filter(isKnown);
}

function operandsRead([first = '', ...rest]: readonly string[]): readonly string[] {
  const program = programName(first);
  if (NOT_READERS.has(program)) return [];
  if (program === 'git') return gitOperandsRead(rest);
  if (INTERPRETERS.has(program)) return rest.flatMap((word) => [word, ...quotedTexts(word)]);
  const files = rest.flatMap(insideWord);
  if (COPIERS.has(program)) return operands(rest).slice(0, -1).flatMap(insideWord);
  if (!PATTERN_FIRST.has(program)) return files;
  const patternIsOption = rest.some((word) => /^(?:-[A-Za-z]*[ef]|--(?:regexp|expression|file|from-file))/.test(word));
  return patternIsOption ? files : operands(rest).slice(1);
}

function gitOperandsRead(rest: readonly string[]): readonly string[] {
  const subcommand = operands(rest)[0] ?? '';
  return GIT_READERS.has(subcommand) ? rest.flatMap((word) => [...insideWord(word), word.replace(/^[^:]*:/, '')]) : [];
}

/** `if=.env`, `--post-file=.env`, `@.env`, `file=@.env`, `file:///workspace/.env`. */
function insideWord(word: string): string[] {
  const value = word.startsWith('-') ? word.replace(/^-[^=]*=?/, '') : word;
  return [value, value.replace(/^[^=@]*[=@]+/, ''), value.replace(/^file:\/\//, '')].filter((part) => part !== '');
}

function quotedTexts(code: string): string[] {
  return [...code.matchAll(/(['"`])([^'"`\n]{1,400})\1/g)].map((match) => match[2] ?? '');
}

function operandsWritten([first = '', ...rest]: readonly string[]): readonly string[] {
  const program = programName(first);
  if (WRITERS.has(program)) return operands(rest);
  if (COPIERS.has(program)) return operands(rest).slice(-1);
  switch (program) {
    case 'sed':
    case 'perl':
      return rest.some((word) => /^-[A-Za-z]*i|^--in-place/.test(word)) ? operands(rest).slice(1) : [];
    case 'dd':
      return rest.flatMap((word) => /^of=([\s\S]+)$/.exec(word)?.[1] ?? []);
    case 'sort':
    case 'curl':
    case 'git':
    case 'find':
      return afterOptions(rest, /^(?:-o|--output|-fprint|-fprintf|-fls)(?:=([\s\S]*))?$/);
    default:
      return [];
  }
}

function afterOptions(rest: readonly string[], option: RegExp): string[] {
  return rest.flatMap((word, index) => {
    const match = option.exec(word);
    return match === null ? [] : [match[1] ?? rest[index + 1] ?? ''];
  });
}

function operands(rest: readonly string[]): string[] {
  const end = rest.indexOf('--');
  if (end === -1) return rest.filter((word) => !word.startsWith('-'));
  return [...rest.slice(0, end).filter((word) => !word.startsWith('-')), ...rest.slice(end + 1)];
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
