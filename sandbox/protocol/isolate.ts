import type { ErrorCode } from './error-code.js';
import type { FileOperation } from './file-operations.js';
import type { WorkspaceMode } from './files.js';
import type { EnforcementPlan } from './plan.js';

/**
 * What the host and an isolate worker say to each other. The host writes frames to the worker's fd 0 and reads them
 * from its fd 1; fd 3 carries the ids of calls to cancel, 32-bit big-endian each, to the worker's watchdog thread (it
 * works while the main thread is stuck; an id that is not the running call's is ignored, so that a late cancel never
 * hits the next call); fd 4 carries the watchdog's last words. Bodies are named beside each message.
 */
export const WATCHDOG_CONTROL_FD = 3;
export const LAST_WORDS_FD = 4;

/** Bytes of one cancel on fd 3: the call's id. Replaces the single byte of an earlier draft. */
export const CANCEL_BYTES = 4;

/**
 * Why a worker ends its own process: written to fd 4 before the kill, with a space and the id of the call it is ended
 * over; 0 when it is no call's fault, so that whatever waits may run in another worker.
 */
export type LastWords = 'timeout' | 'oom' | 'aborted';

/** First frame to a worker. */
export interface InitMessage {
  type: 'init';
  /** A `files` worker loads no isolate: it only does file work. */
  role: 'shell' | 'files';
  mode: WorkspaceMode;
  workspaceRoot?: string;
  privateRoot: string;
  plan: EnforcementPlan;
  memoryBytes: number;
  maxDiskBytes: number;
  maxDiskEntries: number;
  /** Dropped to after everything is loaded, before any guest code. */
  uid?: number;
  gid?: number;
  /** A snapshot that the host found and vouches for; absent: build one and send it back in `ready`. */
  snapshotPath?: string;
}

export type HostMessage =
  | InitMessage
  /** Body: stdin. Exactly one of `command` (a shell line) and `argv` is set. */
  | {
      type: 'exec';
      id: number;
      command?: string;
      argv?: string[];
      cwd: string;
      env: Record<string, string>;
      timeoutMs: number;
      maxOutputBytes: number;
      /**
       * Nobody watches: `output` frames then come only from a command that takes its time, for the case that the worker
       * dies over it. Absent, every byte counted against `maxOutputBytes` comes as `output` before the result.
       */
      quiet?: boolean;
    }
  /** Body: the code, UTF-8. `input` is JSON. */
  | {
      type: 'evaluate';
      id: number;
      input: string;
      functions: string[];
      timeoutMs: number;
      maxCalls: number;
    }
  /** A host function's answer. Body: JSON of the value, or of `{ name, message }` when `ok` is false. */
  | { type: 'answer'; id: number; callId: number; ok: boolean }
  /** Ends a waiting (not stuck) call politely; the same id goes to the watchdog, for a stuck one. */
  | { type: 'cancel'; id: number }
  | { type: 'enforce'; plan: EnforcementPlan }
  /** Body: file content for `writeFile`. */
  | { type: 'file'; id: number; operation: FileOperation };

export type { FileOperation } from './file-operations.js';

export type WorkerMessage =
  /** Body: the snapshot just built, when `snapshotBuilt`. */
  | { type: 'ready'; pid: number; snapshotBuilt: boolean; uid: number }
  | { type: 'failed'; message: string }
  /** Body: a piece of output, already counted against `maxOutputBytes`. */
  | { type: 'output'; id: number; stream: 'stdout' | 'stderr' }
  /** Body: stdout's kept bytes, then stderr's. */
  | {
      type: 'exec-result';
      id: number;
      exitCode: number | null;
      cause?: ErrorCode;
      stdoutBytes: number;
      droppedStdoutBytes: number;
      droppedStderrBytes: number;
    }
  /** Body: JSON of the value when `ok`, else of `{ name, message }`. */
  | { type: 'evaluate-result'; id: number; ok: boolean; code?: ErrorCode; logs: string[] }
  /** The code calls a host function. Body: JSON of the argument. */
  | { type: 'call'; id: number; callId: number; name: string }
  | { type: 'file-result'; id: number; value: unknown }
  /** The call could not be done, or never started. */
  | { type: 'error'; id: number; code: ErrorCode; message: string; path?: string };
