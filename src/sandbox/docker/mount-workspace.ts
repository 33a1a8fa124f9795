import { SandboxUnavailableError } from '../errors.js';
import type { EnforcementPlan } from '../plan.js';
import type { WorkspaceDirectory } from '../workspace-directory.js';
import type { ContainerPlan } from './container-config.js';
import type { Engine } from './engine.js';
import type { DockerSettings } from './options.js';

/**
 * How the workspace comes into the container.
 * @throws SandboxUnavailableError `unsupported` for an engine that cannot give the mode
 */
export async function mountWorkspace(
  settings: DockerSettings,
  { engine, workspace }: { engine: Engine; workspace: WorkspaceDirectory | undefined; plan: EnforcementPlan },
): Promise<Pick<ContainerPlan, 'workspaceMount' | 'masks'>> {
  if (settings.mode === 'memory' || workspace === undefined) return {};
  if (settings.mode === 'direct') {
    requireBindable(engine);
    return { workspaceMount: { Type: 'bind', Source: workspace.path, Target: '/workspace', ReadOnly: false } };
  }
  throw new SandboxUnavailableError("Cannot start the sandbox: workspaceMode 'overlay' is not there yet", { code: 'unsupported' });
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
