import type { EnforcementPlan } from '../plan.js';
import type { WorkspaceDirectory } from '../workspace-directory.js';
import type { AgentConnection } from './agent-connection.js';
import type { ContainerPlan } from './container-config.js';
import type { Engine } from './engine.js';
import { LocalTree } from './local-tree.js';
import { bindWorkspace } from './mount-workspace.js';
import type { DockerSettings } from './options.js';
import { OverlayCopy, requireCopyable } from './overlay-copy.js';

export interface PreparedWorkspace {
  plan: Pick<ContainerPlan, 'workspaceMount' | 'masks' | 'copied'>;
  /** Puts the workspace's files in, when the agent is there. */
  fill?(connection: AgentConnection): Promise<OverlayCopy>;
  /** When the container is gone, or never came. */
  remove(): Promise<void>;
}

/** Room for what a file takes beside its bytes. */
const ENTRY_BYTES = 4096;

/**
 * Everything about the workspace that must be known before the container is made.
 * @throws SandboxUnavailableError `unsupported`
 */
export async function prepareWorkspace(
  settings: DockerSettings,
  { engine, workspace, plan }: { engine: Engine; workspace: WorkspaceDirectory | undefined; plan: EnforcementPlan },
): Promise<PreparedWorkspace> {
  if (workspace === undefined) return { plan: {}, remove: async () => {} };
  if (settings.mode === 'direct') {
    const { remove, ...mounted } = await bindWorkspace(engine, workspace, plan);
    return { plan: mounted, remove };
  }
  const origin = await LocalTree.open(workspace.path);
  try {
    const found = await origin.scan(plan, true);
    const { entries } = found;
    const { tmpfs, limits } = settings;
    const room = limits.memoryBytes - tmpfs.workspace - tmpfs.tmp - tmpfs.home - entries.length * ENTRY_BYTES;
    const bytes = requireCopyable(found, Math.max(0, room - RESERVED_BYTES)) + entries.length * ENTRY_BYTES;
    return {
      plan: { copied: { bytes, entries: entries.length } },
      fill: async (connection) => {
        const overlay = new OverlayCopy(origin, connection, plan);
        await overlay.fill(found);
        return overlay;
      },
      remove: () => origin.close(),
    };
  } catch (error) {
    await origin.close();
    throw error;
  }
}

/** What programs need although every file system in memory is full. */
const RESERVED_BYTES = 96 * 1024 * 1024;
