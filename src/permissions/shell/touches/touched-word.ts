/** A file that a command touches, as the command spells it. */
export interface TouchedWord {
  word: string;
  access: 'read' | 'write';
  /** All that is in it as well, where it is a directory. */
  recursive?: boolean;
  /** Of what is below it only what has names like this one, a path with marks. */
  only?: string;
  /** Where it is a directory: what is written in it has other names. */
  inside?: boolean;
  /** Perhaps no file at all: it counts only where it names a path plainly. */
  perhaps?: boolean;
  /** A pattern for what git keeps: never its own directory. */
  tracked?: boolean;
  /** Only what is there changes or goes away: nothing new comes to have a name. */
  existing?: boolean;
}

export function read(word: string, more: Partial<TouchedWord> = {}): TouchedWord {
  return { word, access: 'read', ...more };
}

export function written(word: string, more: Partial<TouchedWord> = {}): TouchedWord {
  return { word, access: 'write', ...more };
}

/** Named as only single files are: what goes through directories by itself does not go on below it. */
export function isNamedLikeFile(word: string): boolean {
  return /[^/.][^/]*\.(?:[cm]?[jt]sx?|jsonc?|md|mdx|txt|py|rs|go|[ch]|cc|cpp|hpp|java|kt|rb|php|s?css|less|html?|vue|svelte|ya?ml|toml|lock|csv|tsv|xml|svg|png|jpe?g|gif|webp|pdf|sh|sql|log|o|snap|patch|diff|bak|orig|zip|t?gz)$/i.test(
    word,
  );
}

/** What a program writes to, or in where it is a directory. */
export function writtenIn(word: string, more: Partial<TouchedWord> = {}): TouchedWord {
  return { word, access: 'write', inside: true, ...more };
}

/** `-i.bak`, `--in-place=.bak`: a file of another name is made beside the one that is edited. */
export function keepsBackup(option: string): boolean {
  return /^(?:-[a-zA-Z0]*?i.|--i[a-z-]*=)/.test(option);
}
