import { SandboxUnavailableError } from '../../errors.js';
import type { EnforcementPlan } from '../../plan.js';
import type { WorkspaceDirectory } from '../../workspace-directory.js';
import type { ContainerPlan } from '../container/container-config.js';
import type { Engine } from '../engine/engine.js';
import { createMasks } from '../names/masks.js';
import type { NameGuard } from '../names/name-guard.js';
import { requireNoSocket } from './bound-sources.js';

export interface MountedWorkspace extends Pick<ContainerPlan, 'workspaceMount' | 'masks'> {
  guard?: NameGuard;
  /** Write rules that commands can go around. */
  unenforced: string[];
  /** When the container is gone. */
  remove(): Promise<void>;
}

/**
 * How a directory of the host comes into the container, with what holds the plan's rules there.
 * @throws SandboxUnavailableError `unsupported` for an engine that has not got the directory
 */
export async function bindWorkspace(
  engine: Engine,
  workspace: WorkspaceDirectory,
  plan: EnforcementPlan,
): Promise<MountedWorkspace> {
  requireBindable(engine);
  await requireNoSocket(engine, workspace.path);
  const { mounts, readOnlyRoot, held: _, ...rest } = await createMasks(workspace.path, plan);
  return {
    workspaceMount: { Type: 'bind', Source: workspace.path, Target: '/workspace', ReadOnly: readOnlyRoot },
    masks: mounts,
    ...rest,
  };
}

function requireBindable(engine: Engine): void {
  if (!engine.local) {
    throw new SandboxUnavailableError(
      "Cannot work directly on this workspace: the engine runs on another machine, which does not have it. Use workspaceMode 'overlay'",
      { code: 'unsupported' },
    );
  }
  if (engine.rootless) {
    throw new SandboxUnavailableError(
      "Cannot work directly on this workspace: a rootless engine maps its owner to another user. Use workspaceMode 'overlay'",
      { code: 'unsupported' },
    );
  }
}
