import { HOLE, isKnown, ONE } from '../../text/marks.js';
import { isJustMade } from '../layers/program-file-layer.js';
import { valueIn } from '../programs/program-options.js';
import { openBrackets } from '../syntax/open-brackets.js';
import { read, type TouchedWord, written } from './touched-word.js';

/** What the table of programs cannot say: `zip -@`, `curl -K -`, `jq --rawfile name file`, `install -d`. */
export function otherTouches(program: string, words: readonly string[]): TouchedWord[] {
  switch (program) {
    case 'zip':
      return [
        ...(words.some((word) => /^-[a-zA-Z]*@$/.test(word)) ? [read(HOLE)] : []),
        // It moves them into the archive.
        ...(words.some((word) => /^(?:-[a-zA-Z]*m[a-zA-Z]*|--move)$/.test(word))
          ? words.filter((word) => !word.startsWith('-')).map((word) => written(word, { recursive: true }))
          : []),
      ];
    case 'curl':
      return [
        ...uploads(words),
        ...downloads(words),
        ...(configFiles(words).some(isJustMade) ? [read(HOLE), written(HOLE)] : []),
      ];
    case 'wget':
      return [...uploads(words), ...downloads(words, { always: true })];
    case 'tsc':
      return words.flatMap((word) => (word.startsWith('@') ? [read(word.slice(1))] : []));
    case 'rsync':
      // What the target has beyond its source goes.
      return words.some((word) => word.startsWith('--del'))
        ? words
            .filter((word) => !word.startsWith('-'))
            .slice(-1)
            .map((word) => written(word, { recursive: true }))
        : [];
    case 'tree':
      // It takes their content for names of files.
      return words.some((word) => /^--from(?:tab)?file$/.test(word))
        ? words.filter((word) => !word.startsWith('-')).map((word) => read(word))
        : [];
    case 'socat':
      return words.flatMap(socatAddress);
    case 'jq':
      return words.flatMap((word, index) =>
        /^--(?:raw|slurp|arg)file$/.test(word) ? [read(words[index + 2] ?? '')] : [],
      );
    case 'install':
      return words.some((word) => /^-[bcCDpsTvZ]*d|^--directory$/.test(word))
        ? words.filter((word) => !word.startsWith('-')).map((word) => written(word))
        : [];
    default:
      return [];
  }
}

/** `CREATE:file`, `OPEN:file,append`: a pipe or a socket as well is a file that it makes or writes. */
function socatAddress(word: string): TouchedWord[] {
  const [, file = '', options = ''] =
    /^(?:create?|open|gopen|file|fifo|pipe|named|unix(?:-\w+)?|ptmx|pty)(?:-listen)?:([^,]+)([\s\S]*)$/i.exec(word) ??
    [];
  return file === '' || /,(?:rdonly|ro)\b/.test(options) ? [] : [written(file)];
}

function configFiles(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const taken = word.startsWith('-') ? valueIn(word, ['-K', '--config']) : undefined;
    return taken === undefined ? [] : [taken.value ?? words[index + 1] ?? ''];
  });
}

/** `curl` expands braces and brackets in a URL, and `%2e` is a dot. */
function pathOfUrl(url: string): string {
  const end = url.lastIndexOf('}') + 1;
  const open = openBrackets(url.slice(0, end).replace(/\{[^}]*\}/g, HOLE) + url.slice(end));
  return open.replace(/%([0-9a-f]{2})/gi, (whole, code: string) => {
    const character = Number.parseInt(code, 16);
    return character > 3 && character < 0x80 ? String.fromCharCode(character) : whole;
  });
}

/** `curl -O` and `wget` name what they write by the URL. */
function downloads(words: readonly string[], { always = false }: { always?: boolean } = {}): TouchedWord[] {
  if (!always && !words.some((word) => /^(?:-[a-zA-Z#]*O|--remote-name)/.test(word))) return [];
  const into = words.flatMap((word, index) => {
    const taken = word.startsWith('-')
      ? valueIn(word, always ? ['-P', '--directory-prefix'] : ['--output-dir'])
      : undefined;
    return taken === undefined ? [] : [taken.value ?? words[index + 1] ?? ''];
  });
  return words.flatMap((word) => {
    const url = word.replace(/^--url=/, '');
    if (url.startsWith('-') || !url.includes('/')) return [];
    const path = pathOfUrl(always ? url : withoutQuery(url));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const named = name === '' && always ? 'index.html' : name;
    return named === ''
      ? []
      : ['.', ...into].map((directory) => written(`${directory}/${named}`, { perhaps: !isKnown(named) }));
  });
}

/** Without quotes the shell takes its `?` for a pattern. */
function withoutQuery(url: string): string {
  const ends = ['?', '#', ONE].map((mark) => url.indexOf(mark)).filter((at) => at !== -1);
  return ends.length === 0 ? url : url.slice(0, Math.min(...ends));
}

/** `-F file=@x`, `-d @x`, `file:///x`. */
function uploads(words: readonly string[]): TouchedWord[] {
  return words.flatMap((word) => {
    const url = /^file:\/\/(?:localhost)?([\s\S]*)$/.exec(word)?.[1];
    if (url !== undefined) return [read(pathOfUrl(url))];
    const file = /^(?:[^@]*[=%\w])?[@<]([^;]+)/.exec(word.replace(/^-[dF]/, ''))?.[1];
    return file === undefined ? [] : [read(file.replace(/^"|"$/g, ''))];
  });
}
