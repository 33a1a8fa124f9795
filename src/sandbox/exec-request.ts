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

/** @throws SandboxError `invalid_input` or `command_too_long`, before anything is started */
export function readExecRequest(
  what: { command: string } | { argv: string[] },
  opts: ExecOptions,
  defaults: { env: Record<string, string>; limits: Required<SandboxLimits> },
): ExecRequest {
  const words = 'command' in what ? [what.command] : what.argv;
  for (const word of words) checkWord(word);
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word), 0);
  if (bytes > MAX_COMMAND_BYTES) {
    throw new SandboxError('command_too_long', 'Cannot run a command of over 2 MiB: write it to a file and run that');
  }
  const request: ExecRequest = {
    ...what,
    cwd: readCwd(opts.cwd),
    env: readEnv({ ...defaults.env, ...opts.env }),
    timeoutMs: readTimeout(opts.timeoutMs ?? defaults.limits.timeoutMs),
    maxOutputBytes: readOutputLimit(opts.limits?.maxOutputBytes ?? defaults.limits.maxOutputBytes),
    stdin: readStdin(opts.stdin),
  };
  if (opts.onOutput !== undefined) request.onOutput = opts.onOutput;
  return request;
}

function checkWord(word: unknown): void {
  if (typeof word !== 'string') throw invalid('Cannot run a command that is not a string');
  if (word.includes('\0')) throw invalid('Cannot run a command that holds a NUL character');
}

function readCwd(cwd: string | undefined): string {
  if (cwd === undefined) return '/workspace';
  if (typeof cwd !== 'string' || cwd.includes('\0')) {
    throw new SandboxError('invalid_cwd', "Cannot run in a 'cwd' that is not a path");
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

/** @throws SandboxError `invalid_input` */
export function readTimeout(timeoutMs: number): number {
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0 || timeoutMs > MAX_TIMEOUT_MS) {
    throw invalid(`'timeoutMs' must be above 0 and at most ${MAX_TIMEOUT_MS}`);
  }
  return timeoutMs;
}

function readOutputLimit(maxOutputBytes: number): number {
  if (!Number.isInteger(maxOutputBytes) || maxOutputBytes < 1 || maxOutputBytes > MAX_OUTPUT_BYTES) {
    throw invalid(`'maxOutputBytes' must be between 1 and ${MAX_OUTPUT_BYTES}`);
  }
  return maxOutputBytes;
}

function readStdin(stdin: string | Uint8Array | undefined): Uint8Array {
  if (stdin === undefined) return NOTHING;
  const bytes = typeof stdin === 'string' ? Buffer.from(stdin, 'utf8') : stdin;
  if (!(bytes instanceof Uint8Array)) throw invalid("'stdin' must be a string or bytes");
  if (bytes.length > MAX_STDIN_BYTES) throw invalid("'stdin' must be at most 64 MiB");
  return bytes;
}

function invalid(message: string): SandboxError {
  return new SandboxError('invalid_input', message);
}
