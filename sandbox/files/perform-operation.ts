import type { ErrorCode } from '../protocol/error-code.js';
import type { FileOperation, FileReplies } from '../protocol/file-operations.js';
import type { DirectoryEntry, GlobResult, GrepResult } from '../protocol/files.js';
import { MAX_HEADER_BYTES } from '../protocol/frame.js';
import { FileError, type FileLayer } from './file-layer.js';

export interface OperationReply {
  value: FileReplies[keyof FileReplies];
  body?: Uint8Array;
}

const WORKSPACE = '/workspace';

/**
 * Does one file operation of the host. Only the workspace is there: what `..` leads out of it is `path_escape`, and so
 * is what a link does, where the layer was opened with `workspaceOnly`.
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
      return {
        value: listed(
          orNull(() => files.list(inWorkspace(operation.path), { readable: true })),
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

/** What the host is told of a failure; anything unforeseen may name paths that are nobody's business. */
export function explainFailure(error: unknown): { code: ErrorCode; message: string; path?: string } {
  if (error instanceof FileError) {
    return { code: error.code, message: shown(error.message), path: shown(error.path) };
  }
  return {
    code: 'adapter_bug',
    message: 'Cannot complete the file operation: the sandbox failed in an unforeseen way',
  };
}

/** Characters of a path or a message that a model is shown; a path given may be of any length. */
const SHOWN_CHARACTERS = 1_000;

/** @returns the text, cut where it is too long to be of use */
export function shown(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;
}

function inWorkspace(path: string): string {
  if (path.includes('\0')) throw new FileError('invalid_input', path, 'Cannot use a path that holds a NUL character');
  const at = normalise(path);
  if (at === WORKSPACE || at.startsWith(`${WORKSPACE}/`)) return at;
  throw new FileError('path_escape', at, `Cannot use '${at}': it is outside /workspace`);
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
