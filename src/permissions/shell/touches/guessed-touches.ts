import { read, type TouchedWord } from './touched-word.js';

/** A program that is not in the table: each word may be a file, also after `=`, `@` or `:`. */
export function guessedTouches(words: readonly string[]): TouchedWord[] {
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
