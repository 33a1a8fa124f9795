import { optionValues } from './program-options.js';
import { globalOptionWidth } from './program-table.js';
import { read, type TouchedWord, written } from './touched-word.js';

/** Their words may be files whose content they show or keep. */
const READERS =
  /^(?:add|annotate|archive|apply|blame|bundle|cat-file|checkout-index|diff|difftool|diff-files|diff-index|format-patch|grep|hash-object|log|mergetool|show|stage|stash|whatchanged)$/;
/** Their words may be files that they change. */
const WRITERS = /^(?:checkout|restore|rm|mv|clean|checkout-index|reset)$/;
const MESSAGES = /^(?:-m|--message|--grep|-S|-G|--author|--format|--pretty|-b|-B)$/;

/** The files that a git command shows, keeps or changes. */
export function gitTouches(words: readonly string[]): TouchedWord[] {
  const { subcommand, rest, directory } = subcommandOf(words);
  const paths = rest.filter((_, index) => !MESSAGES.test(rest[index - 1] ?? '')).flatMap(pathIn);
  const touched = [
    ...(READERS.test(subcommand) ? paths.map(({ word, sure }) => read(word, { perhaps: !sure })) : []),
    ...(WRITERS.test(subcommand) ? paths.map(({ word }) => written(word, { perhaps: true })) : []),
    ...(subcommand === 'mv' ? paths.map(({ word }) => read(word, { perhaps: true })) : []),
    ...optionValues(rest, /^(?:--output|-o)$/).map((word) => written(word)),
    ...optionValues(rest, /^(?:-F|--file|-t|--template)$/).map((word) => read(word)),
    ...optionValues(words, /^(?:--git-dir|--work-tree)$/).map((word) => read(word, { perhaps: true })),
  ];
  if (directory === undefined) return touched;
  return touched.map((one) => (one.word.startsWith('/') ? one : { ...one, word: `${directory}/${one.word}` }));
}

function subcommandOf(words: readonly string[]): { subcommand: string; rest: readonly string[]; directory?: string } {
  let directory: string | undefined;
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) break;
    if (word === '-C') directory = words[index + 1];
    index += globalOptionWidth('git', word).at(-1) ?? 1;
  }
  const found = { subcommand: words[index] ?? '', rest: words.slice(index + 1) };
  return directory === undefined ? found : { ...found, directory };
}

/** `HEAD:path` and `:path` as well as `path`. */
function pathIn(word: string): { word: string; sure: boolean }[] {
  if (word === '--' || (word.startsWith('-') && !word.includes('='))) return [];
  const value = word.startsWith('-') ? word.replace(/^[^=]*=/, '') : word;
  const inTree = /^[^:]*:(?:\d:|\/)?([\s\S]+)$/.exec(value)?.[1];
  // An unknown path of a tree could be any; a word alone is more often a revision.
  return inTree === undefined ? [{ word: value, sure: false }] : [{ word: inTree, sure: true }];
}
