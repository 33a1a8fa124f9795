/** A file that a command touches, as the command spells it. */
export interface TouchedWord {
  word: string;
  access: 'read' | 'write';
  /** All that is in it as well, where it is a directory. */
  recursive?: boolean;
  /** Where it is a directory: what is written in it has other names. */
  inside?: boolean;
  /** Perhaps no file at all: it counts only where it names a path plainly. */
  perhaps?: boolean;
  /** What is there goes away, and nothing comes in its place. */
  removes?: boolean;
}

export function read(word: string, more: Partial<TouchedWord> = {}): TouchedWord {
  return { word, access: 'read', ...more };
}

export function written(word: string, more: Partial<TouchedWord> = {}): TouchedWord {
  return { word, access: 'write', ...more };
}

/** What a program writes to, or in where it is a directory. */
export function writtenIn(word: string, more: Partial<TouchedWord> = {}): TouchedWord {
  return { word, access: 'write', inside: true, ...more };
}
