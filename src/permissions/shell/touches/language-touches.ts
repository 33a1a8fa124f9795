import { changedOperands, codeOperands, isAwk } from './code-operands.js';
import { codeTouches, writesInCode } from './code-touches.js';
import { guessedTouches } from './guessed-touches.js';
import { toolTouches } from './tool-touches.js';
import { keepsBackup, read, type TouchedWord, written } from './touched-word.js';

/** What code among the words names, and what it is given. */
export function languageTouches(program: string, words: readonly string[], codes: readonly string[]): TouchedWord[] {
  const operands = codeOperands(program, words, codes);
  const isCode = new Set(codes);
  const beside = words.filter((word) => !isCode.has(word));
  const options = words.filter((word, index) => !isCode.has(word) && !isCode.has(words[index + 1] ?? ''));
  return [
    ...codes.flatMap(codeTouches),
    ...guessedTouches(beside),
    ...operands.map((word) => read(word)),
    ...(editsInPlace(program, words)
      ? operands.map((word) => written(word, { existing: !words.some(keepsBackup) }))
      : []),
    ...changedOperands(
      codes,
      beside.filter((word) => !word.startsWith('-')),
    ).map((word) => written(word, { perhaps: operands.length === 0 })),
    ...(codes.some(writesInCode) ? namedForCode(words) : []),
    ...toolTouches(program, options),
  ];
}

/** `perl -pi -e …` and `ruby -i -pe …` write the files they read. */
export function editsInPlace(program: string, words: readonly string[]): boolean {
  if (isAwk(program)) return words.some((word) => /^(?:-i|--include=)?inplace$/.test(word));
  return /^(?:perl|j?ruby)[\d.]*$/.test(program) && words.some((word) => /^-(?![MmIxCFrl])[a-zA-Z0]*i/.test(word));
}

/** `awk -v file=name '{print > file}'`. */
function namedForCode(words: readonly string[]): TouchedWord[] {
  return words.flatMap((word) => {
    const file = /^\w+=([\s\S]+)$/.exec(word)?.[1];
    return file === undefined ? [] : [written(file, { perhaps: true })];
  });
}
