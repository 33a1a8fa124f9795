import { type Assignment, type Command, forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';
import { evaluatesOperand, traitsOfVariable } from './hidden-code.js';

type Node = SyntaxNode | Command | Assignment | ParsedScript;

/** Builtins that read the names which they are given, subscripts and all, as bash reads an expression. */
const NAMING = /^(?:declare|typeset|local|readonly|export|unset|read|getopts|wait|mapfile|readarray|printf)$/;
const IDENTIFIER = /[A-Za-z_]\w*/g;
/** What a function and `set` give: `$1`, `$@`. */
const ARGUMENTS = '@';
/** The last word of the command before. */
const LAST = '_';

/** Where values come from. */
interface Origin {
  /** From a program or a file. */
  outside: boolean;
  /** From these variables. */
  names: Set<string>;
  /** What was looked at: an expression in an expression is so once. */
  seen: Set<Node>;
}

interface Found {
  evaluated: Origin;
  variables: Map<string, Origin>;
  /** What every command is given: a function may be one of them. */
  given: Origin;
  hasFunctions: boolean;
}

/**
 * Whether an expression of a text takes a value that a program or a file gave: bash runs the substitutions in its
 * subscripts, as `x=$(cat f); echo $((x))` does. One that can only be a number is none.
 */
export function evaluatesOutside(script: ParsedScript): boolean {
  const found: Found = { evaluated: nowhere(), variables: new Map(), given: nowhere(), hasFunctions: false };
  look(script, found);
  if (found.hasFunctions) merge(originOf(found, ARGUMENTS), found.given);
  merge(originOf(found, LAST), found.given);
  const pending = [...found.evaluated.names];
  const seen = new Set<string>();
  if (found.evaluated.outside) return true;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const origin = found.variables.get(name);
    if (origin?.outside === true) return true;
    if (origin !== undefined) pending.push(...origin.names);
  }
  return false;
}

function look(node: Node, found: Found): void {
  const { evaluated } = found;
  switch (node.type) {
    case 'Command':
      lookAtCommand(node, found);
      break;
    case 'Assignment':
      if (node.index !== undefined) trace(node.index, evaluated);
      lookAtValue(node, found);
      break;
    case 'Function':
      found.hasFunctions = true;
      break;
    case 'For':
      for (const word of node.wordlist ?? []) trace(word, originOf(found, node.name.value));
      break;
    case 'Select':
      originOf(found, node.name.value).outside = true;
      break;
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) trace(part, evaluated);
      break;
    case 'ArithmeticCommand':
    case 'ArithmeticExpansion':
      forEachChild(node, (child) => trace(child, evaluated));
      break;
    case 'TestUnary':
    case 'TestBinary':
      if (evaluatesOperand(node.operator)) forEachChild(node, (child) => trace(child, evaluated));
      break;
    case 'ParameterExpansion':
      lookAtParameter(node, found);
  }
  forEachChild(node as SyntaxNode, (child) => look(child, found));
}

function lookAtValue({ name, value }: Assignment, found: Found): void {
  if (value === undefined) return;
  for (const part of value.type === 'Word' ? [value] : value.elements) {
    trace(part, originOf(found, name));
    // `([x]=1)`
    if (value.type !== 'Word' && part.text.startsWith('[')) trace(part, found.evaluated);
  }
}

function lookAtCommand(node: Command, found: Found): void {
  const { evaluated, given } = found;
  const name = node.name?.text ?? '';
  for (const part of node.suffix) {
    if (part.type === 'Assignment') {
      if (part.value?.type === 'Word') trace(part.value, evaluatesNumbers(node) ? evaluated : given);
      continue;
    }
    if (part.type !== 'Word') continue;
    trace(part, given);
    if (name === 'set') trace(part, originOf(found, ARGUMENTS));
    if (name === 'let' || (/^(?:test|\[)$/.test(name) && hasOption(node, /^-[vR]$/))) trace(part, evaluated);
    if (!NAMING.test(name)) continue;
    if (name !== 'printf') trace(part, part.parts === undefined ? nowhere() : evaluated);
    if (/^(?:read|mapfile|readarray)$/.test(name))
      for (const [one] of part.value.matchAll(IDENTIFIER)) originOf(found, one).outside = true;
  }
  if (name === 'read') originOf(found, 'REPLY').outside = true;
  if (/^(?:mapfile|readarray)$/.test(name)) originOf(found, 'MAPFILE').outside = true;
  if (name === 'printf') lookAtPrintf(node, found);
}

/** `printf -v name format values` */
function lookAtPrintf({ suffix }: Command, found: Found): void {
  const words = suffix.filter((part) => part.type === 'Word');
  if (!/^['"]?-v/.test(words[0]?.text ?? '')) return;
  const at = words[0]?.value === '-v' ? 1 : 0;
  const target = words[at];
  if (target?.parts !== undefined) trace(target, found.evaluated);
  const origin = originOf(found, at === 1 ? (target?.value ?? '') : (target?.value.slice(2) ?? ''));
  for (const word of words.slice(at + 1)) trace(word, origin);
}

type Parameter = Extract<SyntaxNode, { type: 'ParameterExpansion' }>;

function lookAtParameter({ parameter, prefix, index, operation }: Parameter, found: Found): void {
  const { evaluated } = found;
  const isList = /^[@*]$/.test(index?.text ?? '');
  if (index !== undefined && !isList) trace(index, evaluated);
  if (prefix === '!' && operation?.type !== 'Names' && !isList) evaluated.names.add(argumentOr(parameter));
  if (operation?.type === 'Slice')
    for (const part of [operation.offset, operation.length]) if (part !== undefined) trace(part, evaluated);
  if (operation?.type === 'Default') forEachChild(operation, (child) => trace(child, originOf(found, parameter)));
}

/** Notes where a value comes from that is made of this. */
function trace(node: Node, origin: Origin): void {
  if (origin.seen.has(node)) return;
  origin.seen.add(node);
  switch (node.type) {
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
      origin.outside ||= node.script === undefined || !printsNumber(node.script);
      return;
    case 'ProcessSubstitution':
      return;
    case 'Glob':
    case 'ExtendedGlob':
      origin.outside = true;
      return;
    case 'SimpleExpansion':
      addName(origin, node.text.slice(1));
      return;
    case 'ParameterExpansion':
      if (node.prefix === '#') return;
      addName(origin, node.parameter);
      break;
    case 'ArithmeticWord':
      addNames(origin, node.value);
      break;
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      addNames(origin, node.value);
      return;
    case 'Word':
      if (node.parts === undefined) addNames(origin, node.value);
  }
  forEachChild(node as SyntaxNode, (child) => trace(child, origin));
}

/** A name in a value is read as what it holds. */
function addNames({ names }: Origin, text: string): void {
  for (const [name] of text.matchAll(IDENTIFIER)) names.add(name);
  if (/\$\{?[\d@*]/.test(text)) names.add(ARGUMENTS);
}

function addName(origin: Origin, name: string): void {
  if (!/^[?#$!-]$/.test(name)) origin.names.add(argumentOr(name));
}

function argumentOr(name: string): string {
  return /^[\d@*]/.test(name) ? ARGUMENTS : name;
}

/** Whether a substitution can print nothing but numbers. */
function printsNumber({ commands }: ParsedScript): boolean {
  const command = commands.at(-1)?.command;
  const last = command?.type === 'Pipeline' ? command.commands.at(-1) : command;
  if (commands.length !== 1 || last?.type !== 'Command') return false;
  const words = last.suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment');
  const texts = words.map((part) => (part.type === 'Word' && part.parts === undefined ? part.value : undefined));
  switch (last.name?.text) {
    case 'wc':
    case 'date':
    case 'nproc':
    case 'seq':
      return !texts.includes(undefined);
    case 'id':
      return texts.length === 1 && /^-[ug]$/.test(texts[0] ?? '');
    case 'grep':
      return texts.some((text) => /^-[a-zA-Z]*c/.test(text ?? '')) && words.every(isNoGlob);
    case 'git':
      return texts[0] === 'rev-list' && texts.includes('--count');
    case 'jq':
      return texts.some((text) => /^length$|\|\s*length$/.test(text ?? '')) || words.some(endsInLength);
    default:
      return false;
  }
}

/** With several files it prints their names. */
function isNoGlob(part: Command['suffix'][number]): boolean {
  return part.type !== 'Word' || part.parts?.every(({ type }) => /^(?:Literal|SingleQuoted)$/.test(type)) !== false;
}

function endsInLength(part: Command['suffix'][number]): boolean {
  return part.type === 'Word' && /^'[^']*\blength'$/.test(part.text);
}

/** `declare -i` */
function evaluatesNumbers(node: Command): boolean {
  return /^(?:declare|typeset|local|readonly|export)$/.test(node.name?.text ?? '') && hasOption(node, /^-[A-Za-z]*i/);
}

function hasOption({ suffix }: Command, option: RegExp): boolean {
  return suffix.some((part) => part.type === 'Word' && option.test(part.value));
}

/** What is given to a variable that holds a number is read as an expression at once. */
function originOf({ variables, evaluated }: Found, name: string): Origin {
  if (traitsOfVariable(name).evaluates === true) return evaluated;
  const origin = variables.get(name) ?? nowhere();
  variables.set(name, origin);
  return origin;
}

function merge(into: Origin, from: Origin): void {
  into.outside ||= from.outside;
  for (const name of from.names) into.names.add(name);
}

function nowhere(): Origin {
  return { outside: false, names: new Set(), seen: new Set() };
}
