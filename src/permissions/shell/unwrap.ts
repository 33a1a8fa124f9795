import { HOLE, isKnown, SPREAD } from '../wildcard.js';
import { programName } from './program-name.js';
import type { RawCommand, ShellCommand } from './shell-command.js';
import { SHELLS, WRAPPERS, type WrapperSpec } from './wrappers.js';

/** What a command is and what it runs. */
export interface Unwrapped {
  commands: ShellCommand[];
  /** Shell text that it runs; `undefined` stands for text that cannot be known. */
  scripts: { text: string | undefined; via: readonly string[] }[];
}

const MAX_LAYERS = 8;

/** Builtins that evaluate a subscript in an argument, and with it a substitution that quotes had kept. */
const SUBSCRIPT_READERS = new Set(
  'let declare typeset local readonly export unset read printf test [ getopts wait'.split(' '),
);

/** Looks through `env`, `timeout`, `bash -c` and their like: both the wrapper and what it runs are judged. */
export function unwrap(command: RawCommand, via: readonly string[]): Unwrapped {
  const found: Unwrapped = { commands: [], scripts: [] };
  unwrapInto(found, command, via);
  return found;
}

function unwrapInto(found: Unwrapped, command: RawCommand, via: readonly string[]): void {
  const layer = via.length > MAX_LAYERS ? UNKNOWN : layerOf(command);
  found.commands.push({
    words: command.words,
    assignments: command.assignments,
    redirects: command.redirects,
    via,
    transparent: layer?.transparent === true && layer.inner !== undefined,
  });
  if (layer === undefined) return;
  const deeper = [...via, programName(command.words[0] ?? '')];
  for (const text of layer.scripts) found.scripts.push({ text, via: deeper });
  if (layer.inner === undefined || layer.inner.words.length === 0) return;
  unwrapInto(found, { redirects: [], ...layer.inner }, deeper);
}

interface Layer {
  scripts: (string | undefined)[];
  inner?: Pick<RawCommand, 'words' | 'assignments' | 'stdin'>;
  transparent?: boolean;
}

const UNKNOWN: Layer = { scripts: [undefined] };

function layerOf(command: RawCommand): Layer | undefined {
  const [first, ...rest] = command.words;
  if (first === undefined || !isKnown(first)) return undefined;
  const program = programName(first);
  if (SHELLS.has(program)) return shellLayer(rest, command.stdin);
  switch (program) {
    case 'eval':
      return { scripts: [joined(rest)] };
    case 'trap':
      return rest.length > 1 ? { scripts: [known(rest.find((word) => word !== '--') ?? '')] } : undefined;
    case 'alias':
      return rest.some((word) => word.includes('=') || !isKnown(word)) ? UNKNOWN : undefined;
    case '.':
    case 'source':
      return rest[0] === undefined || !isKnown(rest[0]) || rest[0].startsWith('/dev/') ? UNKNOWN : undefined;
    case 'command':
      return commandLayer(rest, command);
    case 'env':
      return envLayer(rest, command);
    case 'find':
      return findLayer(rest);
    case 'mapfile':
    case 'readarray':
    case 'complete':
    case 'compgen':
    case 'bind':
      return rest.some((word) => /^-[CcFWx]/.test(word)) ? UNKNOWN : undefined;
    default:
      if (SUBSCRIPT_READERS.has(program) && rest.some((word) => /\[[\s\S]*(?:\$\(|`)/.test(word))) return UNKNOWN;
      return gitAliasLayer(program, rest) ?? wrapperLayer(program, rest, command);
  }
}

/** `bash -c text`, `bash script`, or a script on stdin. */
function shellLayer(words: readonly string[], stdin: string | undefined): Layer | undefined {
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (!isKnown(word)) return UNKNOWN;
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(word)) return { scripts: [firstOperand(words.slice(index + 1))] };
    if (word === '-s' || word === '-') break;
    if (/^--(?:rcfile|init-file)$/.test(word)) return UNKNOWN;
    if (/^[-+][A-Za-z]*[oO]$/.test(word)) index += 1;
    else if (!/^[-+]/.test(word)) return word.startsWith('/dev/') || word.startsWith('/proc/') ? UNKNOWN : undefined;
    else if (word === '--version' || word === '--help') return undefined;
    index += 1;
  }
  return stdin === undefined ? UNKNOWN : { scripts: [known(stdin)] };
}

/** Options may stand between `-c` and its text: `bash -c -e 'text'`. */
function firstOperand(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (!isKnown(word)) return undefined;
    if (word === '--' || word === '-') return known(words[index + 1]);
    if (!/^[-+]./.test(word)) return word;
    if (/[oO]$/.test(word)) return undefined;
  }
  return undefined;
}

function commandLayer(words: readonly string[], { stdin }: RawCommand): Layer | undefined {
  const start = words.findIndex((word) => !word.startsWith('-'));
  if (words.slice(0, start === -1 ? undefined : start).some((word) => /^-[A-Za-z]*[vV]/.test(word))) return undefined;
  return start === -1 ? undefined : runs(words.slice(start), { transparent: true, stdin });
}

function envLayer(words: readonly string[], { stdin }: RawCommand): Layer | undefined {
  const assignments: string[] = [];
  let index = 0;
  while (index < words.length) {
    const word = words[index] ?? '';
    const split = /^(?:-[a-z]*S|--split-string=?)([\s\S]*)$/.exec(word);
    if (split !== null) {
      const text = split[1] === '' ? words[++index] : split[1];
      return { scripts: [joined([...(text === undefined ? [] : [text]), ...words.slice(index + 1)])] };
    }
    if (/^(?:-[a-z]*[uC]|--unset|--chdir)$/.test(word)) index += 1;
    else if (isKnown(word.replace(/=[\s\S]*$/, '')) && /^[^=-][^=]*=/.test(word)) assignments.push(word);
    else if (word === '--') {
      // Only options end here; assignments may still follow.
    } else if (!word.startsWith('-')) return runs(words.slice(index), { transparent: true, stdin, assignments });
    index += 1;
  }
  return undefined;
}

/** `find … -exec cmd ;`: every command it may run, and whether it stays a mere search. */
function findLayer(words: readonly string[]): Layer | undefined {
  const scripts: (string | undefined)[] = [];
  for (const [index, word] of words.entries()) {
    if (word.startsWith(SPREAD)) scripts.push(undefined);
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word)) continue;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((other) => other === ';' || other === '+');
    const inner = rest.slice(0, end === -1 ? undefined : end).map((other) => other.replaceAll('{}', HOLE));
    scripts.push(inner.every(isQuotable) ? inner.map(quote).join(' ') : undefined);
  }
  return scripts.length === 0 ? undefined : { scripts };
}

/** `git -c alias.x=!cmd x` runs `cmd`; other configuration names programs as well. */
function gitAliasLayer(program: string, words: readonly string[]): Layer | undefined {
  if (program !== 'git') return undefined;
  const defined = words.findIndex((word) => /^alias\./i.test(word));
  if (words.includes('config') && words[defined + 1]?.startsWith('!') === true) {
    return { scripts: [known(words[defined + 1]?.slice(1))] };
  }
  for (const [index, word] of words.entries()) {
    if (!word.startsWith('-')) break;
    const setting = word === '-c' ? words[index + 1] : /^--config-env/.test(word) ? '' : undefined;
    if (setting === undefined) continue;
    const alias = /^alias\.[^=]*=([\s\S]*)$/i.exec(setting)?.[1];
    if (alias === undefined) continue;
    return { scripts: [alias.startsWith('!') ? known(alias.slice(1)) : known(`git ${alias}`)] };
  }
  return undefined;
}

function wrapperLayer(program: string, words: readonly string[], command: RawCommand): Layer | undefined {
  for (const spec of WRAPPERS.get(program) ?? []) {
    const rest = afterSubcommand(spec.subcommand ?? [], words);
    if (rest !== undefined) return applySpec(spec, rest, command);
  }
  return undefined;
}

function afterSubcommand(subcommand: readonly string[], words: readonly string[]): readonly string[] | undefined {
  let rest = words;
  for (const wanted of subcommand) {
    const at = rest.findIndex((word) => !word.startsWith('-'));
    if (rest[at] !== wanted) return undefined;
    rest = rest.slice(at + 1);
  }
  return rest;
}

function applySpec(spec: WrapperSpec, words: readonly string[], { stdin }: RawCommand): Layer | undefined {
  const scripts: (string | undefined)[] = [];
  const assignments: string[] = [];
  let operands = spec.operands ?? 0;
  let index = 0;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word.startsWith(SPREAD)) return UNKNOWN;
    const script = spec.script?.find((option) => word === option || word.startsWith(`${option}=`));
    if (script !== undefined) {
      scripts.push(known(word === script ? words[++index] : word.slice(script.length + 1)));
    } else if (spec.valueOptions?.includes(word) === true) index += 1;
    else if (/^-./.test(word)) continue;
    else if (spec.assignments === true && /^\w+=/.test(word)) assignments.push(word);
    else if (operands > 0) operands -= 1;
    else break;
  }
  const rest = words.slice(index);
  if (rest.length === 0) return scripts.length > 0 ? { scripts } : undefined;
  if (spec.joins === true)
    return { scripts: [...scripts, joined([...rest, ...(spec.appends === true ? [HOLE] : [])])] };
  const inner = spec.appends === true ? [...rest, SPREAD] : [...rest];
  return { ...runs(inner, { transparent: spec.transparent === true, stdin, assignments }), scripts };
}

function runs(
  words: readonly string[],
  { transparent, stdin, assignments = [] }: { transparent: boolean; stdin: string | undefined; assignments?: string[] },
): Layer {
  return {
    scripts: [],
    transparent,
    inner: { words: [...words], assignments, ...(stdin === undefined ? {} : { stdin }) },
  };
}

function joined(words: readonly string[]): string | undefined {
  return known(words.join(' '));
}

function known(text: string | undefined): string | undefined {
  return text !== undefined && isKnown(text) ? text : undefined;
}

function isQuotable(word: string): boolean {
  return !word.includes(SPREAD);
}

/** Back to shell text; an unknown stretch becomes a quoted expansion, which is unknown again when read. */
function quote(word: string): string {
  return word
    .split(HOLE)
    .map((part) => `'${part.replaceAll("'", `'\\''`)}'`)
    .join('"$_"');
}
