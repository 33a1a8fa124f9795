import { isKnown, isMark } from '../../text/marks.js';
import type { ShellWord, TextTraits } from './shell-syntax.js';

/** Tests that evaluate an operand as an expression, subscripts and all. */
const EVALUATING_TEST = /^-(?:v|eq|ne|lt|le|gt|ge|R)$/;
/** Builtins that do so with the subscript of a name they are given. */
const NAMING_BUILTIN = /^(?:declare|typeset|local|readonly|export|unset|read|getopts|wait|mapfile|readarray)$/;
/** Those that read the value of an array as bash reads `(…)`, expansions and all, however it is quoted. */
const DECLARING_BUILTIN = /^(?:declare|typeset|local|readonly)$/;
/** Variables whose value bash expands by itself; as the value of a word, what a name stands for. */
const EXPANDED_VARIABLE = /(?:^|=)(?:PS[0-4]|BASH_ENV|ENV|PROMPT_COMMAND)\b/;
/** Variables whose value is a number, and read as an expression. */
const NUMBER_VARIABLE = /^(?:OPTIND|S?RANDOM|SECONDS|HISTCMD)\b/;
/** The spellings of `$` that `printf`, `echo -e` and prompts know. */
const ESCAPED_DOLLAR = /\\(?:x24|0{0,2}44|[uU]0{0,6}24)/g;

const NO_TRAITS: Readonly<TextTraits> = {
  evaluates: false,
  evaluatesOutside: false,
  expands: false,
  declares: false,
  hidesCode: false,
  hidesSubscript: false,
  hidesArray: false,
  endsInDollar: false,
  beginsInBracket: false,
};

export function noTraits(): TextTraits {
  return { ...NO_TRAITS };
}

export function addTraits(traits: TextTraits, more: Partial<TextTraits>): void {
  for (const name of Object.keys(NO_TRAITS) as (keyof TextTraits)[]) traits[name] ||= more[name] === true;
}

/** Whether what is quoted as data in a text may be run by what else is in it. */
export function runsHiddenCode(traits: TextTraits): boolean {
  const { expands, evaluates, declares, hidesSubscript, hidesArray, endsInDollar, beginsInBracket } = traits;
  const hidesCode = traits.hidesCode || (endsInDollar && beginsInBracket);
  return hidesCode && (expands || (evaluates && hidesSubscript) || (declares && hidesArray));
}

/** What a piece of quoted text could be part of. */
export function traitsOfLiteral(literal: string): Partial<TextTraits> {
  const text = literal.includes('\\') ? literal.replace(ESCAPED_DOLLAR, '$') : literal;
  return {
    hidesSubscript: text.includes('['),
    hidesCode: text.includes('$(') || text.includes('`') || text.includes('${'),
    hidesArray: /(?:^|=)\(/.test(text),
    // Not every pattern that ends in `$`: alone, or in a bracket that is open.
    endsInDollar: text === '$' || (text.endsWith('$') && text.lastIndexOf('[') > text.lastIndexOf(']')),
    beginsInBracket: text.startsWith('(') || text.startsWith('{'),
  };
}

/** What setting a variable does beside setting it. */
export function traitsOfVariable(name: string): Partial<TextTraits> {
  return { expands: EXPANDED_VARIABLE.test(name), evaluates: NUMBER_VARIABLE.test(name) };
}

/** Whether a test such as `-eq` evaluates its operands as expressions. */
export function evaluatesOperand(operator: string): boolean {
  return EVALUATING_TEST.test(operator);
}

/** What the builtin that these words call does with them. */
export function traitsOfCommand(words: readonly ShellWord[]): Partial<TextTraits> {
  const start = words.findIndex(({ text }) => !/^(?:builtin|command|--|-p)$/.test(text));
  const [name = '', ...rest] = words.slice(start === -1 ? 0 : start).map(({ text }) => text);
  const expands = rest.some((text) => EXPANDED_VARIABLE.test(text));
  if (name === 'let') return { expands, evaluates: true };
  if (name === 'test' || name === '[') return { expands, evaluates: rest.some((text) => EVALUATING_TEST.test(text)) };
  if (name === 'printf') {
    const target = /^-v([\s\S]*)/.exec(rest[0] ?? '')?.[1];
    if (target === undefined) return { expands };
    return { expands: expands || !isKnown(target === '' ? (rest[1] ?? '') : target), evaluates: true };
  }
  if (!NAMING_BUILTIN.test(name)) return { expands };
  const names = rest.map((text) => text.replace(/=[\s\S]*$/, ''));
  const isUnknown = names.some((text) => !isKnown(text));
  return {
    // A name that is not known may be that of such a variable.
    expands: expands || isUnknown || (DECLARING_BUILTIN.test(name) && rest.some(isQuotedArray)),
    declares: DECLARING_BUILTIN.test(name) && rest.some(isUnknownValue),
    evaluates:
      isUnknown ||
      names.some((text) => text.includes('[') || /^-[A-Za-z]*[in]/.test(text) || NUMBER_VARIABLE.test(text)),
  };
}

/** `'a=($(cmd))'`: an array that is not quoted has been read as one, and is no text any more. */
function isQuotedArray(word: string): boolean {
  return /^[^=]*=\(/.test(word);
}

function isUnknownValue(word: string): boolean {
  const value = word.slice(word.indexOf('=') + 1);
  return value !== '' && isMark(value.charAt(0));
}
