import { realpathSync } from 'node:fs';
import type Docker from 'dockerode';
import { PROTOCOL_VERSION } from '../../../sandbox/protocol/container.js';
import type { WorkspaceMode } from '../contract.js';
import { SandboxError, SandboxUnavailableError } from '../errors.js';
import { KILL_GRACE_MS } from '../limits.js';
import type { EnforcementPlan } from '../plan.js';
import { openWorkspaceDirectory } from '../workspace-directory.js';
import { agentCode, fileHelperCode } from './agent-code.js';
import { type AgentConnection, FramedConnection, type ReadyMessage } from './agent-connection.js';
import type { AgentTransport } from './agent-transport.js';
import { baseEnvironment } from './base-environment.js';
import { resolveMounts } from './bound-sources.js';
import { type ContainerPlan, RUN_DIRECTORY, SCRATCH_DIRECTORY } from './container-config.js';
import { ContainerTransport } from './container-transport.js';
import type { Engine } from './engine.js';
import { engineFor, forgetEngine } from './engine-cache.js';
import { KEEPER } from './exec-transport/keeper-script.js';
import { openExecLink } from './exec-transport/open-exec-link.js';
import { ownLabels, UID_LABEL } from './labels.js';
import type { OpenAgent } from './open-agent.js';
import type { DockerSettings } from './options.js';
import { prepareWorkspace } from './prepare-workspace.js';
import { createSessionNetwork, takeOffNetwork } from './session-network.js';
import type { SessionUser } from './session-user.js';
import { certificateEnvironment, installCertificates, runSetup } from './setup.js';
import {
  cacheEnvironment,
  cacheScope,
  closeCaches,
  openCaches,
  prepareCaches,
  type SetupCache,
} from './setup-caches.js';
import { startContainer } from './start-container.js';

const LOSS: Record<WorkspaceMode, string> = {
  direct: 'Files in /workspace are kept, those in /tmp are lost. Make the call again',
  overlay: 'Changes that were not committed are lost. Start a new session',
  memory: 'Its files are lost. Start a new session',
};

/** An agent that has not said that it is ready by then will not. */
const READY_PATIENCE_MS = 20_000;
/** How long output may still come after a shell has ended. */
const DRAIN_MS = 400;

interface SessionParts {
  id: string;
  plan: EnforcementPlan;
  onLost: (error: SandboxError) => void;
}

/** Images that were found to have no Node of their own, and those in which this machine's does not run either. */
const withoutNode = new Set<string>();
const withoutAnyNode = new Set<string>();
const NO_NODE = /exec node failed|"node": executable file not found/;
const NO_VOLUME = /failed to mount local volume/;

/**
 * A container with a running agent in it. An image without Node is lent this machine's, where the engine is local; where
 * that cannot run either, the work is done through processes that the engine starts.
 * @throws SandboxUnavailableError with the reason and the fix; then nothing is left of it
 */
export async function openContainerAgent(settings: DockerSettings, session: SessionParts): Promise<OpenAgent> {
  try {
    return await openWithNode(settings, session);
  } catch (error) {
    if (settings.overlay === 'copy' || !NO_VOLUME.test((error as Error).message)) throw error;
    // Not every file system can be a layer of an overlay.
    return await openWithNode({ ...settings, overlay: 'copy' }, session);
  }
}

async function openWithNode(settings: DockerSettings, session: SessionParts): Promise<OpenAgent> {
  const engine = await engineFor(settings.engine);
  const { transport, image } = settings;
  if (transport === 'exec' || (transport === 'auto' && withoutAnyNode.has(image)))
    return await openIn(engine, settings, { ...session, guest: { keeper: KEEPER } });
  if (!withoutNode.has(image)) {
    try {
      return await openIn(engine, settings, { ...session, guest: {} });
    } catch (error) {
      if (!NO_NODE.test((error as Error).message)) throw error;
      withoutNode.add(image);
    }
  }
  try {
    return await openWithBorrowedNode(engine, settings, session);
  } catch (error) {
    if (transport === 'agent' || !(error instanceof NoNodeError)) throw error;
    withoutAnyNode.add(image);
    return await openIn(engine, settings, { ...session, guest: { keeper: KEEPER } });
  }
}

/** No Node can run in the image: neither its own nor this machine's. */
class NoNodeError extends SandboxUnavailableError {}

async function openWithBorrowedNode(
  engine: Engine,
  settings: DockerSettings,
  session: SessionParts,
): Promise<OpenAgent> {
  const cannot = (cause?: unknown) =>
    new NoNodeError(
      `Cannot start the sandbox: the image '${settings.image}' has no Node, and this machine's cannot run in it. Add Node 22 or later to the image, or leave 'transport' at 'auto'`,
      { code: 'unsupported', cause },
    );
  if (!engine.local || process.platform !== 'linux') throw cannot();
  try {
    return await openIn(engine, settings, { ...session, guest: { borrowedNode: realpathSync(process.execPath) } });
  } catch (error) {
    throw (error as SandboxError).code === 'sandbox_start_failed' ? cannot(error) : error;
  }
}

async function openIn(
  engine: Engine,
  asked: DockerSettings,
  session: SessionParts & { guest: Pick<ContainerPlan, 'borrowedNode' | 'keeper'> },
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
    const parts = { container, transport, settings, user, env: commandEnvironment(settings, env), session };
    const { connection, ready } = await patiently(
      session.guest.keeper === undefined ? openAgentLink(parts) : openKeptLink(parts),
    );
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

interface LinkParts {
  container: Docker.Container;
  transport: AgentTransport;
  settings: DockerSettings;
  user: SessionUser;
  env: Record<string, string>;
  session: SessionParts;
}

interface OpenLink {
  connection: AgentConnection;
  ready: ReadyMessage;
}

async function openAgentLink({ transport, settings, user, env, session }: LinkParts): Promise<OpenLink> {
  const connection = new FramedConnection(transport, session.onLost);
  connection.sendRaw(agentCode());
  connection.send(
    {
      type: 'init',
      version: PROTOCOL_VERSION,
      ...user,
      env,
      plan: session.plan,
      idleMs: settings.idleLifeMs,
      hardMs: settings.hardLifeMs,
      graceMs: KILL_GRACE_MS,
      drainMs: DRAIN_MS,
      maxRunning: maxRunning(settings),
      network: settings.network,
      startedEmpty: settings.mode === 'memory',
      workspace: '/workspace',
      runDirectory: RUN_DIRECTORY,
      scratchDirectory: SCRATCH_DIRECTORY,
    },
    fileHelperCode(),
  );
  return { connection, ready: await connection.ready };
}

async function openKeptLink({ session, ...parts }: LinkParts): Promise<OpenLink> {
  return await openExecLink({
    ...parts,
    plan: session.plan,
    scratchDirectory: SCRATCH_DIRECTORY,
    drainMs: DRAIN_MS,
    maxRunning: maxRunning(parts.settings),
    onLost: session.onLost,
  });
}

function commandEnvironment(settings: DockerSettings, image: Record<string, string>): Record<string, string> {
  return {
    ...image,
    ...baseEnvironment(image.PATH, settings.network),
    ...(settings.caCertificates === undefined ? {} : certificateEnvironment()),
    ...settings.env,
  };
}

function maxRunning({ limits }: DockerSettings): number {
  return Math.max(8, Math.floor(limits.maxProcesses / 4));
}

async function patiently<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(
        new SandboxUnavailableError('Cannot start the sandbox: its agent did not answer in time', {
          code: 'sandbox_start_failed',
        }),
      ),
    READY_PATIENCE_MS,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
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
