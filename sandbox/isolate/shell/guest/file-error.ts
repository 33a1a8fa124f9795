import type { FileFailure } from '../bridge.js';
import { host } from './connection.js';

/** What the commands recognise, the errno at the start of an error's message, and what a shell says of it. */
const ERRNO: Record<string, readonly [errno: string, text: string, said: string]> = {
  not_found: ['ENOENT', 'no such file or directory', 'No such file or directory'],
  is_directory: ['EISDIR', 'illegal operation on a directory', 'Is a directory'],
  not_directory: ['ENOTDIR', 'not a directory', 'Not a directory'],
  not_empty: ['ENOTEMPTY', 'directory not empty', 'Directory not empty'],
  exists: ['EEXIST', 'file already exists', 'File exists'],
  access_denied: ['EACCES', 'permission denied', 'Permission denied'],
  path_escape: ['EACCES', 'permission denied', 'Permission denied'],
  read_only: ['EROFS', 'read-only file system', 'Read-only file system'],
  no_space: ['ENOSPC', 'no space left on device', 'No space left on device'],
  quota_exceeded: ['ENOSPC', 'no space left on device', 'No space left on device'],
  file_too_large: ['EFBIG', 'file too large', 'File too large'],
  not_regular_file: ['EINVAL', 'invalid argument', 'Not a regular file'],
  unsupported: ['EXDEV', 'cross-device link not permitted', 'Invalid cross-device link'],
};
const UNKNOWN = ['EIO', 'input/output error', 'Input/output error'] as const;

/** An error as the interpreter's commands expect it. */
export class GuestFileError extends Error {
  readonly code: string;
  /** As a shell would say it, with the sandbox's own reason where it has one. */
  readonly said: string;

  constructor(code: string, operation: string, path: string, detail = '') {
    const [errno, text, said] = ERRNO[code] ?? UNKNOWN;
    super(`${errno}: ${text}, ${operation} '${path}'`);
    this.code = errno;
    this.said = errno === 'EACCES' && detail !== '' ? `${said} (${detail})` : said;
    if (errno !== 'ENOENT') remember(path, this.said);
  }
}

/** The error of the file call that has just failed. */
export function lastFailure(operation: string, path: string): GuestFileError {
  const { code, message } = JSON.parse(host().failure()) as FileFailure;
  return new GuestFileError(code, operation, path, message.slice(message.indexOf("': ") + 3));
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
