import type { FileOperation, FileReplies } from '../../sandbox/protocol/file-operations.js';
import { bytes, flag, type Kind, positive, signal, text, texts, whole } from '../checks/kinds.js';
import { type Shape, shapeOf } from '../checks/options.js';
import { show } from '../checks/show.js';
import { requireArgument, requireOptions } from './call-arguments.js';
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
import { isSandboxError, SandboxError } from './errors.js';
import { type FileReply, readChanges, readFileReply } from './file-replies.js';
import { MAX_TIMEOUT_MS, SEARCH_TIMEOUT_MS } from './limits.js';

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
    const at = readCall('readFile', path, opts);
    const maxBytes = Math.min(opts.maxBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES);
    const reply = await this.#call({ op: 'readFile', path: at, maxBytes }, { signal: opts.signal });
    return readFileReply('readFile', reply) === null ? null : new Uint8Array(reply.body);
  }

  async writeFile(
    path: string,
    data: string | Uint8Array,
    opts: { mode?: number; ifVersion?: string | null; signal?: AbortSignal } = {},
  ): Promise<void> {
    const operation: FileOperation = { op: 'writeFile', path: readCall('writeFile', path, opts) };
    requireArgument('fs.writeFile()', 'data', data, bytes);
    const body = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
    if (body.length > MAX_FILE_BYTES) {
      throw new SandboxError('file_too_large', `Cannot write '${path}': it is over 64 MiB`, { path });
    }
    if (opts.mode !== undefined) operation.mode = opts.mode;
    if (opts.ifVersion !== undefined) operation.ifVersion = opts.ifVersion;
    await this.#ask(operation, { body, signal: opts.signal });
  }

  async stat(path: string, opts: { signal?: AbortSignal } = {}): Promise<FileStat | null> {
    return this.#ask({ op: 'stat', path: readCall('stat', path, opts) }, opts);
  }

  async list(path: string, opts: { signal?: AbortSignal } = {}): Promise<DirectoryEntry[] | null> {
    return this.#ask({ op: 'list', path: readCall('list', path, opts) }, opts);
  }

  async mkdir(path: string, opts: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#ask({ op: 'mkdir', path: readCall('mkdir', path, opts) }, opts);
  }

  async remove(path: string, opts: { recursive?: boolean; signal?: AbortSignal } = {}): Promise<boolean> {
    const at = readCall('remove', path, opts);
    return this.#ask({ op: 'remove', path: at, recursive: opts.recursive ?? false }, { signal: opts.signal });
  }

  async rename(from: string, to: string, opts: { signal?: AbortSignal } = {}): Promise<void> {
    requireArgument('fs.rename()', 'to', to, text);
    await this.#ask({ op: 'rename', from: readCall('rename', from, opts), to: sandboxPath(to) }, opts);
  }

  async glob(patterns: string | readonly string[], opts: GlobOptions = {}): Promise<GlobResult> {
    requireArgument('fs.glob()', 'patterns', patterns, PATTERNS);
    requireOptions('fs.glob()', opts, GLOB);
    const { signal, timeoutMs = SEARCH_TIMEOUT_MS, ...query } = opts;
    const list = typeof patterns === 'string' ? [patterns] : [...patterns];
    if (query.cwd !== undefined) query.cwd = sandboxPath(query.cwd);
    const advice = "look in a smaller 'cwd', or leave more out with 'ignoreDirectories'";
    return this.#ask({ op: 'glob', patterns: list, query, timeoutMs }, { signal, timeoutMs }).catch((error) =>
      explainTimeout(error, { what: list.join(' '), timeoutMs, advice }),
    );
  }

  async grep(pattern: string, opts: GrepOptions = {}): Promise<GrepResult> {
    requireArgument('fs.grep()', 'pattern', pattern, text);
    requireOptions('fs.grep()', opts, GREP);
    const { signal, timeoutMs = SEARCH_TIMEOUT_MS, ...query } = opts;
    if (query.path !== undefined) query.path = sandboxPath(query.path);
    const advice =
      "simplify the pattern (repeats inside repeats, as in (a+)+, take longest), or search a smaller 'path'";
    return this.#ask({ op: 'grep', pattern, query, timeoutMs }, { signal, timeoutMs }).catch((error) =>
      explainTimeout(error, { what: pattern, timeoutMs, advice }),
    );
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

const PATTERNS: Kind = {
  test: (value) => text.test(value) || texts.test(value),
  words: 'a string or an array of strings',
};

const WALK = {
  ignoreDirectories: texts,
  maxWalked: whole(1),
  maxResults: whole(1),
  signal,
  timeoutMs: positive(MAX_TIMEOUT_MS),
};
const GLOB = shapeOf<GlobOptions>({ cwd: text, directories: flag, ...WALK });
const GREP = shapeOf<GrepOptions>({
  path: text,
  globs: texts,
  ignoreCase: flag,
  literal: flag,
  context: whole(0),
  ...WALK,
});

function explainTimeout(error: unknown, search: { what: string; timeoutMs: number; advice: string }): never {
  if (!isSandboxError(error) || error.code !== 'timeout') throw error;
  const { what, timeoutMs, advice } = search;
  throw new SandboxError('timeout', `The search for ${show(what)} did not finish in ${timeoutMs / 1000} s: ${advice}`, {
    cause: error,
  });
}

const SIGNAL_ONLY = shapeOf({ signal });

export const WRITE_OPTIONS = shapeOf({
  signal,
  mode: whole(0, 0o7777),
  ifVersion: { test: (value: unknown) => value === null || typeof value === 'string', words: 'a version or null' },
});

/** The options of the calls that name one path. */
const SHAPES = {
  readFile: shapeOf({ signal, maxBytes: whole(0) }),
  writeFile: WRITE_OPTIONS,
  stat: SIGNAL_ONLY,
  list: SIGNAL_ONLY,
  mkdir: SIGNAL_ONLY,
  remove: shapeOf({ signal, recursive: flag }),
  rename: SIGNAL_ONLY,
} satisfies Record<string, Shape>;

/** The path as the guest takes it. @throws SandboxError `invalid_input` */
function readCall(name: keyof typeof SHAPES, path: string, opts: object): string {
  const call = `fs.${name}()`;
  requireArgument(call, name === 'rename' ? 'from' : 'path', path, text);
  requireOptions(call, opts, SHAPES[name]);
  return sandboxPath(path);
}

/** Relative paths start in `/workspace`. Everything else about a path is the file gate's to judge. */
function sandboxPath(path: string): string {
  return path.startsWith('/') ? path : `/workspace/${path}`;
}
