import type { ErrorCode } from '../protocol/error-code.js';
import type { DirectoryEntry, GlobResult, GrepResult } from '../protocol/files.js';
import { MAX_HEADER_BYTES } from '../protocol/frame.js';
import type { FileOperation, FileReplies, HostMessage } from '../protocol/isolate.js';
import { FileError, type FileLayer } from './files/file-layer.js';
import { resolveGuestPath } from './shell/guest/resolve-path.js';
import { sendFrame } from './wire/send-frame.js';

type FileMessage = Extract<HostMessage, { type: 'file' }>;

interface Reply {
  value: FileReplies[keyof FileReplies];
  body?: Uint8Array;
}

/** Answers one file call of the host. */
export function answerFileCall({ id, operation }: FileMessage, body: Uint8Array, files: FileLayer): void {
  try {
    const reply = perform(operation, body, files);
    sendFrame({ type: 'file-result', id, value: reply.value }, reply.body);
  } catch (error) {
    sendFrame({ type: 'error', id, ...explained(error) });
  }
}

function perform(operation: FileOperation, body: Uint8Array, files: FileLayer): Reply {
  switch (operation.op) {
    case 'readFile': {
      const bytes = orNull(() => files.readFile(inWorkspace(operation.path), operation.maxBytes));
      return bytes === null ? { value: null } : { value: true, body: bytes };
    }
    case 'writeFile': {
      const { mode, ifVersion } = operation;
      files.writeFile(inWorkspace(operation.path), body, {
        parents: true,
        ...(mode === undefined ? {} : { mode }),
        ...(ifVersion === undefined ? {} : { ifVersion }),
      });
      return { value: true };
    }
    case 'stat':
      return { value: orNull(() => files.stat(inWorkspace(operation.path))) };
    case 'list':
      return {
        value: listed(
          orNull(() => files.list(inWorkspace(operation.path))),
          operation.path,
        ),
      };
    case 'mkdir':
      files.mkdir(inWorkspace(operation.path), { recursive: true });
      return { value: true };
    case 'remove':
      return { value: files.remove(notRoot(inWorkspace(operation.path)), { recursive: operation.recursive }) };
    case 'rename':
      files.rename(notRoot(inWorkspace(operation.from)), notRoot(inWorkspace(operation.to)));
      return { value: true };
    case 'glob': {
      const { patterns, query } = operation;
      const found = files.glob(patterns, { ...query, cwd: inWorkspace(query.cwd ?? WORKSPACE) });
      return {
        value: fitted(found, (count) => ({ ...found, paths: found.paths.slice(0, count), resultsLimited: true })),
      };
    }
    case 'grep': {
      const { pattern, query } = operation;
      const found = files.grep(pattern, { ...query, path: inWorkspace(query.path ?? WORKSPACE) });
      return {
        value: fitted(found, (count) => ({ ...found, matches: found.matches.slice(0, count), resultsLimited: true })),
      };
    }
    case 'changes':
      return { value: true, body: Buffer.from(JSON.stringify(files.changes()), 'utf8') };
    case 'commit':
      return { value: files.commit() };
    case 'discard':
      files.discard();
      return { value: true };
  }
}

/** Milliseconds the watchdog allows a call. */
export function fileCallTimeout(operation: FileOperation): number {
  return operation.op === 'glob' || operation.op === 'grep' ? operation.timeoutMs : LONG_MS;
}

const WORKSPACE = '/workspace';
/** Ends a call that hangs in a file system. */
const LONG_MS = 10 * 60 * 1000;

function inWorkspace(path: string): string {
  if (path.includes('\0')) throw new FileError('invalid_input', path, 'Cannot use a path that holds a NUL character');
  const at = resolveGuestPath(WORKSPACE, path);
  if (at === WORKSPACE || at.startsWith(`${WORKSPACE}/`)) return at;
  throw new FileError('path_escape', at, `Cannot use '${at}': it is outside /workspace`);
}

/** Answers travel in a frame's header. */
const MAX_ANSWER_BYTES = MAX_HEADER_BYTES - 1024;

function fits(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_ANSWER_BYTES;
}

/** Results with long lines around them: as many as fit, and a note that there are more. */
function fitted<T extends GlobResult | GrepResult>(found: T, first: (count: number) => T): T {
  let shown = found;
  let count = 'paths' in found ? found.paths.length : found.matches.length;
  while (!fits(shown) && count > 0) {
    count = Math.floor(count / 2);
    shown = first(count);
  }
  return shown;
}

function listed(entries: DirectoryEntry[] | null, path: string): DirectoryEntry[] | null {
  if (fits(entries)) return entries;
  throw new FileError(
    'output_limit',
    path,
    `Cannot list '${path}': its ${entries?.length} entries are too many for one answer. Use glob with a pattern`,
  );
}

function notRoot(path: string): string {
  if (path !== WORKSPACE) return path;
  throw new FileError('access_denied', path, "Cannot move or remove '/workspace': it is the workspace itself");
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileError && error.code === 'not_found') return null;
    throw error;
  }
}

function explained(error: unknown): { code: ErrorCode; message: string; path?: string } {
  if (error instanceof FileError) return { code: error.code, message: error.message, path: error.path };
  // Any other error may name host paths.
  return {
    code: 'adapter_bug',
    message: 'Cannot complete the file operation: the sandbox failed in an unforeseen way',
  };
}
