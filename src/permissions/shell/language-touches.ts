import { changedOperands, codeOperands, isAwk } from './code-operands.js';
import { codeTouches, writesInCode } from './code-touches.js';
import { guessedTouches } from './guessed-touches.js';
import { toolTouches } from './tool-touches.js';
import { keepsBackup, read, type TouchedWord, written } from './touched-word.js';

/** What code among the words names, and what it is given. */
export function languageTouches(program: string, words: readonly string[], codes: readonly string[]): TouchedWord[] {
  const operands = codeOperands(program, words, codes);
  return [
    ...codes.flatMap(codeTouches),
    ...guessedTouches(words.filter((word) => !codes.includes(word))),
    ...operands.map((word) => read(word)),
    ...(editsInPlace(program, words)
      ? operands.map((word) => written(word, { existing: !words.some(keepsBackup) }))
      : []),
    ...changedOperands(
      codes,
      words.filter((word) => !word.startsWith('-') && !codes.includes(word)),
    ).map((word) => written(word, { perhaps: !operands.includes(word) })),
    ...(codes.some(writesInCode) ? namedForCode(words) : []),
    ...toolTouches(program, words),
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
