/** What the patched interpreter calls (see `patches/interpreter-patches.ts`). */
import type { CommandContext } from 'just-bash/browser';
import type { CommandRule } from '../../../protocol/plan.js';
import { refusalBy } from './argv-gate.js';
import { byteLength, bytesToText, textToBytes } from './encoding.js';
import { anyRecentFailure, GuestFileError, recentFailure, whatIsSaidOf } from './file-error.js';
import { LiveOutput } from './live-output.js';
import { resolveGuestPath } from './resolve-path.js';

let live = new LiveOutput();

/** Starts afresh for the next command. */
export function beginLiveOutput(): LiveOutput {
  live = new LiveOutput();
  return live;
}

let denied: readonly CommandRule[] = [];

/** The rules of the next command. */
export function beginDenied(rules: readonly CommandRule[]): void {
  denied = rules;
}

/** What is answered in place of a program that the interpreter runs itself (`true`), where a rule denies it. */
export function refusal(name: string, args: readonly string[]): ReturnType<typeof refusalBy> {
  return denied.length === 0 ? undefined : refusalBy(denied, name, args);
}

interface Redirection {
  operator: string;
  fd?: number | null;
}

const INPUTS = new Set(['<', '<<', '<<-', '<<<']);

/** One statement: what it wrote is told at once unless it runs inside a substitution. */
export function statement<T extends { stdout: string; stderr: string }>(
  substituted: boolean,
  work: () => Promise<T>,
): Promise<T> {
  return substituted ? live.capture(true, true, work) : live.statement(work);
}

/** One command with the redirections written after it. */
export function command<T>(redirections: readonly Redirection[] | undefined, work: () => Promise<T>): Promise<T> {
  if (redirections === undefined || redirections.length === 0) return work();
  const captured = redirections.some((redirection) => !INPUTS.has(redirection.operator));
  return live.capture(captured, captured, work);
}

/** One stage of a pipeline. Only the last one writes to the output; what the ones before it wrote to stderr is told after it. */
export function stage<T>(commands: readonly unknown[], stageCommand: unknown, work: () => Promise<T>): Promise<T> {
  if (commands.length === 1) return work();
  return live.capture(commands[commands.length - 1] !== stageCommand, true, work);
}

/** A script that a command runs (`bash -c`, `xargs`, `find -exec`, …); the command returns its output. */
export function nested<T>(work: () => Promise<T>): Promise<T> {
  return live.capture(true, true, work);
}

/** A byte that an escape sequence names, as text. */
export function byte(value: number): string {
  const low = value & 0xff;
  return String.fromCharCode(low < 0x80 ? low : 0xdc00 + low);
}

export function bytes(values: readonly number[]): string {
  return bytesToText(values.map((value) => String.fromCharCode(value & 0xff)).join(''));
}

/** A backslash in one of `tr`'s sets. */
export function trEscape(set: string, at: number): { character: string; length: number } {
  const octal = /^[0-7]{1,3}/.exec(set.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined) return { character: byte(Number.parseInt(octal, 8)), length: 1 + octal.length };
  const next = set.charAt(at + 1);
  return { character: TR_ESCAPES[next] ?? next, length: 2 };
}

const TR_ESCAPES: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Whether an operand of a command is a directory. */
export async function isDirectory({ fs, cwd }: Pick<CommandContext, 'fs' | 'cwd'>, name: string): Promise<boolean> {
  try {
    return (await fs.stat(fs.resolvePath(cwd, name))).isDirectory;
  } catch {
    return false;
  }
}

/** Text whose byte escapes together may be UTF-8 (`printf '\303\251'`), as the text they are. */
export function joined(text: string): string {
  return /[\udc80-\udcff]/.test(text) ? bytesToText(textToBytes(text)) : text;
}

interface CommandOutput {
  stdout: string;
  stderr: string;
  /** Bytes that the interpreter has counted already. */
  internalOutputAccounting?: { stdout: number; stderr: number };
}

/** A command's result with its complaints made true, and in a shell's words. */
export function withTrueComplaints<T extends CommandOutput>(result: T, cwd: string): T {
  if (result.stderr === '') return result;
  let stderr = result.stderr.replace(RAW, inPlainWords);
  if (anyRecentFailure()) {
    stderr = stderr.replace(MISSING, (line, name: string) => truthfully(line, name, cwd)).replace(UNSURE, reasonOf);
  }
  if (stderr === result.stderr) return result;
  const { internalOutputAccounting: counted } = result;
  // More counted than there is would be taken for a forgery.
  const accounting = counted && { ...counted, stderr: Math.min(counted.stderr, byteLength(stderr)) };
  return { ...result, stderr, ...(accounting && { internalOutputAccounting: accounting }) };
}

/** Node's way of telling a file's error, which no shell user has seen. */
const RAW = /^(.*?): (E[A-Z]{2,15}): [a-z][^,'\n]*, [a-zA-Z]+ '(\/[^'\n]*|<path>)'$/gm;

function inPlainWords(_: string, before: string, errno: string, path: string): string {
  const said = (errno === 'ENOENT' ? undefined : recentFailure(path)) ?? whatIsSaidOf(errno);
  if (errno === 'ENOTARGET') return `${before} to '${path}': ${said}`;
  return `${before}: ${before.includes("'") ? '' : `${path}: `}${said}`;
}

/** What `cp` and `mv` say when they could not look at both. */
const UNSURE = /^(cp|mv): cannot safely determine whether '(.*)' (and|is inside) '(.*?)'(?: are the same file)?$/gm;

function reasonOf(line: string, command: string, first: string, how: string, second: string): string {
  const [from, to] = how === 'and' ? [first, second] : [second, first];
  const said = recentFailure(to);
  return said === undefined
    ? line
    : `${command}: cannot ${command === 'cp' ? 'copy' : 'move'} '${from}' to '${to}': ${said}`;
}

/** What a command wrote as text, which loses nothing here; `kind` says what it is. */
export function outputText(stdout: string, kind: 'binary' | 'utf8'): string {
  return kind === 'binary' ? bytesToText(stdout) : stdout;
}

/** Most commands say this of any file they cannot use. */
const MISSING = /^.*?(?:: |')([^:'\n]+)'?: No such file or directory$/gm;

function truthfully(line: string, name: string, cwd: string): string {
  const said = recentFailure(resolveGuestPath(cwd, name));
  return said === undefined ? line : line.replace('No such file or directory', said);
}

/** What a shell says of a failed redirection; anything else than a file's error goes on as it is. */
export function redirectionFailure(error: unknown): string {
  if (error instanceof GuestFileError) return error.said;
  throw error;
}

export { arrayToLatin1, byteLength, bytesToText, textToBytes } from './encoding.js';
