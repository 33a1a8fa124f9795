import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { expandBraces } from '../../text/expand-braces.js';
import { GLOB, HOLE, isKnown, NAME, ONE, SPREAD } from '../../text/marks.js';
import { plainOutput, plainVariable } from './plain-output.js';
import type { ShellWord, Span } from './shell-syntax.js';

/** What reading a word brings to light beside its text. */
export interface WordSink {
  /** Code that the word runs: a substitution. */
  script(script: ParsedScript): void;
  unreadable(why: string): void;
  /** A variable's value is evaluated as an expression, with the substitutions in its subscripts. */
  evaluates(): void;
  /** Literal text: it may be such a value. */
  literal(text: string): void;
  /** A variable gets a value; one whose name is not known may be any. */
  sets(name: string | undefined, node: { pos: number; end: number }): void;
  home: string | undefined;
  /** A star may stand for names with a leading dot. */
  globsDots: boolean;
  /** Programs and variables mean what they do elsewhere. */
  keepsMeanings: boolean;
  /** What a variable holds for certain. */
  valueOf(name: string): string | undefined;
  /** Where the word stands in the text that was asked about. */
  place(node: { pos: number; end: number }): Span;
}

/** A word without its quotes; several when braces in it expand. */
export function readWords(word: Word, sink: WordSink): ShellWord[] {
  const span = sink.place(word);
  if (word.parts?.some(({ type }) => type === 'BraceExpansion') !== true) return [{ text: readText(word, sink), span }];
  const raw = expandBraces(word.text);
  if (raw === undefined || raw.length === 1) return [{ text: readText(word, sink), span }];
  return raw.flatMap((text) => readAlone(text, sink)).map((text) => ({ text, span }));
}

/** The text of a word in which braces stand for anything. */
export function readText(word: Word, sink: WordSink): string {
  const { parts, value, text } = word;
  if (parts === undefined) {
    sink.literal(value);
    return withHome(value, text, sink);
  }
  const read = parts.map((part) => readPart(part, { quoted: false, sink })).join('');
  return parts[0]?.type === 'Literal' ? withHome(read, text, sink) : read;
}

/** The text of an unquoted here-document. */
export function readBody(parts: readonly WordPart[], sink: WordSink): string {
  return parts.map((part) => readPart(part, { quoted: true, sink })).join('');
}

/** Finds the code in what is not a word of a command: subscripts, tests, patterns, operands of `${…}`. */
export function findScripts(node: SyntaxNode, sink: WordSink): void {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) sink.unreadable('a substitution is not understood');
      else sink.script(node.script);
      return;
    case 'ParameterExpansion':
      readParameter(node, { quoted: true, sink });
      return;
    case 'ArithmeticExpansion':
      sink.evaluates();
      break;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Literal':
      sink.literal(node.value);
      return;
    case 'Word':
      if (node.parts === undefined) sink.literal(node.value);
  }
  forEachChild(node, (child) => findScripts(child, sink));
}

/** One of the words that braces expanded to. */
function readAlone(text: string, sink: WordSink): string[] {
  if (text === '') return [];
  const [statement] = parse(`: ${text}`).commands;
  const command = statement?.command;
  if (command?.type !== 'Command' || command.suffix.length !== 1 || command.suffix[0]?.type !== 'Word') return [SPREAD];
  const [word] = command.suffix;
  // Its positions mean nothing outside. A spread of the sink would lose its methods.
  const { home, globsDots, keepsMeanings } = sink;
  const inner: WordSink = {
    home,
    globsDots,
    keepsMeanings,
    script: (script) => sink.script(script),
    unreadable: (why) => sink.unreadable(why),
    evaluates: () => sink.evaluates(),
    literal: (value) => sink.literal(value),
    sets: (name, node) => sink.sets(name, node),
    valueOf: (name) => sink.valueOf(name),
    place: () => ({ from: 0, to: 0 }),
  };
  return [readText(word, inner)];
}

interface PartContext {
  quoted: boolean;
  sink: WordSink;
}

function readPart(part: WordPart, context: PartContext): string {
  const { quoted, sink } = context;
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      sink.literal(part.value);
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((child) => readPart(child, { quoted: true, sink })).join('');
    case 'Glob':
      sink.literal(part.value);
      forEachChild(part, (child) => findScripts(child, sink));
      if (quoted) return part.value;
      if (sink.globsDots) return HOLE;
      return part.kind === 'star' ? GLOB : ONE;
    case 'SimpleExpansion':
      return readVariable(part.text.slice(1), context);
    case 'ParameterExpansion':
      return readParameter(part, context);
    case 'CommandExpansion':
      findScripts(part, sink);
      return outputOf(part.script, sink) ?? (quoted ? HOLE : SPREAD);
    case 'ArithmeticExpansion':
      findScripts(part, sink);
      return HOLE;
    case 'ProcessSubstitution':
      findScripts(part, sink);
      // One that is empty is dropped by bash: the next word may be the command.
      return part.script === undefined || part.script.commands.length === 0 ? SPREAD : `/dev/fd/${GLOB}`;
    case 'ExtendedGlob':
      findScripts(part, sink);
      return HOLE;
    case 'BraceExpansion':
      findScripts(part, sink);
      return SPREAD;
    default:
      sink.unreadable('a part of a word is not understood');
      return SPREAD;
  }
}

function outputOf(script: ParsedScript | undefined, { keepsMeanings }: WordSink): string | undefined {
  return keepsMeanings && script !== undefined ? plainOutput(script) : undefined;
}

function readVariable(name: string, { quoted, sink }: PartContext): string {
  if (name === 'HOME' && sink.home !== undefined) return sink.home;
  if (name === '@' || name === '*') return SPREAD;
  const value = sink.valueOf(name);
  // Without quotes it is parted and expanded once more.
  if (value !== undefined && (quoted || (isKnown(value.replaceAll(NAME, '')) && !/[\s*?[\\]/.test(value))))
    return value;
  const plain = sink.keepsMeanings ? plainVariable(name) : undefined;
  if (plain !== undefined) return plain;
  return quoted || /^[?#$!]$/.test(name) ? HOLE : SPREAD;
}

type Parameter = Extract<WordPart, { type: 'ParameterExpansion' }>;

function readParameter(part: Parameter, context: PartContext): string {
  const { sink, quoted } = context;
  const { operation, index, prefix, parameter } = part;
  if (index !== undefined && !/^[@*]$/.test(index.text)) sink.evaluates();
  if (operation?.type === 'Slice') sink.evaluates();
  if (operation?.type === 'Default' && operation.operator.includes('='))
    sink.sets(prefix === '!' ? undefined : parameter, part);
  // Indirection reads the value as a name, subscript and all; `${!a[@]}` and `${!a*}` only list.
  if (prefix === '!' && operation?.type !== 'Names' && !/^[@*]$/.test(index?.text ?? '')) sink.evaluates();
  // `@P` expands the value as a prompt, which runs the substitutions in it.
  if (operation?.type === 'Transform' && !/^[QEAaUuLKk]$/.test(operation.operand.text)) {
    sink.unreadable(`\${${parameter}@${operation.operand.text}} may run what the variable holds`);
  }
  if (operation?.type === 'Unknown') sink.unreadable('a parameter expansion is not understood');
  forEachChild(part, (child) => findScripts(child, sink));
  if (prefix === '#') return HOLE;
  if (prefix === undefined && operation === undefined && index === undefined) return readVariable(parameter, context);
  const manyWords = /^[@*]/.test(parameter) || /^[@*]$/.test(index?.text ?? '') || operation?.type === 'Names';
  return quoted && !manyWords ? HOLE : SPREAD;
}

/** A `~` that is not quoted is a home directory. */
function withHome(read: string, raw: string, { home }: WordSink): string {
  const name = /^~([^/]*)/.exec(raw)?.[1];
  if (name === undefined) return read;
  return (name === '' && home !== undefined ? home : HOLE) + read.replace(/^~[^/]*/, '');
}
