import type { ErrorCode } from '../protocol/error-code.js';
import { FileError } from './file-layer.js';

/** A failure below the public surface: knows why, not yet of which path or action. Becomes a `FileError` in `toFileError`. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** What a system would call it. */
  readonly errno: string | undefined;

  constructor(code: ErrorCode, detail: string, errno?: string) {
    super(detail);
    this.code = code;
    this.errno = errno;
  }
}

/** A failure for which not the path that an operation is named after is to blame, but the one that it leads to. */
export class AtTarget extends Error {}

/** @throws AtTarget for whatever fails in `work` */
export function atTarget<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Moved) throw error;
    throw new AtTarget('', { cause: error });
  }
}

/** The tree changed between two steps of one operation: the operation starts over. */
export class Moved extends Error {}

/**
 * @param action what was tried, as it follows "Cannot", e.g. `read`
 * @param path the path as the caller gave it, in the sandbox's namespace
 */
export function toFileError(error: unknown, action: string, path: string): FileError {
  if (error instanceof FileError) return error;
  const shown = quotePath(path);
  if (error instanceof Refusal)
    return new FileError(error.code, path, `Cannot ${action} ${shown}: ${error.message}`, error.errno);
  if (error instanceof Moved) {
    return new FileError(
      'path_escape',
      path,
      `Cannot ${action} ${shown}: directories on the way keep changing; try again`,
    );
  }
  const errno = errnoOf(error);
  const known = ERRNO.get(errno);
  if (known !== undefined) return new FileError(known[0], path, `Cannot ${action} ${shown}: ${known[1]}`, errno);
  return new FileError(
    'access_denied',
    path,
    `Cannot ${action} ${shown}: the file system refused (${errno || 'unknown'})`,
  );
}

/** `ENOENT`, `ERR_ACCESS_DENIED`, …; empty for what is no system error. */
export function errnoOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Names may hold line breaks and direction overrides; a message shows them escaped, and not all 4,096 bytes. */
export function quotePath(path: string): string {
  const shown = path.length > 300 ? `${path.slice(0, 300)}…` : path;
  const escaped = shown.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `'${escaped}'`;
}

const NO_SPACE = 'the disk is full; remove files first';

const ERRNO = new Map<string, readonly [ErrorCode, string]>([
  ['ENOENT', ['not_found', 'no such file or directory']],
  ['ENOTDIR', ['not_directory', 'a part of the path is not a directory']],
  ['EISDIR', ['is_directory', 'it is a directory']],
  ['EEXIST', ['exists', 'it already exists']],
  ['ENOTEMPTY', ['not_empty', 'the directory is not empty']],
  ['EACCES', ['access_denied', 'permission denied by its mode or owner']],
  ['EPERM', ['access_denied', 'operation not permitted']],
  ['ERR_ACCESS_DENIED', ['access_denied', 'outside what the sandbox may touch']],
  ['EROFS', ['read_only', 'the file system is read-only']],
  ['ENOSPC', ['no_space', NO_SPACE]],
  ['EDQUOT', ['no_space', NO_SPACE]],
  ['EFBIG', ['no_space', 'the file would be larger than the file system allows']],
  ['ENAMETOOLONG', ['invalid_input', 'the name or path is too long']],
  ['ELOOP', ['path_escape', 'too many symbolic links']],
  ['ENXIO', ['not_regular_file', 'it is not a regular file']],
  ['ENODEV', ['not_regular_file', 'it is not a regular file']],
  ['EINVAL', ['invalid_input', 'the file system does not take this name or target']],
  ['EILSEQ', ['invalid_input', 'the file system does not take this name']],
  ['EBUSY', ['access_denied', 'it is in use as a mount point']],
  ['ETXTBSY', ['access_denied', 'it is a program that is running']],
  ['EXDEV', ['unsupported', 'source and target are on different file systems']],
  ['EMLINK', ['unsupported', 'it has too many links already']],
  ['EOPNOTSUPP', ['unsupported', 'the file system cannot do this']],
  ['ENOSYS', ['unsupported', 'the file system cannot do this']],
  ['EMFILE', ['session_limit', 'too many open files; try again']],
  ['ENFILE', ['session_limit', 'too many open files on this machine; try again']],
  ['EIO', ['access_denied', 'the disk reported an error']],
]);
