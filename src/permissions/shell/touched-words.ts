import { GLOB, HOLE } from '../marks.js';
import { archiveTouches } from './archive-touches.js';
import { assignedTouches } from './assigned-touches.js';
import { changedOperands, codeOperands, isAwk } from './code-operands.js';
import { codeTouches, writesInCode } from './code-touches.js';
import { foundNames } from './find-layer.js';
import { gitTouches } from './git-touches.js';
import { codeIn } from './inline-code.js';
import { otherTouches } from './other-touches.js';
import { effectsOf, type ProgramEffects } from './program-effects.js';
import { programName } from './program-name.js';
import { optionValues, readOptions } from './program-options.js';
import { searchedNames } from './searched-names.js';
import { sedCommands } from './sed-commands.js';
import { reachesOf, readSed } from './sed-scripts.js';
import type { ShellCommand } from './shell-command.js';
import { sourceTouches } from './source-touches.js';
import { tarTouches } from './tar-touches.js';
import { toolEffectsOf } from './tool-effects.js';
import { toolTouches } from './tool-touches.js';
import { isNamedLikeFile, read, type TouchedWord, written, writtenIn } from './touched-word.js';
import { SHELLS } from './wrappers.js';

const SHELL: ProgramEffects = { operands: 'read', data: ['-o', '-O'], reads: ['--rcfile', '--init-file'] };

/** `-i.bak`, `--in-place=.bak`: a file of another name is made beside the one that is edited. */
const KEEPS_BACKUP = /^(?:-[a-zA-Z0]*?i.|--i[a-z-]*=)/;

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
      : [...guesses(words), ...envFiles(words), ...toolTouches(program, words), ...otherTouches(program, words)];
  }
  return [...tableTouches(program, effects, words), ...ownTouches(program, words), ...otherTouches(program, words)];
}

/** What code among the words names, and what it is given. */
function languageTouches(program: string, words: readonly string[], codes: readonly string[]): TouchedWord[] {
  const operands = codeOperands(program, words, codes);
  return [
    ...codes.flatMap(codeTouches),
    ...guesses(words.filter((word) => !codes.includes(word))),
    ...operands.map((word) => read(word)),
    ...(editsInPlace(program, words)
      ? operands.map((word) => written(word, { existing: !words.some((flag) => KEEPS_BACKUP.test(flag)) }))
      : []),
    ...changedOperands(
      codes,
      words.filter((word) => !word.startsWith('-') && !codes.includes(word)),
    ).map((word) => written(word, { perhaps: !operands.includes(word) })),
    ...(codes.some(writesInCode) ? namedForCode(words) : []),
    ...toolTouches(program, words),
  ];
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
    ...guesses(operands.slice(1)),
  ];
}

/** Files in the options of a program whose other words are a command. */
function optionFiles(words: readonly string[]): TouchedWord[] {
  const given = words.filter((word) => /^(?:-[\w-]*|\w+)=/.test(word));
  return [...guesses(given), ...envFiles(words)];
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
  const files =
    effects.operands === 'pattern' && !flags.some((flag) => givesPattern(effects, flag)) ? operands.slice(1) : operands;
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
  const touched = operandTouches(effects, here ? ['.'] : files, { recursive, into });
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
  { operands, directories }: ProgramEffects,
  files: readonly string[],
  { recursive, into }: { recursive: boolean; into: string | undefined },
): TouchedWord[] {
  switch (operands) {
    case 'read':
    case 'pattern':
      return files.map((word) => read(word, { recursive }));
    case 'write': {
      // A mode that takes nothing away closes no directory.
      const closes = directories === true && !/^[ugoa]*\+[rwxXst]+$/.test(files[0] ?? '');
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
      const landed =
        target === undefined
          ? []
          : [target, ...sources.map((source) => `${target}/${programName(source.replace(/\/+$/, ''))}`)];
      return [
        ...sources.map((word) => read(word, { recursive })),
        // What is moved is gone from where it was: a directory goes with all that is mounted in it.
        ...(operands === 'move' ? sources.map((word) => written(word, { recursive })) : []),
        ...landed.map((word) => writtenIn(word)),
      ];
    }
  }
}

/** A program that is not in the table: each word may be a file, also after `=`, `@` or `:`. */
function guesses(words: readonly string[]): TouchedWord[] {
  return words.flatMap((word) => {
    const value = word.replace(/^--?[\w-]+=/, '');
    const parts = new Set([
      value,
      ...joinedTo(word),
      value.replace(/^[^=@]*[=@]+/, ''),
      value.slice(value.lastIndexOf('=') + 1),
      value.slice(value.lastIndexOf(':') + 1),
      value.split(':')[0] ?? '',
      value.replace(/^file:\/\//, ''),
    ]);
    return [...parts].filter((part) => part !== '').map((part) => read(part, { perhaps: true }));
  });
}

/** `-ffile`, and `-vf./file`. */
function joinedTo(word: string): string[] {
  if (!/^-[A-Za-z]/.test(word)) return [];
  return [word.slice(2), /^-[A-Za-z]+([./~][\s\S]*)$/.exec(word)?.[1] ?? ''];
}

/** `awk -v file=name '{print > file}'`. */
function namedForCode(words: readonly string[]): TouchedWord[] {
  return words.flatMap((word) => {
    const file = /^\w+=([\s\S]+)$/.exec(word)?.[1];
    return file === undefined ? [] : [written(file, { perhaps: true })];
  });
}

/** `perl -pi -e …` and `ruby -i -pe …` write the files they read. */
function editsInPlace(program: string, words: readonly string[]): boolean {
  if (isAwk(program)) return words.some((word) => /^(?:-i|--include=)?inplace$/.test(word));
  return /^(?:perl|j?ruby)[\d.]*$/.test(program) && words.some((word) => /^-(?![MmIxCFrl])[a-zA-Z0]*i/.test(word));
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

function sedTouches(words: readonly string[]): TouchedWord[] {
  const inPlace = words.some((word) => /^(?:-[a-zA-Z]*i|--i)/.test(word));
  const existing = !words.some((word) => KEEPS_BACKUP.test(word));
  const { scripts, scriptFiles, files } = readSed(words);
  return [
    ...files.flatMap((word) => (inPlace ? [read(word), written(word, { existing })] : [read(word)])),
    ...scriptFiles.map((word) => read(word)),
    ...scripts.flatMap(sedFiles),
  ];
}

function sedFiles(script: string): TouchedWord[] {
  const understood = sedCommands(script);
  const perhaps = understood === undefined;
  return (understood ?? reachesOf(script)).flatMap(({ kind, argument }) => {
    if (kind === 'run' || argument === undefined) return [];
    return [kind === 'write' ? written(argument, { perhaps }) : read(argument, { perhaps })];
  });
}
