import { CallFacts, type PermissionCall } from './decision/call-facts.js';
import { isRunner, isRunningSubcommand, lookingWords, takesSubcommand } from './proposable-programs.js';
import { isFileTool, SHELL_TOOL } from './rules/tool-names.js';
import { isFree, isWithinLimits } from './shell/allow-limits.js';
import { SHELLS, WRAPPERS } from './shell/layers/wrappers.js';
import { programName } from './shell/programs/program-name.js';
import type { ShellCommand } from './shell/syntax/shell-command.js';
import { isKnown } from './text/marks.js';

const MAX_PROPOSALS = 5;

/**
 * Narrow allow rules by which a call like this one need not be asked about again: one for each simple command, none for
 * an interpreter, a shell, a wrapper or bare `git`. Empty where a part of the call has no such rule: half an answer
 * would be asked about again.
 */
export function proposeAllowRules(call: PermissionCall): string[] {
  if (call.toolName !== SHELL_TOOL) return isFileTool(call.toolName) ? filePaths(call) : [];
  const { shell } = new CallFacts(call);
  if (shell === undefined || shell.unreadable !== undefined || shell.malformed) return [];
  const commands = shell.commands.filter((command) => !command.guessed && !isFree(command) && !command.transparent);
  if (commands.some(({ redirects }) => redirects.some(({ kind }) => kind === 'write'))) return [];
  const rules = commands.map(ruleFor);
  if (rules.some((rule) => rule === undefined)) return [];
  const unique = [...new Set(rules.flatMap((rule) => rule ?? []))];
  return unique.length > MAX_PROPOSALS ? [] : unique;
}

/** A rule for one file is narrow; a directory, which the others look through, is not for a machine to propose. */
const ONE_FILE = new Set(['read_file', 'write_file', 'edit_file']);

function filePaths({ toolName, args }: PermissionCall): string[] {
  const path = (args as { path?: unknown } | null)?.path;
  if (!ONE_FILE.has(toolName) || typeof path !== 'string' || !isPlainPath(path)) return [];
  return [`${toolName}(/${path.replace(/^\.\//, '')})`];
}

/** Nothing that a rule would read otherwise, and the name of one place below the workspace. */
function isPlainPath(path: string): boolean {
  if (/[*?[\]{}\\()~\p{Cc}]/u.test(path) || path !== path.trim()) return false;
  return path
    .replace(/^\.\//, '')
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/**
 * Any arguments for a program that only looks; for another one the command as it stands, since nothing tells what it
 * does with other ones.
 */
function ruleFor(command: ShellCommand): string | undefined {
  const { words, assignments, wraps } = command;
  const [first = ''] = words;
  if (assignments.length > 0 || wraps || !isPlain(first) || first.includes('/')) return undefined;
  const program = programName(first);
  if (runsOthers(program, words[1]) || !isWithinLimits(command)) return undefined;
  const looking = lookingWords(program, words[1]);
  if (looking !== undefined) return `shell(${[program, ...words.slice(1, looking)].join(' ')}:*)`;
  // What comes on standard input is no part of the rule: without operands it could be a script.
  const isWhole = words.length > 1 && words.every(isPlain);
  return isWhole ? `shell(${words.join(' ')})` : undefined;
}

function runsOthers(program: string, subcommand: string | undefined): boolean {
  const names = [program, baseName(program)];
  if (names.some((name) => SHELLS.has(name) || isRunner(name))) return true;
  // A rule with options between would allow other ones too.
  if (takesSubcommand(program))
    return subcommand === undefined || !/^[a-z]/i.test(subcommand) || isRunningSubcommand(program, subcommand);
  return names.some((name) => WRAPPERS.has(name));
}

/** `python3.12`, `lua5.4` and `cmd.exe` are the same programs as without. */
function baseName(program: string): string {
  return program
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat)$/, '')
    .replace(/-?\d[\d.]*$/, '');
}

/** Nothing that a rule would read otherwise. */
function isPlain(word: string): boolean {
  return isKnown(word) && /^[\w.:@+/=,%-]+$/.test(word);
}
