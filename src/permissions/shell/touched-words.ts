import { GLOB } from '../marks.js';
import { foundNames } from './find-layer.js';
import { gitTouches } from './git-touches.js';
import { codeIn, textsIn } from './inline-code.js';
import { effectsOf, type ProgramEffects } from './program-effects.js';
import { programName } from './program-name.js';
import { optionValues, readOptions } from './program-options.js';
import { readSed } from './sed-scripts.js';
import type { ShellCommand } from './shell-command.js';
import { read, type TouchedWord, written } from './touched-word.js';
import { SHELLS } from './wrappers.js';

/** In code: it may write what it names. */
const WRITES_IN_CODE = /writ|append|unlink|remove|\brm|rename|truncat|copy|mkdir|>|["'][wax]b?\+?["']/i;

/** The files that one command touches, its redirects included. What programs do with them is a table. */
export function touchedWords(command: ShellCommand): TouchedWord[] {
  const redirected = command.redirects.map(({ kind, target }) => (kind === 'read' ? read(target) : written(target)));
  const [first, ...rest] = command.words;
  if (first === undefined) return redirected;
  return [...redirected, ...touchedBy(programName(first), rest, command.wraps)];
}

function touchedBy(program: string, words: readonly string[], wraps: boolean): TouchedWord[] {
  switch (program) {
    case 'git':
      return gitTouches(words);
    case 'find':
    case 'gfind':
      return findTouches(words);
    case 'tar':
    case 'bsdtar':
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
  if (codes.length > 0)
    return codes
      .flatMap(codeTouches)
      .concat(guesses(words.filter((word) => !codes.includes(word))), editedInPlace(program, words));
  if (SHELLS.has(program))
    return words
      .filter((word) => !word.startsWith('-'))
      .slice(0, 1)
      .map((word) => read(word));
  const effects = effectsOf(program);
  // What a wrapper runs is asked on its own.
  if (effects === undefined) return wraps ? [] : guesses(words);
  return [...tableTouches(effects, words), ...uploads(program, words)];
}

function tableTouches(effects: ProgramEffects, words: readonly string[]): TouchedWord[] {
  const { operands, values, flags } = readOptions(effects, words);
  const recursive =
    effects.recursive === true ||
    (effects.recursive instanceof RegExp && flags.some((flag) => (effects.recursive as RegExp).test(flag)));
  const options = values.flatMap(({ option, value }) => {
    if (effects.reads?.includes(option) === true) return [read(value)];
    if (effects.prefixes?.includes(option) === true) return [written(value + GLOB)];
    return effects.writes?.includes(option) === true ? [written(value)] : [];
  });
  const into = values.find(({ option }) => effects.into?.includes(option) === true)?.value;
  const files =
    effects.operands === 'pattern' && !flags.some((flag) => givesPattern(effects, flag)) ? operands.slice(1) : operands;
  const here = files.length === 0 && (effects.defaultsToHere === true || (recursive && effects.operands === 'pattern'));
  const [, second] = files;
  if (effects.secondIs !== undefined && second !== undefined)
    options.push(written(effects.secondIs === 'prefix' ? second + GLOB : second));
  return [...options, ...operandTouches(effects, here ? ['.'] : files, { recursive, into })];
}

function givesPattern({ givesPattern: names = [] }: ProgramEffects, flag: string): boolean {
  return names.some((name) =>
    name.startsWith('--') ? flag === name || flag.startsWith(`${name}=`) : flag.startsWith(name),
  );
}

function operandTouches(
  { operands }: ProgramEffects,
  files: readonly string[],
  { recursive, into }: { recursive: boolean; into: string | undefined },
): TouchedWord[] {
  switch (operands) {
    case 'read':
    case 'pattern':
      return files.map((word) => read(word, { recursive }));
    case 'write':
      return files.map((word) => written(word, { recursive }));
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
        // What is moved is gone from where it was.
        ...(operands === 'move' ? sources.map((word) => written(word, { recursive })) : []),
        ...landed.map((word) => written(word)),
      ];
    }
  }
}

/** `-F file=@x`, `-d @x`, `file:///x`. */
function uploads(program: string, words: readonly string[]): TouchedWord[] {
  if (program !== 'curl' && program !== 'wget') return [];
  return words.flatMap((word) => {
    const file =
      /^file:\/\/(?:localhost)?([\s\S]*)$/.exec(word)?.[1] ??
      /^(?:[^@]*=)?[@<]([^;]+)/.exec(word.replace(/^-[dF]/, ''))?.[1];
    return file === undefined ? [] : [read(file)];
  });
}

/** A program that is not in the table: each word may be a file, also after `=`, `@` or `:`. */
function guesses(words: readonly string[]): TouchedWord[] {
  return words.flatMap((word) => {
    const value = word.replace(/^--?[\w-]+=/, '');
    const parts = new Set([
      value,
      value.replace(/^[^=@]*[=@]+/, ''),
      value.split(':')[0] ?? '',
      value.replace(/^file:\/\//, ''),
    ]);
    return [...parts].filter((part) => part !== '').map((part) => read(part, { perhaps: true }));
  });
}

function codeTouches(code: string): TouchedWord[] {
  const writes = WRITES_IN_CODE.test(code);
  // perl opens `>file` to write it.
  const texts = textsIn(code).map((text) => text.replace(/^[+<>|\s]+/, ''));
  return texts
    .filter((text) => text !== '')
    .flatMap((text) => [read(text, { perhaps: true }), ...(writes ? [written(text, { perhaps: true })] : [])]);
}

/** `perl -pi -e …` and `ruby -i -pe …` write the files they read. */
function editedInPlace(program: string, words: readonly string[]): TouchedWord[] {
  if (!/^(?:perl|ruby)$/.test(program) || !words.some((word) => /^-[a-zA-Z0]*i/.test(word))) return [];
  return words.filter((word) => !word.startsWith('-')).map((word) => written(word, { perhaps: true }));
}

function findTouches(words: readonly string[]): TouchedWord[] {
  const printed = optionValues(words, /^-(?:fprint|fprintf|fprint0|fls)$/).map((word) => written(word));
  const removed = words.includes('-delete') ? foundNames(words).map((word) => written(word)) : [];
  return [...printed, ...removed];
}

function tarTouches(words: readonly string[]): TouchedWord[] {
  const [first = ''] = words;
  const letters = first.startsWith('--') ? '' : first.replace(/^-/, '');
  const creates =
    /[cru]/.test(letters) || words.some((word) => /^(?:-[a-zA-Z]*[cru]|--create|--append|--update)/.test(word));
  const rest = /^-/.test(first) ? words : words.slice(1);
  const archive = /f/.test(letters) ? words.slice(1).find((word) => word === '-' || !word.startsWith('-')) : undefined;
  const archives = [...optionValues(words, /^(?:-[a-zA-Z]*f|--file)$/), ...(archive === undefined ? [] : [archive])];
  const lists = optionValues(words, /^(?:-T|--files-from)$/).map((word) => read(word));
  if (!creates) return [...archives.map((word) => read(word)), ...lists];
  const skipped = new Set([...archives, ...optionValues(words, /^(?:--exclude|-T|--files-from|-X)$/)]);
  const files = rest.filter((word) => !word.startsWith('-') && !skipped.has(word));
  return [
    ...files.map((word) => read(word, { recursive: true })),
    ...archives.filter((word) => word !== '-').map((word) => written(word)),
    ...lists,
  ];
}

function ddTouches(words: readonly string[]): TouchedWord[] {
  return words.flatMap((word) => {
    const [, name, file = ''] = /^(if|of)=([\s\S]*)$/.exec(word) ?? [];
    if (name === undefined) return [];
    return name === 'if' ? [read(file)] : [written(file)];
  });
}

function sedTouches(words: readonly string[]): TouchedWord[] {
  const inPlace = words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
  const { scripts, scriptFiles, files } = readSed(words);
  return [
    ...files.flatMap((word) => (inPlace ? [read(word), written(word)] : [read(word)])),
    ...scriptFiles.map((word) => read(word)),
    ...scripts.flatMap(sedFiles),
  ];
}

/** `w file` and `r file` of a script, and `s/…/…/w file`. */
function sedFiles(script: string): TouchedWord[] {
  return [...script.matchAll(/(^|[;}\s/\d$,!])([wWrR])\s*([^\s;}][^\n;}]*)/g)].map(([, , letter = '', file = '']) =>
    letter.toLowerCase() === 'w' ? written(file.trim(), { perhaps: true }) : read(file.trim(), { perhaps: true }),
  );
}
