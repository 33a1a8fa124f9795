import { HOLE } from '../../text/marks.js';
import { readOptions } from '../programs/program-options.js';
import { read, type TouchedWord, written, writtenIn } from './touched-word.js';

/** What archivers other than `tar` and `zip` keep and make; `undefined` for another program. */
export function archiveTouches(program: string, words: readonly string[]): TouchedWord[] | undefined {
  switch (program) {
    case '7z':
    case '7za':
    case '7zr':
    case 'rar':
      return archiverTouches(words);
    case 'cpio':
      return cpioTouches(words);
    case 'pax':
      return paxTouches(words);
    case 'unzip':
      return unzipTouches(words);
    case 'ar':
      return arTouches(words);
    default:
      return undefined;
  }
}

/** `7z a archive files`, `7z x archive -odir`; `@list` names files. */
function archiverTouches(words: readonly string[]): TouchedWord[] {
  const [command = '', archive = '', ...files] = words.filter((word) => !word.startsWith('-'));
  const into = words.flatMap((word) => /^-op?([^-][\s\S]*)$/.exec(word)?.[1] ?? []);
  if (/^[xe]$/.test(command))
    return [read(archive), ...(into.length > 0 ? into : ['.', ...files.slice(-1)]).map((word) => writtenIn(word))];
  if (!/^[aufm]$/.test(command)) return [read(archive)];
  return [
    // With `-so` what it names is printed.
    read(archive),
    written(archive),
    ...(words.includes('-sdel') ? files.map((word) => written(word, { recursive: true })) : []),
    ...files.flatMap((word) =>
      word.startsWith('@') ? [read(word.slice(1)), read(HOLE)] : [read(word, { recursive: true })],
    ),
  ];
}

/** `unzip archive members -d directory`. */
function unzipTouches(words: readonly string[]): TouchedWord[] {
  const { operands, values, flags } = readOptions({ operands: 'data', data: ['-d', '-x', '-P'] }, words);
  const [archive = '', ...members] = operands;
  if (flags.some((flag) => /^-[a-zA-Z]*[lptvZz]/.test(flag))) return [read(archive)];
  const into = values.filter(({ option }) => option === '-d').map(({ value }) => value);
  return [
    read(archive),
    ...(into.length > 0 ? into : ['.']).map((word) => writtenIn(word)),
    // What is taken out has the name that it has in the archive.
    ...members.map((word) => written(into.length > 0 ? `${into[0]}/${word}` : word, { perhaps: true })),
  ];
}

/** The names of what it keeps come on its standard input. */
function cpioTouches(words: readonly string[]): TouchedWord[] {
  const has = (mode: RegExp) => words.some((word) => mode.test(word));
  const places = words.flatMap((word, index) =>
    /^(?:-D|--directory)$/.test(word) ? (words[index + 1] ?? []) : (/^--directory=([\s\S]*)$/.exec(word)?.[1] ?? []),
  );
  const archives = words.flatMap((word, index) =>
    /^-[a-zA-Z]*[FOI]$/.test(word) ? (words[index + 1] ?? []) : (/^--file=([\s\S]*)$/.exec(word)?.[1] ?? []),
  );
  const out = has(/^(?:-[a-zA-Z]*o|--create)/);
  const passes = has(/^(?:-[a-zA-Z]*p|--pass-through)/);
  const target = passes ? words.filter((word) => !word.startsWith('-')).slice(-1) : [];
  return [
    ...(out || passes ? [read(HOLE)] : []),
    ...archives.map((word) => (out ? written(word) : read(word))),
    ...(out ? [] : [...places, ...target, '.']).map((word) => writtenIn(word)),
  ];
}

/** `pax -w files`, `pax -r`, `pax -rw files directory`; without files their names come on its standard input. */
function paxTouches(words: readonly string[]): TouchedWord[] {
  const letters = words.filter((word) => /^-[a-zA-Z]/.test(word)).join('');
  const operands = words.filter(
    (word, index) => !word.startsWith('-') && !/^-[a-zA-Z]*[fosxbB]$/.test(words[index - 1] ?? ''),
  );
  const archives = words.flatMap((word, index) => (/^-[a-zA-Z]*f$/.test(word) ? (words[index + 1] ?? []) : []));
  const writes = letters.includes('w');
  const reads = letters.includes('r');
  const files = reads && writes ? operands.slice(0, -1) : operands;
  return [
    ...(writes ? (files.length === 0 ? [read(HOLE)] : files.map((word) => read(word, { recursive: true }))) : []),
    ...archives.map((word) => (writes ? written(word) : read(word))),
    ...(reads ? [...(writes ? operands.slice(-1) : []), '.'] : []).map((word) => writtenIn(word)),
  ];
}

/** `ar rcs archive files`. */
function arTouches(words: readonly string[]): TouchedWord[] {
  const [mode = '', archive = '', ...files] = words;
  const writes = /[rdqms]/.test(mode.replace(/^-/, ''));
  return [
    read(archive),
    ...(writes ? [written(archive)] : []),
    ...files.map((word) => read(word)),
    ...(/x/.test(mode) ? [writtenIn('.')] : []),
  ];
}
