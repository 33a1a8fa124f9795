import type { ErrorCode } from '../protocol/error-code.js';
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
} from '../protocol/files.js';
import type { EnforcementPlan } from '../protocol/plan.js';

/**
 * All file work of the isolate's worker, for commands and for the host's own file calls alike. Synchronous, because
 * the isolate's callbacks are. Keeps no file content or directory in memory between calls: several processes may
 * work on the same tree, and each may be killed at any instant.
 *
 * Paths are absolute in the sandbox's own namespace: `/workspace/…`, `/tmp/…`, `/home/agent/…`. Links resolve in that
 * namespace. Everything else is `path_escape`. Failures are `FileError`s.
 */
export interface FileLayer {
  readFile(path: string, maxBytes: number): Uint8Array;
  /** Up to `maxBytes` from `offset` on, with the size and version that the file has: for what is too large to read whole. */
  readPart(path: string, offset: number, maxBytes: number): FilePart;
  writeFile(path: string, data: Uint8Array, options?: WriteOptions): void;
  stat(path: string): FileStat;
  lstat(path: string): FileStat;
  /** Without what no path can name. */
  list(path: string, options?: ListOptions): DirectoryEntry[];
  mkdir(path: string, options?: { recursive?: boolean }): void;
  /** @returns whether something was there */
  remove(path: string, options?: { recursive?: boolean }): boolean;
  rename(from: string, to: string): void;
  /** A second name for a regular file. */
  link(existing: string, path: string): void;
  symlink(target: string, path: string): void;
  readlink(path: string): string;
  /** The path after every link, still in the sandbox's namespace. */
  realpath(path: string): string;
  chmod(path: string, mode: number): void;
  utimes(path: string, atimeMs: number, mtimeMs: number): void;

  glob(patterns: readonly string[], query: GlobQuery): GlobResult;
  grep(pattern: string, query: GrepQuery): GrepResult;

  changes(): Change[];
  commit(): CommitResult;
  discard(): void;

  /** Adds rules; they hold from the next call on. */
  enforce(plan: EnforcementPlan): void;
}

export interface ListOptions {
  /** Without what a rule keeps from being read. Default false. */
  readable?: boolean;
  /** Called with each entry whose name is not valid UTF-8: how the name looks, and its version, `''` where that is not known. */
  onUnnamed?(name: string, version: string): void;
}

export interface FilePart {
  bytes: Uint8Array;
  size: number;
  version: string;
}

export interface WriteOptions {
  /** Permission bits; default: those of the file replaced, else 0o644. */
  mode?: number;
  append?: boolean;
  /** Refuse with `stale_file` unless the file is this version; `null`: unless nothing is there. */
  ifVersion?: string | null;
  /** Create missing parents. */
  parents?: boolean;
}

export interface FileLayerOptions {
  mode: WorkspaceMode;
  /** Host directory of the workspace, real path; absent in `memory` mode. */
  workspaceRoot?: string;
  /**
   * Host directory, 0700, owned by the worker's user, outside the workspace: what `overlay` and `memory` write, `/tmp`,
   * `/home/agent`.
   */
  privateRoot: string;
  plan: EnforcementPlan;
  /** `/tmp` and `/home/agent` do not exist: for the host's own file calls, which reach the workspace only. Default false. */
  workspaceOnly?: boolean;
  /** A `direct` workspace that was empty at first, as a container's own is: `changes()` lists what it holds. Default false. */
  startedEmpty?: boolean;
  /** Over the whole of `privateRoot`. */
  maxBytes: number;
  maxEntries: number;
}

/** A refused or failed file operation; `message` and `path` name only paths of the sandbox's namespace. */
export class FileError extends Error {
  readonly code: ErrorCode;
  readonly path: string;
  /** What the system calls it, where it is the system's own failure; for a shell to say it in the usual words. */
  readonly errno?: string;

  constructor(code: ErrorCode, path: string, message: string, errno?: string) {
    super(message);
    this.code = code;
    this.path = path;
    if (errno !== undefined) this.errno = errno;
  }
}
