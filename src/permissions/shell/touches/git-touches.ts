import { GLOB, HOLE, ONE } from '../../text/marks.js';
import { optionValues, readOptions } from '../programs/program-options.js';
import { globalOptionWidth } from '../programs/program-table.js';
import { openBrackets } from '../syntax/open-brackets.js';
import { isNamedLikeFile, read, type TouchedWord, written, writtenIn } from './touched-word.js';

/** Their words may be files whose content they show or keep. */
const READERS =
  /^(?:add|am|annotate|archive|apply|blame|bundle|cat-file|checkout-index|diff|difftool|diff-files|diff-index|format-patch|grep|hash-object|interpret-trailers|log|mailinfo|merge-file|mergetool|send-email|show|stage|stash|update-index|whatchanged)$/;
/** Their words may be files that they change. */
const WRITERS = /^(?:checkout|restore|rm|mv|clean|checkout-index|reset)$/;
/** Their words are paths, never revisions. */
const PATHS_ONLY = /^(?:add|clean|grep|mv|restore|rm|stage)$/;
/** They change nothing where they run, their output aside. */
const LOOKS =
  /^(?:|annotate|archive|blame|bugreport|bundle|cat-file|check-.*|cherry|config|count-objects|describe|diagnose|diff.*|fast-export|for-each-ref|format-patch|grep|help|interpret-trailers|log|ls-.*|mailinfo|merge-base|merge-file|name-rev|range-diff|reflog|request-pull|rev-.*|shortlog|show|show-.*|status|var|verify-.*|version|whatchanged)$/;
/** Without a word, or with one of these, they only tell. */
const LISTS = /^(?:branch|tag|remote|notes|worktree|submodule|bisect)$/;
const LISTING = /^(?:-.*|list|show|status|get-url|log|summary)$/;
/** Options that say where output goes, and those that name a file to read; the letters before them are flags. */
const OUTPUTS = /^(?:--output|-[kqsnp]*o|--output-directory|--separate-git-dir)$/;
const FILE_OPTIONS = /^(?:-[aefnpqsvz]*F|--file|-[aenpqsvz]*t|--template|--contents|--ignore-revs-file)$/;
const MESSAGES = /^(?:-m|--message|--grep|-S|-G|--author|--format|--pretty|-b|-B)$/;
/** Options of what makes a directory that take a word with them. */
const VALUES = [
  ...['-b', '-B', '--branch', '--depth', '-o', '--origin', '-c', '--config', '--reference', '-j', '--jobs', '--filter'],
  ...['--template', '--separate-git-dir', '--shallow-since', '--name', '--reason', '--initial-branch', '-u'],
  ...['--upload-pack', '--object-format', '--ref-format', '--server-option', '--reference-if-able'],
];

interface GitCall {
  subcommand: string;
  rest: readonly string[];
  /** Where `-C` leads. */
  directory: string | undefined;
  options: readonly string[];
  stdin: string | undefined;
}

/** The files that a git command shows, keeps or changes. */
export function gitTouches(words: readonly string[], stdin?: string): TouchedWord[] {
  const call = callOf(words, stdin);
  const { directory } = call;
  const touched = [...namedTouches(call), ...throughTouches(call), ...listedTouches(call), ...placeTouches(call)];
  if (directory === undefined) return touched;
  return touched.map((one) => (one.word.startsWith('/') ? one : { ...one, word: `${directory}/${one.word}` }));
}

/** What its words name. */
function namedTouches({ subcommand, rest, options }: GitCall): TouchedWord[] {
  const paths = pathsOf(subcommand, rest);
  return [
    ...(READERS.test(subcommand)
      ? paths.map(({ word, sure, glob }) => read(word, { perhaps: !sure, tracked: glob }))
      : []),
    ...(WRITERS.test(subcommand) && !changesIndexOnly(subcommand, rest)
      ? paths.map(({ word, glob }) => written(word, { perhaps: !glob && !hasGlob(word), tracked: glob }))
      : []),
    ...(subcommand === 'mv' ? paths.map(({ word }) => read(word, { perhaps: true })) : []),
    ...optionValues(rest, OUTPUTS, ['--output', '--output-directory', '--separate-git-dir']).map((word) =>
      writtenIn(word),
    ),
    ...optionValues(rest, /^(?:--prefix|-P|--directory)$/).map((word) => writtenIn(word, { perhaps: true })),
    ...optionValues(rest, FILE_OPTIONS, ['--file', '--template', '--contents', '--ignore-revs-file']).map((word) =>
      read(word),
    ),
    // For others it is a text to look for.
    ...(/^(?:blame|annotate)$/.test(subcommand) ? optionValues(rest, /^-S$/).map((word) => read(word)) : []),
    ...optionValues(rest, /^--(?:export-marks|export-pack-edges)$/).map((word) => written(word)),
    ...(subcommand === 'credential-store' ? optionValues(rest, /^--file$/).map((word) => written(word)) : []),
    ...(subcommand === 'ls-files' ? optionValues(rest, /^(?:-X|--exclude-from)$/).map((word) => read(word)) : []),
    // What a template holds, hooks too, comes to stand in what it makes.
    ...(subcommand === 'init' && optionValues(rest, /^--template$/, ['--template']).length > 0
      ? [written('.git/hooks', { recursive: true }), written('.git/config')]
      : []),
    ...(subcommand === 'config' ? configTouches(rest) : []),
    ...optionValues(options, /^(?:--git-dir|--work-tree)$/).map((word) => read(word, { perhaps: true })),
    // A setting may name a file.
    ...optionValues(options, /^-c$/).map((word) => read(word.replace(/^[^=]*=/, ''), { perhaps: true })),
    ...madeBy(subcommand, rest).map((word) => writtenIn(word)),
  ];
}

/** What it goes through whole directories for. */
function throughTouches({ subcommand, rest, options }: GitCall): TouchedWord[] {
  const has = (option: RegExp) => rest.some((word) => option.test(word));
  const found = pathsOf(subcommand, rest);
  const named = found.map(({ word }) => word);
  const tracked = (word: string) => found.some((one) => one.glob && one.word === word);
  const paths = named.length === 0 ? ['.'] : named;
  const reads = () =>
    paths.map((word) => read(word, { recursive: !isNamedLikeFile(word), perhaps: true, tracked: tracked(word) }));
  const writes = (words: readonly string[], existing = false) =>
    words.map((word) => written(word, { recursive: !isNamedLikeFile(word), existing, tracked: tracked(word) }));
  switch (subcommand) {
    case 'grep':
      return reads();
    case 'add':
    case 'stage':
      return has(/^(?:-[a-zA-Z]*f|--force)/) ? reads() : [];
    case 'diff':
      return has(/^--no-index$/) || named.some((word) => /^(?:\/|\.\.\/)/.test(word)) ? reads() : [];
    case 'stash': {
      const kept = rest[0] === 'push' ? rest.slice(1) : rest.includes('--') ? rest : [];
      const changed = pathsOf(subcommand, kept).map(({ word }) => written(word, { perhaps: true }));
      if (has(/^(?:show|list)$/))
        return has(/^(?:-[a-zA-Z]*[pu]|--patch|--(?:include|only)-untracked)/) ? [read('.', { recursive: true })] : [];
      const keeps = has(/^(?:-[a-zA-Z]*[ua]|--all|--include-untracked)$/);
      return keeps ? [...changed, read('.', { recursive: true }), ...writes(['.'])] : changed;
    }
    case 'clean':
      return has(/^(?:-[a-zA-Z]*n|--dry-run)/) || !(has(/^(?:-[a-zA-Z]*f|--force)/) || forces(options))
        ? []
        : writes(paths, true);
    case 'rm':
      return has(/^-[a-zA-Z]*r/) && !has(/^--cached$/) ? writes(paths, true) : [];
    case 'restore':
      return changesIndexOnly(subcommand, rest) ? [] : writes(paths);
    case 'checkout': {
      const end = rest.indexOf('--');
      return writes(end === -1 ? rest.filter((word) => /^(?:\.\/?|\*|:\/)$/.test(word)) : rest.slice(end + 1));
    }
    default:
      return [];
  }
}

/** `git rm --cached`, `git restore --staged`: no file changes. */
function changesIndexOnly(subcommand: string, rest: readonly string[]): boolean {
  const end = rest.indexOf('--');
  const options = end === -1 ? rest : rest.slice(0, end);
  if (subcommand === 'rm') return options.includes('--cached');
  const isStaged = options.some((word) => /^(?:-S|--staged)$/.test(word));
  return subcommand === 'restore' && isStaged && !options.some((word) => /^(?:-[a-zA-Z]*W|--w)/.test(word));
}

function forces(options: readonly string[]): boolean {
  return options.some((word) => /^clean\.requireforce=/i.test(word));
}

/** What a list on its stdin or in a file names. */
function listedTouches({ subcommand, rest, stdin }: GitCall): TouchedWord[] {
  const listed = rest.some((word) =>
    /^(?:--batch(?:-command|-all-objects)?(?:=.*)?|--stdin-paths|--pathspec-from-file(?:=.*)?)$/.test(word),
  );
  const indexed = /^(?:update-index|checkout-index)$/.test(subcommand) && rest.includes('--stdin');
  if (!listed && !indexed) return [];
  if (stdin === undefined || rest.includes('--batch-all-objects')) return [read(HOLE)];
  return stdin
    .split(/\s+/)
    .flatMap(pathIn)
    .map(({ word }) => read(word));
}

/** Where it works. */
function placeTouches({ subcommand, rest, options }: GitCall): TouchedWord[] {
  if (LOOKS.test(subcommand) || isListing(subcommand, rest)) return [];
  const places = optionValues(options, /^(?:--git-dir|--work-tree)$/);
  return ['.', ...places].map((word) => writtenIn(word));
}

function isListing(subcommand: string, rest: readonly string[]): boolean {
  if (subcommand === 'stash') return /^(?:list|show)$/.test(rest[0] ?? '');
  return (
    LISTS.test(subcommand) &&
    (rest[0] === undefined || LISTING.test(rest[0])) &&
    rest.slice(1).every((word) => word.startsWith('-'))
  );
}

/** The directories and files that it makes. */
function madeBy(subcommand: string, rest: readonly string[]): string[] {
  const { operands } = readOptions({ operands: 'data', data: VALUES }, rest);
  const [first = '', second, third] = operands;
  switch (subcommand) {
    case 'init':
      return operands;
    case 'clone':
      return [second ?? nameOf(first)];
    case 'worktree':
      return /^(?:add|move|remove)$/.test(first) ? operands.slice(1) : [];
    case 'submodule':
      if (first === 'add') return [third ?? nameOf(second ?? '')];
      return /^(?:update|deinit|set-url|init|absorbgitdirs)$/.test(first) ? operands.slice(1) : [];
    case 'bundle':
      return first === 'create' && second !== undefined ? [second] : [];
    default:
      return [];
  }
}

/** As git names what it clones. */
function nameOf(repository: string): string {
  const name = repository.replace(/\/+$/, '').replace(/\/?\.git$/, '');
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}

function configTouches(rest: readonly string[]): TouchedWord[] {
  const files = optionValues(rest, /^(?:-f|--file)$/);
  const looks = rest.some((word) => /^(?:-l|--list|--get.*|get|list)$/.test(word));
  if (files.length > 0) return files.flatMap((word) => (looks ? [read(word)] : [read(word), written(word)]));
  return looks || !changesConfig(rest) ? [] : [written('.git/config')];
}

/** `key value`, `set key value`, an option that takes away or edits; those of the person or the machine are elsewhere. */
function changesConfig(rest: readonly string[]): boolean {
  if (rest.some((word) => /^--(?:global|system)$/.test(word))) return false;
  if (rest.some((word) => /^(?:-e|--(?:ad|un|rep|ren|rem|ed)[a-z-]*)$/.test(word))) return true;
  const { operands } = readOptions({ operands: 'data', data: ['--type', '--default', '--comment', '--value'] }, rest);
  return operands.length > 1 || /^(?:edit|unset|remove-section|rename-section)$/.test(operands[0] ?? '');
}

function callOf(words: readonly string[], stdin: string | undefined): GitCall {
  let directory: string | undefined;
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) break;
    const next = words[index + 1];
    if (word === '-C' && next !== undefined && next !== '')
      directory = directory === undefined || next.startsWith('/') ? next : `${directory}/${next}`;
    index += globalOptionWidth('git', word).at(-1) ?? 1;
  }
  return {
    subcommand: words[index] ?? '',
    rest: words.slice(index + 1),
    directory,
    options: words.slice(0, index),
    stdin,
  };
}

/** Of the shell. */
function hasGlob(word: string): boolean {
  return word.includes(GLOB) || word.includes(ONE);
}

interface PathWord {
  word: string;
  /** It is certainly a path. */
  sure: boolean;
  /** A pattern, which git expands by itself. */
  glob: boolean;
}

function pathsOf(subcommand: string, rest: readonly string[]): PathWord[] {
  const end = rest.indexOf('--');
  const pattern = subcommand === 'grep' ? patternAt(rest) : -1;
  return rest.flatMap((word, index) => {
    if (index === pattern || MESSAGES.test(rest[index - 1] ?? '')) return [];
    const isPath = PATHS_ONLY.test(subcommand) || (end !== -1 && index > end);
    return pathIn(word).map((one) => (isPath && !one.sure ? expanded(one) : one));
  });
}

/** The first operand of `git grep`, unless an option gives the pattern. */
function patternAt(rest: readonly string[]): number {
  if (rest.some((word) => /^-[ef]/.test(word))) return -1;
  return rest.findIndex(
    (word, index) =>
      !word.startsWith('-') && !/^-[mABC]$|^--(?:max-depth|threads|max-count)$/.test(rest[index - 1] ?? ''),
  );
}

/** A star of a pathspec crosses slashes, and stands for a leading dot as well. */
function expanded({ word }: PathWord): PathWord {
  const glob = /[*?[]/.test(word);
  if (!glob) return { word, sure: false, glob };
  const open = openBrackets(word).replace(/[*?]+/g, HOLE);
  // It stays below where it stands.
  return { word: open.startsWith(HOLE) ? `./${open}` : open, sure: true, glob };
}

/** `HEAD:path` and `:path` as well as `path`; `:(magic)path`. */
function pathIn(word: string): PathWord[] {
  const inLines = /^-L[^:]*:([\s\S]+)$/.exec(word)?.[1];
  if (inLines !== undefined) return [{ word: inLines, sure: true, glob: false }];
  if (word === '--' || (word.startsWith('-') && !word.includes('='))) return [];
  const value = word.startsWith('-') ? word.replace(/^[^=]*=/, '') : word;
  const [, names, magic] = /^:(?:\(([^)]*)\)|\/)([\s\S]+)$/.exec(value) ?? [];
  if (magic !== undefined) {
    if (names?.includes('exclude') === true) return [];
    const { word: path, glob } = expanded({ word: magic, sure: true, glob: false });
    // From the top of the repository, which may lie above.
    const isTop = names === undefined || names.includes('top');
    return [{ word: isTop && glob ? path.replace(/^\.\//, '') : path, sure: true, glob }];
  }
  const inTree = /^[^:]*:(?:\d:|\/)?([\s\S]+)$/.exec(value)?.[1];
  // An unknown path of a tree could be any; a word alone is more often a revision.
  return inTree === undefined
    ? [{ word: value, sure: false, glob: false }]
    : [{ word: inTree, sure: true, glob: false }];
}
