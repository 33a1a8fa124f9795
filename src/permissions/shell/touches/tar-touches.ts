import { HOLE } from '../../text/marks.js';
import { readOptions } from '../programs/program-options.js';
import { isNamedLikeFile, read, type TouchedWord, written, writtenIn } from './touched-word.js';

/** More than these are taken for any: each file may be in each. */
const MAX_DIRECTORIES = 8;
const ARCHIVE = ['-f', '--file'];
const LIST = ['-T', '--files-from'];
const DIRECTORY = ['-C', '--directory'];
const ADDED = ['--add-file'];
const RENAMED = ['--transform', '--xform'];
const EXCLUDED = ['-X', '--exclude-from'];
/** Of an option that takes no other word. */
const INTO = /^--one-top-level=([\s\S]+)$/;
const OTHERS = [
  ...['-b', '-F', '-g', '-H', '-I', '-K', '-L', '-N', '-V', '--blocking-factor', '--exclude', '--format', '--group'],
  ...['--listed-incremental', '--mode', '--mtime', '--newer', '--owner', '--starting-file', '--strip-components'],
  ...['--tape-length', '--to-command', '--use-compress-program', '--checkpoint-action'],
];
const CREATES = /^(?:-[a-zA-Z]*[cru]|--create|--append|--update|--concatenate|--catenate)/;
const EXTRACTS = /^(?:-[a-zA-Z]*x|--extract|--get)/;

/** The files that `tar` keeps, and those that it makes. */
export function tarTouches(words: readonly string[]): TouchedWord[] {
  const { operands, values, flags } = readOptions(
    { operands: 'data', data: [...ARCHIVE, ...LIST, ...DIRECTORY, ...ADDED, ...EXCLUDED, ...RENAMED, ...OTHERS] },
    unbundled(words),
  );
  const valuesOf = (names: readonly string[]) =>
    values.filter(({ option }) => names.includes(option)).map(({ value }) => value);
  const archives = valuesOf(ARCHIVE).filter((word) => word !== '-');
  const [lists, directories] = [valuesOf(LIST), chain(valuesOf(DIRECTORY))];
  const listed = [...lists, ...valuesOf(EXCLUDED)].map((word) => read(word));
  if (flags.some((flag) => CREATES.test(flag))) {
    const files = [...(isMovedFirst(words, operands) ? [] : operands), ...inside(directories, operands)];
    return [
      ...files.map((word) => read(word.replace(/^@/, ''), { recursive: !isNamedLikeFile(word) })),
      ...(flags.includes('--remove-files') ? files.map((word) => written(word, { recursive: true })) : []),
      ...valuesOf(ADDED).map((word) => read(word)),
      // The names in a list are not known.
      ...(lists.length > 0 ? [read(HOLE)] : []),
      ...archives.map((word) => written(word)),
      ...listed,
    ];
  }
  const opened = [...archives.map((word) => read(word)), ...listed];
  if (!flags.some((flag) => EXTRACTS.test(flag))) return opened;
  const into = flags.flatMap((flag) => INTO.exec(flag)?.[1] ?? []);
  const places = directories.length === 0 ? ['.'] : directories;
  return [
    ...opened,
    ...[...places, ...into, ...inside(places, into)].map((word) => writtenIn(word)),
    // `s,^,directory/,` gives them other names.
    ...valuesOf(RENAMED).flatMap((value) =>
      inside(places, value.split(value.charAt(1)).slice(2, 3)).map((word) => written(word, { perhaps: true })),
    ),
    // What is taken out has the name that it has in the archive.
    ...inside(places, operands).map((word) => written(word, { perhaps: true })),
  ];
}

/** `tar cCf dir archive` is `tar -c -C dir -f archive`. */
function unbundled([first = '', ...rest]: readonly string[]): string[] {
  if (first.startsWith('-') || !/^[A-Za-z]+$/.test(first)) return [first, ...rest];
  const left = [...rest];
  const options = [...first].flatMap((letter) => {
    const value = 'bCfFgHIKLNTVX'.includes(letter) ? left.shift() : undefined;
    return value === undefined ? [`-${letter}`] : [`-${letter}`, value];
  });
  return [...options, ...left];
}

/** Each directory is taken from the one before. */
function chain(directories: readonly string[]): string[] {
  if (directories.length > MAX_DIRECTORIES) return [HOLE];
  return directories.map((directory, index) =>
    directory.startsWith('/') ? directory : directories.slice(0, index + 1).join('/'),
  );
}

function inside(directories: readonly string[], words: readonly string[]): string[] {
  return directories.flatMap((directory) =>
    words.map((word) => (word.startsWith('/') ? word : `${directory}/${word}`)),
  );
}

function isMovedFirst(words: readonly string[], [first]: readonly string[]): boolean {
  const at = words.findIndex(
    (word, index) => /^(?:-[a-zA-Z]*C|--directory)/.test(word) || (index === 0 && /^[a-zA-Z]*C/.test(word)),
  );
  return at !== -1 && first !== undefined && at < words.indexOf(first);
}
