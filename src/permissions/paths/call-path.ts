import { resolvePath } from './resolve-path.js';

/** The workspace, as every sandbox shows it. */
export const WORKSPACE = '/workspace';
/** The home of commands, as every sandbox shows it. */
export const GUEST_HOME = '/home/agent';

/**
 * A path as the sandbox reads it: absolute in its own namespace. `hostRoot` is the workspace's directory on the host,
 * which a call or a rule may name as well.
 */
export function callPath(path: string, hostRoot?: string): string {
  const absolute = resolvePath(WORKSPACE, path.normalize('NFC'));
  if (hostRoot === undefined || hostRoot === '') return absolute;
  if (absolute === hostRoot) return WORKSPACE;
  return absolute.startsWith(`${hostRoot}/`) ? WORKSPACE + absolute.slice(hostRoot.length) : absolute;
}

/** Relative to the workspace, or absolute outside it. */
export function shownPath(absolute: string): string {
  if (absolute === WORKSPACE) return '.';
  return absolute.startsWith(`${WORKSPACE}/`) ? absolute.slice(WORKSPACE.length + 1) : absolute;
}

/** Whether a path is a directory, or in it. */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
