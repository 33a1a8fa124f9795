import type { WorkspaceMode } from '../contract.js';
import { SandboxError, SandboxUnavailableError } from '../errors.js';
import type { EnforcementPlan } from '../plan.js';
import { openWorkspaceDirectory } from '../workspace-directory.js';
import { ContainerTransport } from './agent/container-transport.js';
import type { ContainerPlan } from './container/container-config.js';
import { createSessionNetwork, takeOffNetwork } from './container/session-network.js';
import type { SessionUser } from './container/session-user.js';
import { installCertificates, runSetup } from './container/setup.js';
import {
  cacheEnvironment,
  cacheScope,
  closeCaches,
  openCaches,
  prepareCaches,
  type SetupCache,
} from './container/setup-caches.js';
import { startContainer } from './container/start-container.js';
import type { Engine } from './engine/engine.js';
import { ownLabels, UID_LABEL } from './engine/labels.js';
import { forgetEngine } from './engine-cache.js';
import { openGuestLink } from './guest-link.js';
import type { OpenAgent } from './open-agent.js';
import type { DockerSettings } from './options.js';
import { resolveMounts } from './workspace/bound-sources.js';
import { prepareWorkspace } from './workspace/prepare-workspace.js';

const LOSS: Record<WorkspaceMode, string> = {
  direct: 'Files in /workspace are kept, those in /tmp are lost. Make the call again',
  overlay: 'Changes that were not committed are lost. Start a new session',
  memory: 'Its files are lost. Start a new session',
};

export interface SessionParts {
  id: string;
  plan: EnforcementPlan;
  onLost: (error: SandboxError) => void;
}

export interface SessionWithGuest extends SessionParts {
  /** Nothing for the image's own Node, or what stands in for it. */
  guest: Pick<ContainerPlan, 'borrowedNode' | 'keeper'>;
}

/** A started, furnished container with this guest in it. Where anything of that fails, nothing of it is left. */
export async function openWithGuest(
  engine: Engine,
  asked: DockerSettings,
  session: SessionWithGuest,
): Promise<OpenAgent> {
  const settings = { ...asked, mounts: await resolveMounts(engine, asked.mounts) };
  const workspace = settings.workspace === undefined ? undefined : await openWorkspaceDirectory(settings.workspace);
  const owned = ownLabels(session.id, Date.now() + settings.hardLifeMs);
  const prepared = await prepareWorkspace(settings, { engine, workspace, plan: session.plan, labels: owned });
  const { user } = prepared;
  const labels = { ...owned, [UID_LABEL]: String(user.uid) };
  const abandon = async (error: unknown): Promise<never> => {
    await prepared.remove();
    throw error;
  };
  const caches = await openCacheVolumes(engine, settings, { user, workspace: workspace?.path }).catch(abandon);
  const online = settings.network === 'full' || (settings.setup !== undefined && settings.setup.network !== 'none');
  const network = online ? await createSessionNetwork(engine, session.id, labels).catch(abandon) : undefined;
  const remove = async (): Promise<void> => {
    await prepared.remove();
    await network?.remove();
  };
  const networkMode = network === undefined ? {} : { networkMode: network.name };
  const { container, stream, env } = await startContainer(engine, {
    settings,
    user,
    labels,
    ...networkMode,
    caches,
    ...session.guest,
    ...prepared.plan,
  }).catch(async (error: SandboxError) => {
    if (error.code === 'engine_unreachable') forgetEngine(settings.engine);
    await remove();
    throw error;
  });
  const transport = new ContainerTransport(container, stream, {
    lossNote: LOSS[settings.mode],
    remove,
  });
  try {
    const { connection, ready } = await openGuestLink({
      container,
      transport,
      settings,
      user,
      containerEnv: env,
      session,
    });
    const overlay = await prepared.fill?.(connection);
    if (settings.caCertificates !== undefined) await installCertificates(connection, settings.caCertificates);
    if (settings.setup !== undefined) {
      await openCaches(container, caches);
      await runSetup(connection, settings.setup, {
        sessionEnv: settings.env,
        cacheEnv: cacheEnvironment(caches),
      });
      await closeCaches(container, caches, { user, connection });
    }
    if (network !== undefined && settings.network === 'none') {
      await takeOffNetwork(engine, container, { name: network.name, connection });
    }
    const { guard, unenforced } = prepared;
    return {
      connection,
      transport,
      ready,
      ...(overlay === undefined ? {} : { overlay }),
      ...(guard === undefined ? {} : { guard }),
      ...(unenforced === undefined ? {} : { unenforced }),
    };
  } catch (error) {
    await transport.destroy();
    throw startError(error);
  }
}

async function openCacheVolumes(
  engine: Engine,
  { image, setup }: DockerSettings,
  { user, workspace }: { user: SessionUser; workspace: string | undefined },
): Promise<SetupCache[]> {
  if (setup?.caches === undefined || setup.caches.length === 0) return [];
  const scope = cacheScope({ image, workspace, command: setup.command });
  return await prepareCaches(engine, setup.caches, { scope, user, workspace });
}

function startError(error: unknown): Error {
  if (error instanceof SandboxUnavailableError) return error;
  if (error instanceof SandboxError && error.code === 'no_space')
    return new SandboxUnavailableError(`Cannot copy the workspace into the sandbox: ${error.message}`, {
      code: 'sandbox_start_failed',
    });
  return new SandboxUnavailableError(`Cannot start the sandbox: ${(error as Error).message.split('. ', 1)[0]}`, {
    code: 'sandbox_start_failed',
    cause: error,
  });
}
