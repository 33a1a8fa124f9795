import { GLOB, isKnown, ONE } from '../../text/marks.js';
import { couldMatch } from '../../text/wildcard.js';
import { programName } from '../programs/program-name.js';
import type { RawCommand } from '../syntax/shell-command.js';
import type { ShellWord, Span } from '../syntax/shell-syntax.js';
import { assignedScripts } from './assigned-scripts.js';
import { commandLanguageScripts } from './command-languages.js';
import { fdLayer, findLayer } from './find-layer.js';
import { gitLayer } from './git-layer.js';
import { inlineCodeLayer, readsCode } from './inline-code.js';
import { joined, type Layer, runsScript, UNKNOWN } from './layer.js';
import { looseScripts } from './loose-runners.js';
import { optionScripts } from './option-scripts.js';
import { isJustMade, programFileLayer } from './program-file-layer.js';
import { sedLayer } from './sed-scripts.js';
import { isDevice, shellLayer } from './shell-layer.js';
import { workDirectory } from './work-directory.js';
import { envLayer, wrapperLayer } from './wrapper-layer.js';
import { SHELLS, WRAPPERS } from './wrappers.js';

const RUNNERS: readonly string[] = [...SHELLS, ...WRAPPERS.keys(), 'env', 'find'];

/** What a command runs beside itself; `undefined` for nothing that is known of. */
export function layerOf(command: RawCommand): Layer | undefined {
  const layer = layerOfWords(command);
  const scripts = assignedScripts(command);
  return scripts.length === 0
    ? layer
    : { ...layer, transparent: false, scripts: [...scripts, ...(layer?.scripts ?? [])] };
}

function layerOfWords(command: RawCommand): Layer | undefined {
  const [first, ...rest] = command.words;
  if (first === undefined) return undefined;
  if (isDevice(first.text)) return UNKNOWN;
  if (!isKnown(first.text)) return layerOfPattern(first.text, rest);
  const program = programName(first.text);
  const own =
    programFileLayer(program, rest) ?? layerOfProgram(program, rest, command) ?? fedCodeLayer(program, rest, command);
  const directory = own?.directory ?? workDirectory(program, rest);
  const layer = directory === undefined ? own : { scripts: [], ...own, directory };
  const [given, commanded, loose] = [
    optionScripts(program, rest),
    commandLanguageScripts(program, command),
    looseScripts(program, rest),
  ];
  if (given.length + commanded.length + loose.length === 0) return layer;
  return { ...layer, transparent: false, scripts: [...given, ...commanded, ...loose, ...(layer?.scripts ?? [])] };
}

function layerOfProgram(program: string, rest: readonly ShellWord[], command: RawCommand): Layer | undefined {
  if (SHELLS.has(program)) return shellLayer(rest, command.stdin);
  // The loader runs the program it is given, and git's own directory holds one for each of its commands.
  if (/^ld(?:-[\w.-]+)?\.so/.test(program)) return wrapperLayer('ld.so', rest, command);
  const gitCommand = /^git-(.+)$/.exec(program)?.[1];
  const [first] = command.words;
  if (gitCommand !== undefined && first !== undefined) return runsGit(gitCommand, first.span, command);
  switch (program) {
    case 'eval':
      return runsScript(joined(rest[0]?.text === '--' ? rest.slice(1) : rest), { here: true });
    case 'fc':
      return rest.some(({ text }) => /^-[a-z]*l/.test(text)) ? undefined : UNKNOWN;
    case 'set':
      return rest.some(({ text }) => text === 'histexpand' || /^-[A-Za-z]*H/.test(text)) ? UNKNOWN : undefined;
    case 'at':
    case 'batch':
      return rest.some(({ text }) => /^-[lrdc]/.test(text)) ? undefined : UNKNOWN;
    case 'trap':
      return rest.length > 1
        ? runsScript(rest.find(({ text }) => text !== '--')?.text ?? '', { here: true })
        : undefined;
    case 'alias':
      return aliasLayer(rest);
    case '.':
    case 'source':
      return sourceLayer(rest);
    case 'command':
      return commandLayer(rest, command);
    case 'env':
      return envLayer(rest, command);
    case 'find':
    case 'gfind':
    case 'bfs':
      return findLayer(rest);
    case 'fd':
    case 'fdfind':
      return fdLayer(rest);
    case 'sed':
    case 'gsed':
      return sedLayer(rest.map(({ text }) => text));
    case 'git':
      return gitLayer(rest) ?? wrapperLayer(program, rest, command);
    case 'mapfile':
    case 'readarray':
    case 'complete':
    case 'compgen':
    case 'bind':
      return rest.some(({ text }) => /^-[CcFWx]/.test(text)) ? UNKNOWN : undefined;
    case 'enable':
      return rest.some(({ text }) => text.startsWith('-f')) ? UNKNOWN : undefined;
    default:
      return inlineCodeLayer(program, rest, command.stdin ?? command.piped) ?? wrapperLayer(program, rest, command);
  }
}

/** `python < file` and `cat file | python` run what `python file` does. */
function fedCodeLayer(
  program: string,
  rest: readonly ShellWord[],
  { words, stdin, piped, source, redirects }: RawCommand,
): Layer | undefined {
  if (source === undefined && redirects.length === 0) return undefined;
  if (stdin !== undefined || piped !== undefined) return undefined;
  const file = redirects.findLast(({ kind }) => kind === 'read')?.target ?? source;
  const [first] = words;
  if (file === undefined || first === undefined || !rest.every(({ text }) => /^-[A-Za-z]{0,2}$/.test(text)))
    return undefined;
  if (
    !readsCode(
      program,
      rest.map(({ text }) => text),
    )
  )
    return undefined;
  if (isJustMade(file)) return UNKNOWN;
  return {
    scripts: [],
    inner: [{ words: [first, { text: file, span: first.span }], assignments: [] }],
    transparent: false,
  };
}

function runsGit(subcommand: string, span: Span, { words, stdin }: RawCommand): Layer {
  const named = [{ text: 'git', span }, { text: subcommand, span }, ...words.slice(1)];
  return { scripts: [], inner: [{ words: named, assignments: [], ...(stdin === undefined ? {} : { stdin }) }] };
}

/** The text of an alias runs with what stands behind its name. */
function aliasLayer(words: readonly ShellWord[]): Layer | undefined {
  const scripts = words.flatMap(({ text }) => {
    const value = /^[^=]*=([\s\S]*)$/.exec(text)?.[1];
    if (!isKnown(text) || (value !== undefined && /<<|#|\\$/.test(value))) return UNKNOWN.scripts;
    return value === undefined || value.trim() === '' ? [] : [{ text: `${value} "$@"`, here: true }];
  });
  return scripts.length === 0 ? undefined : { scripts };
}

/** A file is left to the sandbox, as a script that is run is; a device or a pipe holds what was just made. */
function sourceLayer([file]: readonly ShellWord[]): Layer | undefined {
  return file === undefined || !isKnown(file.text) || isDevice(file.text) ? UNKNOWN : undefined;
}

/**
 * A name that holds a glob or a quoted variable may be that of a shell, or of another program that runs its words. A
 * glob that meets nothing may vanish (`nullglob`): then the next word is the program.
 */
function layerOfPattern(word: string, rest: readonly ShellWord[]): Layer | undefined {
  const name = programName(word);
  if (RUNNERS.some((runner) => couldMatch(runner, name))) return UNKNOWN;
  const vanishes = word.includes(GLOB) || word.includes(ONE);
  return vanishes && rest.length > 0 ? { scripts: [], inner: [{ words: rest, assignments: [] }] } : undefined;
}

function commandLayer(words: readonly ShellWord[], { stdin }: RawCommand): Layer | undefined {
  const start = words.findIndex(({ text }) => !text.startsWith('-'));
  if (start === -1) return undefined;
  if (words.slice(0, start).some(({ text }) => /^-[A-Za-z]*[vV]/.test(text))) return undefined;
  const inner = { words: words.slice(start), assignments: [], ...(stdin === undefined ? {} : { stdin }) };
  return { scripts: [], inner: [inner], transparent: true };
}
