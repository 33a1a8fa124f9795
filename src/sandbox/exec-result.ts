import type { ExecCause, ExecResult } from './contract.js';

/** Everything a backend learns of a command, as bytes. */
export interface ExecRecord {
  stdout: Uint8Array;
  stderr: Uint8Array;
  exitCode: number | null;
  durationMs: number;
  cause?: ExecCause;
  signal?: string;
  killed?: 'verified' | 'unverified';
  dropped?: { stdoutBytes: number; stderrBytes: number };
  stillRunning?: { pid: number; command: string }[];
}

/** The contract's `ExecResult` from what a backend recorded: text decoded once, bytes kept where they are not UTF-8. */
export function createExecResult(record: ExecRecord): ExecResult {
  const stdout = decode(record.stdout);
  const stderr = decode(record.stderr);
  const result: ExecResult = {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: record.exitCode,
    durationMs: record.durationMs,
    get timedOut() {
      return this.cause === 'timeout';
    },
    get aborted() {
      return this.cause === 'aborted';
    },
  };
  if (record.cause !== undefined) result.cause = record.cause;
  if (record.signal !== undefined) result.signal = record.signal;
  if (record.killed !== undefined) result.killed = record.killed;
  if (record.stillRunning !== undefined) result.stillRunning = record.stillRunning;
  if (record.dropped !== undefined && record.dropped.stdoutBytes + record.dropped.stderrBytes > 0) {
    result.truncated = record.dropped;
  }
  if (!stdout.exact || !stderr.exact) {
    result.bytes = {
      ...(stdout.exact ? {} : { stdout: record.stdout }),
      ...(stderr.exact ? {} : { stderr: record.stderr }),
    };
  }
  return result;
}

/** Of a command whose caller had gone before it started. */
export function notStartedResult(): ExecResult {
  const nothing = new Uint8Array(0);
  return createExecResult({ stdout: nothing, stderr: nothing, exitCode: null, cause: 'aborted', durationMs: 0 });
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Uint8Array): { text: string; exact: boolean } {
  try {
    return { text: strict.decode(bytes), exact: true };
  } catch {
    return { text: lenient.decode(bytes), exact: false };
  }
}
