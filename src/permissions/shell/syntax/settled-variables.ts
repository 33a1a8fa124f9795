import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/** Builtins that may run code in the same shell, or give what they name another meaning. */
const RUNS_HERE = /^(?:eval|source|\.|trap|alias|unalias|builtin|command|enable|coproc|let|fc)$/;
/** Builtins that set variables which they are given the names of. */
const SETS_NAMED = /^(?:read|mapfile|readarray|declare|typeset|local|readonly|export|unset|getopts|wait)$/;
/** Variables that the shell changes, or goes by. */
const OF_THE_SHELL =
  /^(?:_|BASH.*|COMP.*|S?RANDOM|SECONDS|LINENO|PWD|OLDPWD|REPLY|OPT.*|PIPESTATUS|FUNCNAME|DIRSTACK|E?UID|PPID|GROUPS|HIST.*|COLUMNS|LINES|EPOCH.*|SHLVL|SHELLOPTS|IFS|HOME|PATH|PS\d|MAPFILE|COPROC.*|HOST.*|MACHTYPE|OSTYPE|READLINE.*|CDPATH|ENV|GLOBIGNORE|POSIXLY_CORRECT|TIMEFORMAT|TMOUT|LC_.*|LANG)$/;
const MAY_SET = /(?:^|[\s;&|({])(?:for[ \t]+\w+[ \t]+in\b|\w+=)/;
/** Operators of numbers that give the variable before them a value. */
const ASSIGNS = /^(?:[-+*/%&|^]|<<|>>)?=$|^(?:\+\+|--)$/;
/** Each name in a text, with what stands before it. */
const MENTION = /(\$\{?|-)?(?<!\w)([A-Za-z_]\w*)/g;
/** A command's name in which variables stand for themselves. */
const IN_VARIABLE = /^"?(?=.*\$)(?:[\w./+:@%,=-]|\$\w+|\$\{\w+\})+"?$/;
const NONE: ReadonlySet<string> = new Set();

/**
 * The variables of a text that can have no other values than those that are written in it: all places that name them
 * are uses but for one that sets them, or are loops over them, and nothing else in the text sets what it does not name.
 */
export function settledVariables(text: string, script: ParsedScript): ReadonlySet<string> {
  if (!text.includes('$') || !MAY_SET.test(text) || /\bIFS\b/.test(text)) return NONE;
  const found: Found = { setsUnnamed: false, functions: false, loops: new Map(), called: [], values: new Map() };
  look(script, found);
  const mentions = mentionsIn(text);
  if (found.setsUnnamed || found.called.some((one) => !isHarmless(one, found, mentions))) return NONE;
  const settled = new Set<string>();
  for (const [name, count] of mentions) {
    const isSettled = count === 1 || (!found.functions && count === found.loops.get(name));
    if (isSettled && !OF_THE_SHELL.test(name)) settled.add(name);
  }
  return settled;
}

function mentionsIn(text: string): Map<string, number> {
  const mentions = new Map<string, number>();
  for (const { 1: sign = '', 2: name = '', index, 0: whole } of text.matchAll(MENTION)) {
    if (isUse(sign, text.slice(index + whole.length, index + whole.length + 2))) continue;
    mentions.set(name, (mentions.get(name) ?? 0) + 1);
  }
  return mentions;
}

/** `$x`, `${x}`, `${x%y}`, and a flag; not `${x=y}`, `${x[0]}`. */
function isUse(sign: string, after: string): boolean {
  if (sign === '$' || sign === '-') return true;
  return sign === '${' && (/^[}%#/^,+?-]/.test(after) || /^:[^=]/.test(after));
}

interface Found {
  /** Something may set a variable that it does not name. */
  setsUnnamed: boolean;
  functions: boolean;
  /** By variable, the loops over it. */
  loops: Map<string, number>;
  /** Commands whose name is in a variable. */
  called: Command[];
  /** By variable, what is assigned to it where that is plain, and where that is done. */
  values: Map<string, { text: string; end: number }>;
}

/** A command whose name can only be that of one which sets no variables. */
function isHarmless({ name, suffix }: Command, { values, functions }: Found, mentions: Map<string, number>): boolean {
  if (name === undefined) return false;
  let known = true;
  const text = name.text.replace(/["]/g, '').replace(/\$\{?(\w+)\}?/g, (_, variable: string) => {
    const value = values.get(variable);
    known &&= value !== undefined && mentions.get(variable) === 1 && !functions && value.end <= name.pos;
    return value?.text ?? '';
  });
  if (!known || !isPlain(text)) return false;
  const [next] = suffix;
  // Should it be empty after all, without quotes the next word is the command.
  if (!name.text.startsWith('"') && next?.type === 'Word' && !isHarmlessName(next.text)) return false;
  return isHarmlessName(text);
}

function isHarmlessName(name: string): boolean {
  return !RUNS_HERE.test(name) && !SETS_NAMED.test(name) && name !== 'printf' && name !== 'set';
}

function look(node: SyntaxNode, found: Found): void {
  if (found.setsUnnamed) return;
  if (node.type === 'Command') {
    for (const part of node.prefix) {
      if (part.type !== 'Assignment' || part.value?.type !== 'Word' || part.append === true) continue;
      const text = part.value.text.replace(/^(["'])(.*)\1$/, '$2');
      if (node.name === undefined && isPlain(text)) found.values.set(part.name, { text, end: part.end });
    }
    if (node.name !== undefined && IN_VARIABLE.test(node.name.text)) found.called.push(node);
    else if (mayMakeUpNames(node)) found.setsUnnamed = true;
  }
  if (node.type === 'ArithmeticBinary' && ASSIGNS.test(node.operator)) found.setsUnnamed ||= !isName(node.left);
  if (node.type === 'ArithmeticUnary' && ASSIGNS.test(node.operator)) found.setsUnnamed ||= !isName(node.operand);
  if (node.type === 'Function') found.functions = true;
  if (node.type === 'For') found.loops.set(node.name.value, (found.loops.get(node.name.value) ?? 0) + 1);
  forEachChild(node, (child) => look(child, found));
}

function mayMakeUpNames({ name, prefix, suffix }: Command): boolean {
  if (prefix.some((part) => part.type === 'Assignment' && part.index !== undefined)) return true;
  if (name === undefined) return false;
  if (!isPlain(name.text)) return true;
  if (RUNS_HERE.test(name.text)) return true;
  const words = suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment');
  // `printf -v name`
  if (name.text === 'printf')
    return !/^(?:'|"?[^-$`"\\])/.test(words[0]?.text ?? '') || /^['"]-/.test(words[0]?.text ?? '');
  if (!SETS_NAMED.test(name.text)) return false;
  return words.some((part) =>
    part.type === 'Word' ? !isPlain(part.text) || isOption(part.text) : part.index !== undefined,
  );
}

function isName(node: SyntaxNode): boolean {
  return node.type === 'ArithmeticWord' && /^\w+$/.test(node.value);
}

/** Written as it is meant. */
function isPlain(text: string): boolean {
  return /^(?:[\w./+:@%,=-]+|\[|!)$/.test(text);
}

/** One that gives a name, or another meaning to what is set. */
function isOption(text: string): boolean {
  return text.startsWith('-') && !/^-[rxts]$/.test(text);
}
