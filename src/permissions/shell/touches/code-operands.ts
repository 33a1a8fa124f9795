import type { ProgramEffects } from '../programs/program-effects.js';
import { readOptions } from '../programs/program-options.js';

const AWK: ProgramEffects = {
  operands: 'pattern',
  data: ['-v', '--assign', '-F', '--field-separator', '-e', '--source', '-l', '--load', '-m', '-W'],
  reads: ['-f', '--file', '-E', '--exec', '-i', '--include'],
};
const GIVES_PROGRAM = /^(?:-[feE]|--(?:file|exec|source))/;
/** `perl -ne`, `ruby -pi -e`: the code is run for each line of the operands. */
const FOR_EACH_LINE = /^-(?![MmIxCFlr])[A-Za-z0]*?[npi]/;
/** Code that is given operands, and code that opens files. */
const TAKES_OPERANDS = /argv|ARGF|<>|fileinput|\bargs?\b|commandArgs|\bshift\b|command-line/i;
const CHANGES =
  /writ|append|unlink|remove|\brm|rename|truncat|copy|mkdir|put_contents|["'][wax]b?\+?["']|["']\+?>>?["']/i;
const OPENS = /open|read(?!line|y)|slurp|file|<>|ARGF|path\(|include|require\(|source\(/i;

/**
 * The operands that a program with inline code reads as files, known or not: those of `awk` and `perl -n`, and those of
 * code that opens what it is given.
 */
export function codeOperands(program: string, words: readonly string[], codes: readonly string[]): string[] {
  if (isAwk(program)) return awkOperands(words);
  const isCode = new Set(codes);
  const operands = words.filter((word) => !word.startsWith('-') && !isCode.has(word));
  if (operands.length === 0) return operands;
  if (/^(?:perl|j?ruby)[\d.]*$/.test(program) && words.some((word) => FOR_EACH_LINE.test(word))) return operands;
  return codes.some(opensOperands) ? operands : [];
}

/** Those that code writes or removes by name, as far as it shows. */
export function changedOperands(codes: readonly string[], operands: readonly string[]): readonly string[] {
  return codes.some((code) => TAKES_OPERANDS.test(code) && CHANGES.test(code)) ? operands : [];
}

export function isAwk(program: string): boolean {
  return /^[gmn]?awk$/.test(program);
}

/** `name=value` among them sets a variable. */
function awkOperands(words: readonly string[]): string[] {
  const { operands, flags } = readOptions(AWK, words);
  const files = flags.some((flag) => GIVES_PROGRAM.test(flag)) ? operands : operands.slice(1);
  return files.filter((word) => !/^\w+=/.test(word));
}

function opensOperands(code: string): boolean {
  return TAKES_OPERANDS.test(code) && OPENS.test(code.replace(/stdin\.\w+/g, ''));
}
