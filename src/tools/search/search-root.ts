import { isSandboxError, SandboxError } from '../../sandbox/errors.js';

/** Directories that hold other people's files or history. */
export function ignoredDirectories(includeIgnored: boolean | undefined): { ignoreDirectories?: readonly string[] } {
  return includeIgnored === true ? { ignoreDirectories: [] } : {};
}

/** Rethrows what a search threw, with advice where the root is missing or the pattern is wrong. */
export function explainSearchError(error: unknown, search: { label: string; advice: string }): never {
  if (!isSandboxError(error)) throw error;
  const { label, advice } = search;
  if (error.code === 'not_found' || error.code === 'not_directory') {
    const state = error.code === 'not_found' ? 'no such file or directory' : 'it is not a directory';
    throw new SandboxError(error.code, `Cannot search "${label}": ${state}; look for it with list_dir`, {
      path: label,
      cause: error,
    });
  }
  if (error.code === 'bad_pattern')
    throw new SandboxError('bad_pattern', `${error.message}; ${advice}`, { cause: error });
  throw error;
}
