import { resolvePath } from './resolve-path.js';

/** The workspace, as every sandbox shows it. */
export const WORKSPACE = '/workspace';
/** The home of commands, as every sandbox shows it. */
export const GUEST_HOME = '/home/agent';

/** Where commands run that no sandbox holds: on the host, in a workspace of its own name. */
export interface HostPlace {
  /** The workspace's directory. Absolute. */
  root: string;
  /** What `~` and `$HOME` stand for. Absolute. */
  home: string;
}

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

/** A path as the host reads it, of one in the sandbox's spelling. */
export function hostPath(path: string, hostRoot: string): string {
  return isWithin(WORKSPACE, path) ? hostRoot + path.slice(WORKSPACE.length) : path;
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
