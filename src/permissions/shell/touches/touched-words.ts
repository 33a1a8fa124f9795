import { GLOB, HOLE, NAME } from '../../text/marks.js';
import { foundNames } from '../layers/find-layer.js';
import { codeIn } from '../layers/inline-code.js';
import { SHELLS } from '../layers/wrappers.js';
import { effectsOf, type ProgramEffects } from '../programs/program-effects.js';
import { programName } from '../programs/program-name.js';
import { optionValues, readOptions } from '../programs/program-options.js';
import { toolEffectsOf } from '../programs/tool-effects.js';
import type { ShellCommand } from '../syntax/shell-command.js';
import { archiveTouches } from './archive-touches.js';
import { assignedTouches } from './assigned-touches.js';
import { isAwk } from './code-operands.js';
import { gitTouches } from './git-touches.js';
import { guessedTouches } from './guessed-touches.js';
import { editsInPlace, languageTouches } from './language-touches.js';
import { otherTouches } from './other-touches.js';
import { searchedNames } from './searched-names.js';
import { sedTouches } from './sed-touches.js';
import { sourceTouches } from './source-touches.js';
import { tarTouches } from './tar-touches.js';
import { toolTouches } from './tool-touches.js';
import { isNamedLikeFile, read, type TouchedWord, written, writtenIn } from './touched-word.js';

const SHELL: ProgramEffects = { operands: 'read', data: ['-o', '-O'], reads: ['--rcfile', '--init-file'] };

/** The files that one command touches, its redirects included. What programs do with them is a table. */
export function touchedWords(command: ShellCommand): TouchedWord[] {
  const redirected = command.redirects.map(({ kind, target }) => (kind === 'read' ? read(target) : written(target)));
  const [first, ...rest] = command.words;
  if (first === undefined) return redirected;
  const program = programName(first);
  return [
    ...redirected,
    ...touchedBy(program, rest, command),
    ...sourceTouches(program, rest, command),
    ...assignedTouches(command),
  ];
}

function touchedBy(program: string, words: readonly string[], { wraps, stdin }: ShellCommand): TouchedWord[] {
  switch (program) {
    case 'git':
      return gitTouches(words, stdin);
    case 'find':
    case 'gfind':
      return findTouches(words);
    case 'tar':
    case 'bsdtar':
    case 'jar':
      return tarTouches(words);
    case 'dd':
      return ddTouches(words);
    case 'sed':
    case 'gsed':
      return sedTouches(words);
    case 'cd':
    case 'pushd':
      return [];
  }
  const codes = codeIn(program, words);
  if (codes.length > 0 || isAwk(program) || editsInPlace(program, words)) return languageTouches(program, words, codes);
  if (SHELLS.has(program)) return shellTouches(words);
  const effects = effectsOf(program);
  // What a wrapper runs is asked on its own.
  if (effects === undefined) {
    const archived = archiveTouches(program, words);
    if (archived !== undefined) return archived;
    return wraps
      ? [...optionFiles(words), ...ownTouches(program, words)]
      : [...guessedTouches(words), ...envFiles(words), ...toolTouches(program, words), ...otherTouches(program, words)];
  }
  return [...tableTouches(program, effects, words), ...ownTouches(program, words), ...otherTouches(program, words)];
}

/** The script that a shell is given, and what that gets. */
function shellTouches(words: readonly string[]): TouchedWord[] {
  const { operands, values, flags } = readOptions(
    SHELL,
    words.map((word) => word.replace(/^\+(?=[oO])/, '-')),
  );
  const given = flags.some((flag) => /^-[a-zA-Z]*c/.test(flag));
  return [
    ...values.flatMap(({ option, value }) => (SHELL.reads?.includes(option) === true ? [read(value)] : [])),
    ...(given ? [] : operands.slice(0, 1).map((word) => read(word))),
    ...guessedTouches(operands.slice(1)),
  ];
}

/** Files in the options of a program whose other words are a command. */
function optionFiles(words: readonly string[]): TouchedWord[] {
  const given = words.filter((word) => /^(?:-[\w-]*|\w+)=/.test(word));
  return [...guessedTouches(given), ...envFiles(words)];
}

function envFiles(words: readonly string[]): TouchedWord[] {
  return optionValues(words, /^--?env-?file$/).map((word) => read(word));
}

/** What is known of a tool by its name; the words of what it runs are no options of its own. */
function ownTouches(program: string, words: readonly string[]): TouchedWord[] {
  return toolEffectsOf(program) === undefined ? [] : toolTouches(program, words);
}

function tableTouches(program: string, effects: ProgramEffects, words: readonly string[]): TouchedWord[] {
  const { operands, values, flags } = readOptions(effects, words);
  const recursive =
    effects.recursive === true ||
    (effects.recursive instanceof RegExp && flags.some((flag) => (effects.recursive as RegExp).test(flag)));
  const options = values.flatMap(({ option, value }) => {
    if (effects.reads?.includes(option) === true) return [read(value)];
    // What a list names is not known.
    if (effects.lists?.includes(option) === true) return [read(value), read(HOLE)];
    if (effects.prefixes?.includes(option) === true) return [written(value + GLOB)];
    return effects.writes?.includes(option) === true ? [writtenIn(value)] : [];
  });
  const into = values.find(({ option }) => effects.into?.includes(option) === true)?.value;
  const isFirstNone =
    effects.operands === 'pattern'
      ? !flags.some((flag) => givesPattern(effects, flag))
      : effects.leads !== undefined && !flags.some((flag) => effects.leads?.unless.test(flag) === true);
  const files = isFirstNone ? operands.slice(1) : operands;
  const mode = effects.leads === undefined || !isFirstNone ? undefined : operands[0];
  const here = files.length === 0 && (effects.defaultsToHere === true || (recursive && effects.operands === 'pattern'));
  const [, second] = files;
  if (effects.secondIs !== undefined && second !== undefined)
    options.push(written(effects.secondIs === 'prefix' ? second + GLOB : second));
  if (effects.writesFirst === true) options.push(...operands.slice(0, 1).map((word) => written(word)));
  if (
    effects.here === true ||
    (effects.here instanceof RegExp && flags.some((flag) => (effects.here as RegExp).test(flag)))
  )
    options.push(writtenIn('.'));
  const touched = operandTouches(effects, here ? ['.'] : files, { recursive, into, mode });
  const only = recursive ? searchedNames(program, words) : undefined;
  return [
    ...options,
    ...touched.map((one) => {
      if (one.recursive !== true) return one;
      if (effects.recursive === true && isNamedLikeFile(one.word)) return { ...one, recursive: false };
      return only === undefined ? one : { ...one, only };
    }),
  ];
}

function givesPattern({ givesPattern: names = [] }: ProgramEffects, flag: string): boolean {
  return names.some((name) =>
    name.startsWith('--') ? flag === name || flag.startsWith(`${name}=`) : flag.startsWith(name),
  );
}

function operandTouches(
  { operands, directories, links }: ProgramEffects,
  files: readonly string[],
  { recursive, into, mode }: { recursive: boolean; into: string | undefined; mode: string | undefined },
): TouchedWord[] {
  switch (operands) {
    case 'read':
    case 'pattern':
      return files.map((word) => read(word, { recursive }));
    case 'write': {
      // A mode that takes nothing away closes no directory.
      const closes = directories === true && !/^[ugoa]*\+[rwxXst]+$/.test(mode ?? '');
      return files.map((word) =>
        written(word, { recursive, existing: directories === true, ...(closes ? { inside: true } : {}) }),
      );
    }
    case 'remove':
      return files.map((word) => written(word, { recursive, existing: true }));
    case 'read and write':
      return files.flatMap((word) => [read(word, { recursive }), written(word)]);
    case 'data':
      return [];
    case 'copy':
    case 'move': {
      const target = into ?? (files.length > 1 ? files.at(-1) : undefined);
      const sources = into === undefined && target !== undefined ? files.slice(0, -1) : files;
      const names = sources.map(baseName).filter((name) => links !== true || !name.includes(NAME));
      const alone = links === true ? names : [];
      const landed = target === undefined ? alone : [target, ...names.map((name) => `${target}/${name}`)];
      return [
        ...sources.map((word) => read(word, { recursive })),
        // What is moved is gone from where it was: a directory goes with all that is mounted in it.
        ...(operands === 'move' ? sources.map((word) => written(word, { recursive })) : []),
        ...landed.map((word) => writtenIn(word)),
      ];
    }
  }
}

/** The last part of a path. */
function baseName(source: string): string {
  return programName(source.replace(/\/+$/, '')).replaceAll(HOLE, NAME);
}

function findTouches(words: readonly string[]): TouchedWord[] {
  const printed = optionValues(words, /^-(?:fprint|fprintf|fprint0|fls)$/).map((word) => written(word));
  const listed = optionValues(words, /^-files0-from$/).map((word) => read(word));
  const removed = words.includes('-delete') ? foundNames(words).map((word) => written(word, { existing: true })) : [];
  return [...printed, ...listed, ...removed];
}

function ddTouches(words: readonly string[]): TouchedWord[] {
  return words.flatMap((word) => {
    const [, name, file = ''] = /^(if|of)=([\s\S]*)$/.exec(word) ?? [];
    if (name === undefined) return [];
    return name === 'if' ? [read(file)] : [written(file)];
  });
}
