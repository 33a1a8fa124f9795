import { FileError, type FileLayer } from '../../isolate/files/file-layer.js';
import type { ErrorCode } from '../../protocol/error-code.js';
import type { FileOperation, FileReplies } from '../../protocol/file-operations.js';

export interface OperationReply {
  value: FileReplies[keyof FileReplies];
  body?: Uint8Array;
}

const WORKSPACE = '/workspace';

/**
 * Does one file operation of the host. Only the workspace is there: what a link or `..` leads out of it is `path_escape`.
 * @throws FileError
 */
export function performOperation(operation: FileOperation, body: Uint8Array, files: FileLayer): OperationReply {
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
      return { value: orNull(() => files.list(inWorkspace(operation.path))) };
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
      return { value: files.glob(patterns, { ...query, cwd: inWorkspace(query.cwd ?? WORKSPACE) }) };
    }
    case 'grep': {
      const { pattern, query } = operation;
      return { value: files.grep(pattern, { ...query, path: inWorkspace(query.path ?? WORKSPACE) }) };
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

/** What the host is told of a failure; anything unforeseen may name paths that are nobody's business. */
export function explainFailure(error: unknown): { code: ErrorCode; message: string; path?: string } {
  if (error instanceof FileError) return { code: error.code, message: error.message, path: error.path };
  return {
    code: 'adapter_bug',
    message: 'Cannot complete the file operation: the sandbox failed in an unforeseen way',
  };
}

function inWorkspace(path: string): string {
  const at = normalise(path);
  if (isInWorkspace(at)) return at;
  throw leadsOut(path);
}

function isInWorkspace(path: string): boolean {
  return path === WORKSPACE || path.startsWith(`${WORKSPACE}/`);
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${WORKSPACE}/${path}`).split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function leadsOut(path: string): FileError {
  return new FileError('path_escape', path, `Cannot use '${path}': it leads out of /workspace`);
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
