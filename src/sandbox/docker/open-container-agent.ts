import { PROTOCOL_VERSION } from '../../../sandbox/protocol/container.js';
import type { WorkspaceMode } from '../contract.js';
import { type SandboxError, SandboxUnavailableError } from '../errors.js';
import { KILL_GRACE_MS } from '../limits.js';
import type { EnforcementPlan } from '../plan.js';
import { openWorkspaceDirectory } from '../workspace-directory.js';
import { agentCode } from './agent-code.js';
import { AgentConnection } from './agent-connection.js';
import type { OpenAgent } from './agent-session.js';
import { baseEnvironment } from './base-environment.js';
import { RUN_DIRECTORY, SCRATCH_DIRECTORY } from './container-config.js';
import { ContainerTransport } from './container-transport.js';
import { engineFor, forgetEngine } from './engine-cache.js';
import { ownLabels, UID_LABEL } from './labels.js';
import type { DockerSettings } from './options.js';
import { chooseUser } from './session-user.js';
import { startContainer } from './start-container.js';
import { mountWorkspace } from './mount-workspace.js';

const LOSS: Record<WorkspaceMode, string> = {
  direct: 'Files in /workspace are kept, those in /tmp are lost. Make the call again',
  overlay: 'Changes that were not committed are lost. Start a new session',
  memory: 'Its files are lost. Start a new session',
};

/** An agent that has not said that it is ready by then will not. */
const READY_PATIENCE_MS = 20_000;
/** How long output may still come after a shell has ended. */
const DRAIN_MS = 400;

/**
 * A container with a running agent in it.
 * @throws SandboxUnavailableError with the reason and the fix; then nothing is left of it
 */
export async function openContainerAgent(
  settings: DockerSettings,
  session: { id: string; plan: EnforcementPlan; onLost: (error: SandboxError) => void },
): Promise<OpenAgent> {
  const engine = await engineFor(settings.engine);
  const workspace = settings.workspace === undefined ? undefined : await openWorkspaceDirectory(settings.workspace);
  const user = chooseUser(settings, workspace);
  const mounted = await mountWorkspace(settings, { engine, workspace, plan: session.plan });
  const labels = {
    ...ownLabels(session.id, Date.now() + settings.hardLifeMs),
    [UID_LABEL]: String(user.uid),
  };
  const { container, stream, env } = await startContainer(engine, { settings, user, labels, ...mounted }).catch((error: SandboxError) => {
    if (error.code === 'engine_unreachable') forgetEngine(settings.engine);
    throw error;
  });
  const transport = new ContainerTransport(container, stream, LOSS[settings.mode]);
  const connection = new AgentConnection(transport, session.onLost);
  try {
    connection.sendRaw(agentCode());
    connection.send({
      type: 'init',
      version: PROTOCOL_VERSION,
      ...user,
      env: { ...env, ...baseEnvironment(env.PATH), ...settings.env },
      plan: session.plan,
      idleMs: settings.idleLifeMs,
      hardMs: settings.hardLifeMs,
      graceMs: KILL_GRACE_MS,
      drainMs: DRAIN_MS,
      maxRunning: Math.max(8, Math.floor(settings.limits.maxProcesses / 4)),
      network: settings.network,
      workspace: '/workspace',
      runDirectory: RUN_DIRECTORY,
      scratchDirectory: SCRATCH_DIRECTORY,
    });
    const ready = await patiently(connection.ready);
    return { connection, transport, ready };
  } catch (error) {
    await transport.destroy();
    throw startError(error);
  }
}

async function patiently<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new SandboxUnavailableError('Cannot start the sandbox: its agent did not answer in time', { code: 'sandbox_start_failed' })),
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
  return new SandboxUnavailableError(`Cannot start the sandbox: ${(error as Error).message.split('. ', 1)[0]}`, {
    code: 'sandbox_start_failed',
    cause: error,
  });
}
