import { posix } from 'node:path';

const WORKSPACE = '/workspace';

/** Where a call's path leads, by its text alone: relative to the workspace, or absolute outside it. */
export interface CallPath {
  /** No leading slash; `.` is the workspace itself. Absent outside. */
  inWorkspace?: string;
  absolute: string;
}

/** Reads a tool's path argument as the sandbox does; `hostRoot` is the workspace's directory on the host, when known. */
export function readCallPath(path: string, hostRoot?: string): CallPath {
  const absolute = posix.normalize(posix.resolve(WORKSPACE, path.normalize('NFC')));
  const inside =
    relativeTo(WORKSPACE, absolute) ?? (hostRoot === undefined ? undefined : relativeTo(hostRoot, absolute));
  return inside === undefined ? { absolute } : { inWorkspace: inside, absolute: posix.join(WORKSPACE, inside) };
}

function relativeTo(root: string, absolute: string): string | undefined {
  if (absolute === root) return '.';
  return absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : undefined;
}
