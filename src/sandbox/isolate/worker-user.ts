import type { WorkspaceDirectory } from '../workspace-directory.js';

export interface WorkerUser {
  uid: number;
  gid: number;
}

const NOBODY: WorkerUser = { uid: 65_534, gid: 65_534 };

/**
 * Whom the worker becomes once its code is loaded: when the host is root, the workspace's owner, or nobody when no
 * workspace lies on disk. `undefined`: it stays who the host is (always so for a host that is not root).
 */
export function workerUser(workspace: WorkspaceDirectory | undefined): WorkerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (workspace === undefined) return NOBODY;
  // Root's own workspace can be written by root alone.
  if (workspace.uid === 0) return undefined;
  return { uid: workspace.uid, gid: workspace.gid };
}
