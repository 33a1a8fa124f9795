import type { EnforcementPlan } from '../../plan.js';
import type { WorkspaceDirectory } from '../../workspace-directory.js';
import type { AgentConnection } from '../agent/agent-connection.js';
import { AgentTree } from '../agent/agent-tree.js';
import { LocalTree } from '../agent/local-tree.js';
import type { ContainerPlan } from '../container/container-config.js';
import { chooseUser, type SessionUser, volumeUser } from '../container/session-user.js';
import type { Engine } from '../engine/engine.js';
import { NameGuard } from '../names/name-guard.js';
import type { DockerSettings } from '../options.js';
import { fillCopy, requireRoom } from '../overlay/copied-workspace.js';
import { HashedBase } from '../overlay/hashed-base.js';
import { openOverlayVolume } from '../overlay/overlay-volume.js';
import { OverlayWorkspace } from '../overlay/overlay-workspace.js';
import { bindWorkspace, type MountedWorkspace } from './mount-workspace.js';

export interface PreparedWorkspace extends Partial<Pick<MountedWorkspace, 'guard' | 'unenforced'>> {
  /** Who commands and file work run as. */
  user: SessionUser;
  plan: Pick<ContainerPlan, 'workspaceMount' | 'masks' | 'copied'>;
  /** Keeps changes apart from the origin, when the agent is there. */
  fill?(connection: AgentConnection): Promise<OverlayWorkspace>;
  /** When the container is gone, or never came. */
  remove(): Promise<void>;
}

interface Parts {
  engine: Engine;
  workspace: WorkspaceDirectory;
  plan: EnforcementPlan;
  /** Of everything that is made for the session. */
  labels: Readonly<Record<string, string>>;
}

/**
 * Everything about the workspace that must be known before the container is made.
 * @throws SandboxUnavailableError `unsupported`
 */
export async function prepareWorkspace(
  settings: DockerSettings,
  { workspace, ...parts }: Omit<Parts, 'workspace'> & { workspace: WorkspaceDirectory | undefined },
): Promise<PreparedWorkspace> {
  const user = chooseUser(settings, workspace);
  if (workspace === undefined) return { user, plan: {}, remove: async () => {} };
  if (settings.mode === 'direct') {
    const { workspaceMount, masks, ...held } = await bindWorkspace(parts.engine, workspace, parts.plan);
    return { user, plan: { ...(workspaceMount && { workspaceMount }), ...(masks && { masks }) }, ...held };
  }
  const origin = await LocalTree.open(workspace.path, workspace);
  try {
    const through = await lookThrough(settings, { ...parts, workspace }, origin);
    return through ?? { user, ...(await copy(settings, origin, await closeLinked(workspace, parts.plan))) };
  } catch (error) {
    await origin.close();
    throw error;
  }
}

/** An overlay volume, where the engine is this machine's and the workspace's owner can be whom commands run as. */
async function lookThrough(
  settings: DockerSettings,
  { engine, workspace, plan: given, labels }: Parts,
  origin: LocalTree,
): Promise<PreparedWorkspace | undefined> {
  const user = volumeUser(settings, workspace);
  const isPossible = settings.overlay === 'volume' && engine.local && !engine.rootless && process.platform === 'linux';
  if (user === undefined || !isPossible) return undefined;
  // Before the volume: what comes in between is seen, too.
  const hides = given.denyRead.length > 0;
  const guard = hides ? await watchNames(workspace, given) : undefined;
  const plan = withLinked(given, guard);
  // Nothing of the upper layer could cover it. A copy is without what has no name.
  if (guard !== undefined && guard.unnamed.length > 0) {
    guard.close();
    return undefined;
  }
  const volume = await openOverlayVolume(engine, { workspace, plan, origin, labels, image: settings.image });
  if (volume === undefined) {
    guard?.close();
    return undefined;
  }
  const base = new HashedBase(origin, plan);
  return {
    user,
    plan: volume.plan,
    ...(guard === undefined ? {} : { guard }),
    fill: async (connection) =>
      new OverlayWorkspace({
        form: 'volume',
        origin,
        copy: new AgentTree(connection),
        plan,
        base: base.found,
        hidden: volume.hidden,
      }),
    remove: async () => {
      guard?.close();
      base.stop();
      await origin.close();
      await volume.remove();
    },
  };
}

/** What links lead to from denied names that no copy can leave out, by the names of where it lies. */
async function closeLinked(workspace: WorkspaceDirectory, plan: EnforcementPlan): Promise<EnforcementPlan> {
  if (!plan.denyRead.some(({ glob }) => glob.replace(/^(\*\*\/)+/, '').includes('/'))) return plan;
  const guard = await watchNames(workspace, plan);
  guard.close();
  return withLinked(plan, guard);
}

function watchNames(workspace: WorkspaceDirectory, { denyRead }: EnforcementPlan): Promise<NameGuard> {
  return NameGuard.open(workspace.path, { denyRead, denyWrite: [] }, { byName: true });
}

function withLinked(plan: EnforcementPlan, guard: NameGuard | undefined): EnforcementPlan {
  return { ...plan, denyRead: [...plan.denyRead, ...(guard?.linked ?? [])] };
}

async function copy(
  settings: DockerSettings,
  origin: LocalTree,
  plan: EnforcementPlan,
): Promise<Omit<PreparedWorkspace, 'user'>> {
  const found = await origin.scan(plan, true);
  const { tmpfs, limits } = settings;
  const room = limits.memoryBytes - tmpfs.workspace - tmpfs.tmp - tmpfs.home - RESERVED_BYTES;
  return {
    plan: { copied: requireRoom(found, room) },
    fill: (connection) => fillCopy(connection, { origin, found, plan }),
    remove: () => origin.close(),
  };
}

/** What programs need although every file system in memory is full. */
const RESERVED_BYTES = 96 * 1024 * 1024;
