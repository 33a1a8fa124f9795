import type {
  Change,
  CommitResult,
  DirectoryEntry,
  FileStat,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  WorkspaceMode,
} from '../../sandbox/protocol/files.js';
import type { ErrorCode } from './errors.js';
import type { SandboxLimits } from './limits.js';
import type { EnforcementPlan } from './plan.js';

export type {
  Change,
  CommitResult,
  DirectoryEntry,
  FileStat,
  GlobResult,
  GrepMatch,
  GrepResult,
  WalkNotes,
  WorkspaceMode,
} from '../../sandbox/protocol/files.js';

/**
 * The sandbox contract. A behaviour that differs between two backends is a bug or a named capability; the suite in
 * `test/contract` (published as `caisson/testing`) holds every sentence below.
 *
 * Paths are absolute (`/workspace/src/a.ts`) or relative to `/workspace`; nothing outside the workspace can be
 * reached through `fs`. A refused path is a `SandboxError` whose message never names a host path.
 */

/** The smallest thing anyone may bring: Lousho's three members, verbatim. */
export interface SandboxAdapter {
  readonly name: string;
  /**
   * Runs one program with its arguments untouched by any shell. A non-zero exit is a result.
   * @throws SandboxTimeoutError when the time is up, SandboxAbortError when `signal` aborts; both carry the output so far.
   * @throws SandboxError `invalid_cwd`, or a `sandbox_*` code when the sandbox itself failed.
   */
  run(cmd: string, args: string[], opts?: ExecOptions): Promise<RunResult>;
  /** Writes UTF-8 text; parents are created; the old content is replaced at once or not at all. */
  writeFile(path: string, content: string): Promise<void>;
}

/** What a tool's `sandboxExecute` receives: no lifecycle, no policy. */
export interface Sandbox extends SandboxAdapter {
  readonly id: string;
  /** For the model: system, shell, tools present and absent, network, limits. */
  readonly description: string;
  /** Always `/workspace`. */
  readonly cwd: string;
  readonly capabilities: SandboxCapabilities;
  readonly fs: SandboxFiles;
  /**
   * Runs a shell command line. Resolves whenever the command started, whatever became of it (see `ExecResult.cause`).
   * Every call starts clean: the same directory and environment, stdin at its end unless given.
   * @throws SandboxError `invalid_cwd`, `command_too_long`, `unsupported`, or a `sandbox_*` code.
   */
  exec(command: string, opts?: ExecOptions): Promise<ExecResult>;
  /** Starts a long-lived program. @throws SandboxError `unsupported` where `capabilities.backgroundProcesses` is false. */
  spawn(cmd: string, args: string[], opts?: ExecOptions): Promise<SandboxProcess>;
  /** Evaluates JavaScript in a fresh realm; present where `capabilities.evaluate` is true. */
  evaluate?(code: string, opts?: EvaluateOptions): Promise<EvaluateResult>;
}

export type SandboxNotice =
  /** The inside was made anew: what is not in the workspace is lost. */
  | { type: 'renewed'; reason: string }
  /** A path that a rule keeps from being written was made, by a command or by somebody on the host. */
  | { type: 'written'; path: string; rule: string };

/** What the host holds. Starts on first use. */
export interface SandboxSession extends Sandbox, AsyncDisposable {
  /** What its container is made of; absent where there is none. */
  readonly image?: string;
  /** Starts now, or makes sure that what was started is still there. @throws SandboxUnavailableError with the reason and the fix. */
  start(): Promise<void>;
  /** Adds rules to what the sandbox enforces by mechanism; holds for every call that starts later. Rules are never taken away. */
  enforce(plan: EnforcementPlan): void;
  /** Path rules that its commands can go around, as they were written, once it has started. Absent: there are none. */
  readonly unenforced?: readonly string[];
  /**
   * Calls the listener with what the session does to hold its rules, and with what it cannot. Absent: there is never
   * anything.
   */
  onNotice?(listener: (notice: SandboxNotice) => void): void;
  /** What an `overlay` or `memory` workspace holds beside its origin, in path order. @throws SandboxError `unsupported` in `direct` mode. */
  changes(): Promise<Change[]>;
  /** Writes the changes of an `overlay` to its origin. @throws SandboxError `unsupported` elsewhere; `stale_file` naming files that changed underneath, then nothing was written. */
  commit(): Promise<CommitResult>;
  /** Drops the changes of an `overlay`. @throws SandboxError `unsupported` elsewhere. */
  discard(): Promise<void>;
  snapshot?(): Promise<SnapshotId>;
  restore?(id: SnapshotId): Promise<void>;
  /** Ends the sandbox and everything it holds; pending calls reject with `sandbox_disposed`. Idempotent. */
  dispose(): Promise<void>;
}

export interface RunResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface ExecOptions {
  /** Must exist; a missing one is `invalid_cwd`. Default `/workspace`. */
  cwd?: string;
  /**
   * Added to the sandbox's own small environment. From then on a value of 6 characters or more is redacted from the
   * events and errors of the host, as those of the session's own `env` are; the last 1,000 such values are remembered.
   */
  env?: Record<string, string>;
  /** Accepted for Lousho's callers and ignored: an isolating backend never shows the host's environment. */
  inheritEnv?: boolean;
  /** Milliseconds, default 120,000, at most 600,000. */
  timeoutMs?: number;
  /** Already aborted: nothing starts. */
  signal?: AbortSignal;
  stdin?: string | Uint8Array;
  limits?: Pick<SandboxLimits, 'maxOutputBytes'>;
  /** Output as it comes, bytes exact; called before the result resolves. */
  onOutput?(chunk: OutputChunk): void;
}

export interface OutputChunk {
  stream: 'stdout' | 'stderr';
  data: Uint8Array;
}

/** Why a command ended other than by its own exit. */
export type ExecCause = Extract<
  ErrorCode,
  | 'timeout'
  | 'aborted'
  | 'oom'
  | 'pids_exhausted'
  | 'output_limit'
  | 'no_space'
  | 'command_not_found'
  | 'not_executable'
  | 'killed'
  | 'network_denied'
>;

export interface ExecResult {
  stdout: string;
  stderr: string;
  /** `null` when the command did not end by itself. */
  exitCode: number | null;
  signal?: string;
  cause?: ExecCause;
  /** Whether everything the command started is known to be gone; set when it was ended from outside. */
  killed?: 'verified' | 'unverified';
  /** Bytes that were dropped from the middle of each stream. */
  truncated?: { stdoutBytes: number; stderrBytes: number };
  stillRunning?: { pid: number; command: string }[];
  /** Set when a stream was not valid UTF-8; the text then holds U+FFFD and these are the bytes kept. */
  bytes?: { stdout?: Uint8Array; stderr?: Uint8Array };
  durationMs: number;
  readonly timedOut: boolean;
  readonly aborted: boolean;
}

export interface SandboxProcess {
  readonly pid?: number;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly stdin?: WritableStream<Uint8Array>;
  wait(): Promise<ExecResult>;
  /** `true` when it was running. Idempotent. */
  kill(signal?: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): Promise<boolean>;
}

export interface SandboxCapabilities {
  isolation: 'none' | 'process' | 'container' | 'microvm';
  /** How calls reach a container: an agent in it, or processes that the engine starts, slower. Absent where there is no choice. */
  transport?: 'agent' | 'exec';
  shell: 'bash' | 'just-bash' | 'sh';
  network: 'none' | 'allowlist' | 'full';
  workspaceMode: WorkspaceMode;
  /**
   * How a container's `overlay` begins, known once it has started: `volume` looks through to the directory itself, `copy`
   * has its own, made at the start.
   */
  overlay?: 'volume' | 'copy';
  /** `spawn()` and real `&`. */
  backgroundProcesses: boolean;
  /** Commands can send and catch signals (`kill`, `trap`). */
  signals: boolean;
  /** Mode bits are kept and enforced for the command's user. */
  fileModes: boolean;
  /** The shell can make and open FIFOs and devices. */
  specialFiles: boolean;
  writableStdin: boolean;
  evaluate: boolean;
  snapshots: boolean;
  /** Commands run as another user than root. */
  users: boolean;
  /** Which limits are held. */
  limits: { [limit in keyof SandboxLimits]-?: boolean };
}

export interface SandboxFiles {
  /** `null` when nothing is there. @throws `is_directory`, `not_regular_file`, `access_denied`, `path_escape`, `file_too_large` (over `maxBytes`, default 64 MiB) */
  readFile(path: string, opts?: { signal?: AbortSignal; maxBytes?: number }): Promise<Uint8Array | null>;
  /**
   * Creates parents; replaces at once or not at all; keeps the mode of the file it replaces unless `mode` is given.
   * @throws `is_directory`, `not_regular_file`, `access_denied`, `path_escape`, `no_space`, `read_only`;
   * `stale_file` when `ifVersion` is given and the file is no longer that version (`null`: must not exist yet).
   */
  writeFile(
    path: string,
    data: string | Uint8Array,
    opts?: { mode?: number; ifVersion?: string | null; signal?: AbortSignal },
  ): Promise<void>;
  /** Follows links inside the workspace; `null` when nothing is there. */
  stat(path: string, opts?: { signal?: AbortSignal }): Promise<FileStat | null>;
  /** Entries in name order, without those that a rule keeps from being read; `null` when nothing is there. @throws `not_directory` */
  list(path: string, opts?: { signal?: AbortSignal }): Promise<DirectoryEntry[] | null>;
  /** Like `mkdir -p`. @throws `exists` when a file is in the way. */
  mkdir(path: string, opts?: { signal?: AbortSignal }): Promise<void>;
  /** `false` when nothing was there. A link is removed, not followed. @throws `not_empty` for a filled directory without `recursive`. */
  remove(path: string, opts?: { recursive?: boolean; signal?: AbortSignal }): Promise<boolean>;
  /** Replaces a file, never a filled directory. */
  rename(from: string, to: string, opts?: { signal?: AbortSignal }): Promise<void>;
  /** Paths that match any of the patterns and may be read, in path order, relative to `cwd`. @throws `bad_pattern`, `not_found` (no such `cwd`) */
  glob(patterns: string | readonly string[], opts?: GlobOptions): Promise<GlobResult>;
  /** Lines that match a regular expression, in path and line order. @throws `bad_pattern`, `not_found` (no such `path`) */
  grep(pattern: string, opts?: GrepOptions): Promise<GrepResult>;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds, default 20,000: what takes longer is a pattern that never ends. At most 600,000. */
  timeoutMs?: number;
}

export interface GlobOptions extends GlobQuery, CallOptions {}

export interface GrepOptions extends GrepQuery, CallOptions {}

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

export interface EvaluateOptions {
  /** Seen by the code as the global `input`. */
  input?: JsonValue;
  /** Host functions, seen by the code as `tools.<name>(argument)`; each returns a promise there. */
  functions?: Record<string, (argument: JsonValue, context: { signal: AbortSignal }) => unknown>;
  /** Milliseconds, host functions included; default 30,000, at most 600,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Calls of `functions` in all; default 50. At most 16 may be unanswered at once. */
  maxCalls?: number;
}

/** `value` is a JSON copy with null-prototype-safe keys; functions, cycles and depths over 100 are `result_invalid`. */
export type EvaluateResult =
  | { status: 'ok'; value: JsonValue; logs: string[]; durationMs: number }
  | {
      status: 'error';
      /** As thrown by the code, stripped of stacks, at most 2,000 characters; or ours, when `code` is set. */
      error: { name: string; message: string };
      /** Absent when the code threw by itself. */
      code?: Extract<
        ErrorCode,
        'timeout' | 'aborted' | 'oom' | 'output_limit' | 'result_invalid' | 'invalid_input' | 'session_limit'
      >;
      logs: string[];
      durationMs: number;
    };

export interface SnapshotId {
  readonly id: string;
}
