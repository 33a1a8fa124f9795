import type { FileOperation, FileReplies } from '../../sandbox/protocol/file-operations.js';
import type {
  Change,
  DirectoryEntry,
  FileStat,
  GlobOptions,
  GlobResult,
  GrepOptions,
  GrepResult,
  SandboxFiles,
} from './contract.js';
import { SandboxError } from './errors.js';
import { type FileReply, readChanges, readFileReply } from './file-replies.js';
import { DEFAULT_LIMITS } from './limits.js';

export interface FileCallOptions {
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** Has one operation done by a guest of the session. */
export type CallFiles = (operation: FileOperation, options?: FileCallOptions) => Promise<FileReply>;

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** `Sandbox.fs` of the built-in backends: every operation is done by a guest, behind its file gate. */
export class SessionFiles implements SandboxFiles {
  readonly #call: CallFiles;

  constructor(call: CallFiles) {
    this.#call = call;
  }

  async readFile(path: string, opts: { signal?: AbortSignal; maxBytes?: number } = {}): Promise<Uint8Array | null> {
    const maxBytes = Math.min(opts.maxBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES);
    const reply = await this.#call({ op: 'readFile', path: sandboxPath(path), maxBytes }, { signal: opts.signal });
    return readFileReply('readFile', reply) === null ? null : new Uint8Array(reply.body);
  }

  async writeFile(
    path: string,
    data: string | Uint8Array,
    opts: { mode?: number; ifVersion?: string | null; signal?: AbortSignal } = {},
  ): Promise<void> {
    const body = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    if (body.length > MAX_FILE_BYTES) {
      throw new SandboxError('file_too_large', `Cannot write '${path}': it is over 64 MiB`, { path });
    }
    const operation: FileOperation = { op: 'writeFile', path: sandboxPath(path) };
    if (opts.mode !== undefined) operation.mode = opts.mode;
    if (opts.ifVersion !== undefined) operation.ifVersion = opts.ifVersion;
    await this.#ask(operation, { body, signal: opts.signal });
  }

  stat(path: string, opts: { signal?: AbortSignal } = {}): Promise<FileStat | null> {
    return this.#ask({ op: 'stat', path: sandboxPath(path) }, opts);
  }

  list(path: string, opts: { signal?: AbortSignal } = {}): Promise<DirectoryEntry[] | null> {
    return this.#ask({ op: 'list', path: sandboxPath(path) }, opts);
  }

  async mkdir(path: string, opts: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#ask({ op: 'mkdir', path: sandboxPath(path) }, opts);
  }

  remove(path: string, opts: { recursive?: boolean; signal?: AbortSignal } = {}): Promise<boolean> {
    return this.#ask({ op: 'remove', path: sandboxPath(path), recursive: opts.recursive ?? false }, opts);
  }

  async rename(from: string, to: string, opts: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#ask({ op: 'rename', from: sandboxPath(from), to: sandboxPath(to) }, opts);
  }

  glob(patterns: string | readonly string[], opts: GlobOptions = {}): Promise<GlobResult> {
    const { signal, timeoutMs = DEFAULT_LIMITS.timeoutMs, ...query } = opts;
    const list = typeof patterns === 'string' ? [patterns] : [...patterns];
    if (query.cwd !== undefined) query.cwd = sandboxPath(query.cwd);
    return this.#ask({ op: 'glob', patterns: list, query, timeoutMs }, { signal, timeoutMs });
  }

  grep(pattern: string, opts: GrepOptions = {}): Promise<GrepResult> {
    const { signal, timeoutMs = DEFAULT_LIMITS.timeoutMs, ...query } = opts;
    if (query.path !== undefined) query.path = sandboxPath(query.path);
    return this.#ask({ op: 'grep', pattern, query, timeoutMs }, { signal, timeoutMs });
  }

  async changes(): Promise<Change[]> {
    const reply = await this.#call({ op: 'changes' });
    readFileReply('changes', reply);
    return readChanges(reply.body);
  }

  commit(): Promise<FileReplies['commit']> {
    return this.#ask({ op: 'commit' });
  }

  async discard(): Promise<void> {
    await this.#ask({ op: 'discard' });
  }

  async #ask<O extends FileOperation['op']>(
    operation: FileOperation & { op: O },
    options: FileCallOptions = {},
  ): Promise<FileReplies[O]> {
    return readFileReply(operation.op, await this.#call(operation, options));
  }
}

/** Relative paths start in `/workspace`. Everything else about a path is the file gate's to judge. */
function sandboxPath(path: string): string {
  if (typeof path !== 'string') throw new SandboxError('invalid_input', 'Cannot use a path that is not a string');
  return path.startsWith('/') ? path : `/workspace/${path}`;
}
