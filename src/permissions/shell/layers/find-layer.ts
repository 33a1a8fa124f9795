import { HOLE, isKnown, SPREAD } from '../../text/marks.js';
import { openBrackets } from '../syntax/open-brackets.js';
import type { ShellWord } from '../syntax/shell-syntax.js';
import type { Layer } from './layer.js';

const PLACE = /\{(?:\/|\/\/|\.|\/\.)?\}/;
const EXEC = /^-(?:exec|execdir|ok|okdir)$/;
/** Of the texts that found names are put into, together: one name may be long and stand in many words. */
const MAX_FILLED = 64 * 1024;

/** `find … -exec cmd ;`: every command it may run, given what it may find. */
export function findLayer(words: readonly ShellWord[]): Layer | undefined {
  // It may end one command and begin another.
  if (words.some(({ text }) => text.startsWith(SPREAD))) return { scripts: [{ text: undefined }] };
  const inner: { words: ShellWord[]; assignments: string[] }[] = [];
  const found = namesToFill(words.map(({ text }) => text));
  for (let index = 0; index < words.length; index += 1) {
    if (!EXEC.test(words[index]?.text ?? '')) continue;
    const end = endOfCommand(words, index + 1);
    const command = words.slice(index + 1, end);
    for (const name of found) inner.push({ words: command.map((word) => fill(word, name)), assignments: [] });
    index = end;
  }
  if (inner.length === 0) return undefined;
  // `-execdir` runs in the directory of what was found.
  const moves = words.some(({ text }) => /^-(?:exec|ok)dir$/.test(text));
  return moves ? { scripts: [], inner, directory: HOLE } : { scripts: [], inner };
}

/** `fd … -x cmd`: what it finds takes the place of `{}`, or comes last. */
export function fdLayer(words: readonly ShellWord[]): Layer | undefined {
  const at = words.findIndex(({ text }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(text));
  const command = at === -1 ? [] : words.slice(at + 1);
  const [first] = command;
  if (first === undefined) return undefined;
  const isPlaced = command.some(({ text }) => PLACE.test(text));
  const filled = command.map((word) => ({ ...word, text: word.text.replace(PLACE, HOLE) }));
  const inner = isPlaced ? filled : [...filled, { text: HOLE, span: first.span }];
  return { scripts: [], inner: [{ words: inner, assignments: [] }] };
}

/** What `{}` may stand for: the names it may find, or anything where writing them all out would take too much room. */
function namesToFill(texts: readonly string[]): string[] {
  const found = foundNames(texts);
  const places = texts.reduce((count, text) => count + text.split('{}').length - 1, 0);
  const length = found.reduce((sum, name) => sum + name.length, 0) * places + found.length * texts.length;
  return length > MAX_FILLED ? [HOLE] : found;
}

function endOfCommand(words: readonly ShellWord[], start: number): number {
  for (let index = start; index < words.length; index += 1) {
    const text = words[index]?.text;
    if (text === ';' || text === '+') return index;
  }
  return words.length;
}

/** The paths that `find` may come upon: below its starting points, with the name it looks for where that is certain. */
export function foundNames(words: readonly string[]): string[] {
  const end = words.findIndex((word) => /^[-(!]/.test(word) && word !== '--');
  const starts = words.slice(0, end === -1 ? undefined : end).filter((word) => word !== '--' && !/^-[HLP]$/.test(word));
  const tests = end === -1 ? [] : words.slice(end);
  const isSimple = !tests.some((word) => /^(?:-o|-or|,|!|-not|\(|-regex|-files0-from)$/.test(word));
  const at = isSimple ? tests.findIndex((word) => /^-i?name$/.test(word)) : -1;
  const pattern = at === -1 ? undefined : tests[at + 1];
  const roots = starts.length === 0 ? ['.'] : starts;
  return roots.map((root) => (pattern === undefined ? root + HOLE : `${root}/${HOLE}${nameOf(pattern)}`)).slice(0, 16);
}

/** `find` matches a leading dot with its stars, as a shell does not: what comes before may end anywhere. */
function nameOf(pattern: string): string {
  return isKnown(pattern) ? `/${openBrackets(pattern).replace(/[*?]/g, HOLE)}` : HOLE;
}

function fill(word: ShellWord, name: string): ShellWord {
  return word.text.includes('{}') ? { ...word, text: word.text.replaceAll('{}', name) } : word;
}
