import { posix } from 'node:path';
import { SandboxError } from '../../sandbox/errors.js';

const WORKSPACE = '/workspace';

/**
 * A path as the session understands it: relative to its base directory, which stands for `/workspace`.
 * @throws SandboxError `path_escape`
 */
export function sessionPath(path: string): string {
  const absolute = posix.resolve(WORKSPACE, path);
  if (absolute === WORKSPACE) return '.';
  if (absolute.startsWith(`${WORKSPACE}/`)) return absolute.slice(WORKSPACE.length + 1);
  throw new SandboxError('path_escape', `Cannot use '${path}': it is outside of ${WORKSPACE}`, { path });
}
