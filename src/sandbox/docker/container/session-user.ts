import { randomInt } from 'node:crypto';
import { SandboxUnavailableError } from '../../errors.js';
import type { WorkspaceDirectory } from '../../workspace-directory.js';
import type { DockerSettings } from '../options.js';
import { cacheScope } from './setup-caches.js';

export interface SessionUser {
  uid: number;
  gid: number;
}

/** The image has names for these; kernel limits such as inotify's are per uid, so sessions do not share one. */
const FIRST_UID = 20_000;
const UIDS = 2_000;
const GID = 20_000;

/**
 * Who commands and file work run as.
 * @throws SandboxUnavailableError for a workspace that root owns, unless the caller said `user: 'root'`
 */
export function chooseUser(settings: DockerSettings, workspace: WorkspaceDirectory | undefined): SessionUser {
  if (settings.user === 'root') return { uid: 0, gid: 0 };
  if (settings.mode === 'direct' && workspace !== undefined) {
    if (settings.user !== undefined) return settings.user;
    if (workspace.uid === 0) {
      throw new SandboxUnavailableError(
        "Cannot work directly on this workspace: root owns it, and commands would have to run as root. Use workspaceMode 'overlay', change its owner, or say user: 'root'",
        { code: 'unsupported' },
      );
    }
    return { uid: workspace.uid, gid: workspace.gid };
  }
  return settings.user ?? { uid: FIRST_UID + chooseUid(settings, workspace), gid: GID };
}

/** Who shares caches must be the same user to them. */
function chooseUid({ setup, image }: DockerSettings, workspace: WorkspaceDirectory | undefined): number {
  if (setup?.caches === undefined || setup.caches.length === 0) return randomInt(UIDS);
  return (
    Number.parseInt(cacheScope({ image, workspace: workspace?.path, command: setup.command }).slice(-8), 16) % UIDS
  );
}

/**
 * Who they run as where the workspace is looked through to: its files belong to its owner, and nobody else can change
 * them. Root's own are for root alone, which the caller has to say.
 * @returns undefined where that is not so: then the workspace is copied
 */
export function volumeUser({ user }: DockerSettings, workspace: WorkspaceDirectory): SessionUser | undefined {
  const { uid, gid } = workspace;
  if (user === 'root') return uid === 0 ? { uid: 0, gid: 0 } : undefined;
  if (uid === 0 || (user !== undefined && user.uid !== uid)) return undefined;
  return user ?? { uid, gid };
}
