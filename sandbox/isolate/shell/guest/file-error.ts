import type { FileFailure } from '../bridge.js';
import { host } from './connection.js';

/** The errno at the start of an error's message, which commands recognise, and what a shell says of it. */
const SAID: Record<string, readonly [text: string, said: string]> = {
  ENOENT: ['no such file or directory', 'No such file or directory'],
  ENOTARGET: ['no directory', 'No such file or directory'],
  EISDIR: ['illegal operation on a directory', 'Is a directory'],
  ENOTDIR: ['not a directory', 'Not a directory'],
  ENOTEMPTY: ['directory not empty', 'Directory not empty'],
  EEXIST: ['file already exists', 'File exists'],
  EACCES: ['permission denied', 'Permission denied'],
  EPERM: ['operation not permitted', 'Operation not permitted'],
  EROFS: ['read-only file system', 'Read-only file system'],
  ENOSPC: ['no space left on device', 'No space left on device'],
  EFBIG: ['file too large', 'File too large'],
  EINVAL: ['invalid argument', 'Invalid argument'],
  EXDEV: ['cross-device link not permitted', 'Invalid cross-device link'],
  ENAMETOOLONG: ['name too long', 'File name too long'],
  ELOOP: ['too many symbolic links encountered', 'Too many levels of symbolic links'],
  EMLINK: ['too many links', 'Too many links'],
  EMFILE: ['too many open files', 'Too many open files'],
  EBUSY: ['resource busy or locked', 'Device or resource busy'],
  ETXTBSY: ['text file is busy', 'Text file busy'],
  EIO: ['input/output error', 'Input/output error'],
};

/** What a refusal of the sandbox's own is nearest to. */
const NEAREST: Record<string, string> = {
  not_found: 'ENOENT',
  is_directory: 'EISDIR',
  not_directory: 'ENOTDIR',
  not_empty: 'ENOTEMPTY',
  exists: 'EEXIST',
  access_denied: 'EACCES',
  path_escape: 'EACCES',
  read_only: 'EROFS',
  no_space: 'ENOSPC',
  quota_exceeded: 'ENOSPC',
  file_too_large: 'EFBIG',
  not_regular_file: 'EINVAL',
  invalid_input: 'EINVAL',
  unsupported: 'EXDEV',
  session_limit: 'EMFILE',
};

/** An error as the interpreter's commands expect it. */
export class GuestFileError extends Error {
  readonly code: string;
  /** As a shell would say it, with the sandbox's own reason where it has one. */
  readonly said: string;

  constructor(
    code: string,
    operation: string,
    path: string,
    { detail = '', errno }: { detail?: string; errno?: string } = {},
  ) {
    const name = errno !== undefined && Object.hasOwn(SAID, errno) ? errno : (NEAREST[code] ?? 'EIO');
    super(`${name}: ${SAID[name]?.[0]}, ${operation} '${path}'`);
    this.code = name;
    const said = code === 'not_regular_file' ? 'Not a regular file' : whatIsSaidOf(name);
    this.said = name === 'EACCES' && detail !== '' ? `${said} (${detail})` : said;
    if (name !== 'ENOENT') remember(path, this.said);
  }
}

/** Commands take any `ENOENT` for a missing source: this one is told apart by a name that no system has. */
export class MissingTargetError extends Error {
  constructor(path: string) {
    super(`ENOTARGET: no directory, write '${path}'`);
  }
}

/** What a shell says of an errno. */
export function whatIsSaidOf(errno: string): string {
  return SAID[errno]?.[1] ?? errno;
}

/** The error of the file call that has just failed. */
export function lastFailure(operation: string, path: string): GuestFileError {
  const { code, message, errno } = JSON.parse(host().failure()) as FileFailure;
  const detail = message.slice(message.indexOf("': ") + 3);
  return new GuestFileError(code, operation, path, errno === undefined ? { detail } : { detail, errno });
}

/** What failed lately other than by not being there, by path. */
const recent = new Map<string, string>();
const MAX_REMEMBERED = 100;

function remember(path: string, said: string): void {
  if (recent.size >= MAX_REMEMBERED) recent.clear();
  recent.set(path, said);
}

export function forgetFailures(): void {
  recent.clear();
}

/** Why a path failed; undefined when it did not, or was not there. */
export function recentFailure(path: string): string | undefined {
  return recent.get(path);
}

export function anyRecentFailure(): boolean {
  return recent.size > 0;
}
