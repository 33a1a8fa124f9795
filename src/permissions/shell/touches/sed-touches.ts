import { sedCommands } from '../layers/sed-commands.js';
import { reachesOf, readSed } from '../layers/sed-scripts.js';
import { keepsBackup, read, type TouchedWord, written } from './touched-word.js';

/** The files that `sed` reads and edits, and those that its scripts name. */
export function sedTouches(words: readonly string[]): TouchedWord[] {
  const inPlace = words.some((word) => /^(?:-[a-zA-Z]*i|--i)/.test(word));
  const existing = !words.some(keepsBackup);
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
