import { anything, bytes, flag, func, object, positive, signal, text, texts, whole } from '../checks/kinds.js';
import { shapeOf } from '../checks/options.js';
import { show } from '../checks/show.js';
import { requireArgument, requireOptions } from './call-arguments.js';
import type { ExecOptions, OutputChunk } from './contract.js';
import { SandboxError } from './errors.js';
import { MAX_TIMEOUT_MS, type SandboxLimits } from './limits.js';

/** A command as a backend gets it: checked, with every default filled in. */
export interface ExecRequest {
  command?: string;
  argv?: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  maxOutputBytes: number;
  stdin: Uint8Array;
  onOutput?: (chunk: OutputChunk) => void;
}

const MiB = 1024 * 1024;
const MAX_COMMAND_BYTES = 2 * MiB;
const MAX_STDIN_BYTES = 64 * MiB;
const MAX_OUTPUT_BYTES = 16 * MiB;
const NOTHING = new Uint8Array(0);

const LIMITS = shapeOf<NonNullable<ExecOptions['limits']>>({ maxOutputBytes: whole(1, MAX_OUTPUT_BYTES) });

const OPTIONS = shapeOf<ExecOptions>({
  // A directory that is none has a code of its own.
  cwd: anything,
  env: object,
  inheritEnv: flag,
  timeoutMs: positive(MAX_TIMEOUT_MS),
  signal,
  stdin: bytes,
  limits: object,
  onOutput: func,
});

/** A command line for `exec()`, or a program and its arguments for `run()` and `spawn()`. */
export type Command = { command: string } | { call: 'run' | 'spawn'; cmd: string; args: readonly string[] };

/** @throws SandboxError `invalid_input`, `invalid_cwd` or `command_too_long`, before anything is started */
export function readExecRequest(
  what: Command,
  opts: ExecOptions,
  defaults: { env: Record<string, string>; limits: Required<SandboxLimits> },
): ExecRequest {
  const call = 'command' in what ? 'exec()' : `${what.call}()`;
  const command = readCommand(call, what);
  checkExecOptions(call, opts);
  const request: ExecRequest = {
    ...command,
    cwd: readCwd(opts.cwd),
    env: readEnv({ ...defaults.env, ...opts.env }),
    timeoutMs: opts.timeoutMs ?? defaults.limits.timeoutMs,
    maxOutputBytes: opts.limits?.maxOutputBytes ?? defaults.limits.maxOutputBytes,
    stdin: readStdin(opts.stdin),
  };
  if (opts.onOutput !== undefined) request.onOutput = opts.onOutput;
  return request;
}

/** @throws SandboxError `invalid_input` */
export function checkExecOptions(call: string, opts: ExecOptions | undefined): void {
  requireOptions(call, opts, OPTIONS);
  requireOptions(call, opts?.limits, LIMITS, 'limits.');
}

function readCommand(call: string, what: Command): { command: string } | { argv: string[] } {
  if ('command' in what) {
    requireArgument(call, 'command', what.command, text);
    checkWords([what.command]);
    return { command: what.command };
  }
  requireArgument(call, 'cmd', what.cmd, text);
  requireArgument(call, 'args', what.args, texts);
  const argv = [what.cmd, ...what.args];
  checkWords(argv);
  return { argv };
}

function checkWords(words: readonly string[]): void {
  let length = 0;
  for (const word of words) {
    if (word.includes('\0')) throw invalid('Cannot run a command that holds a NUL character');
    length += Buffer.byteLength(word);
  }
  if (length <= MAX_COMMAND_BYTES) return;
  throw new SandboxError('command_too_long', 'Cannot run a command of over 2 MiB: write it to a file and run that');
}

function readCwd(cwd: string | undefined): string {
  if (cwd === undefined) return '/workspace';
  if (typeof cwd !== 'string' || cwd.includes('\0')) {
    throw new SandboxError('invalid_cwd', `Cannot run in a 'cwd' that is not a path: ${show(cwd)}`);
  }
  return cwd.startsWith('/') ? cwd : `/workspace/${cwd}`;
}

function readEnv(env: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalid(`Cannot set '${name}': it is not a variable name`);
    if (typeof value !== 'string' || value.includes('\0')) throw invalid(`Cannot set '${name}': its value is not text`);
  }
  return env;
}

function readStdin(stdin: string | Uint8Array | undefined): Uint8Array {
  if (stdin === undefined) return NOTHING;
  const given = typeof stdin === 'string' ? Buffer.from(stdin, 'utf8') : stdin;
  if (given.length > MAX_STDIN_BYTES) throw invalid("'stdin' must be at most 64 MiB");
  return given;
}

function invalid(message: string): SandboxError {
  return new SandboxError('invalid_input', message);
}
