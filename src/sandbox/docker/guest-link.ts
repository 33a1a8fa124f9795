import type Docker from 'dockerode';
import { PROTOCOL_VERSION } from '../../../sandbox/protocol/container.js';
import { SandboxUnavailableError } from '../errors.js';
import { KILL_GRACE_MS } from '../limits.js';
import { agentCode, fileHelperCode } from './agent/agent-code.js';
import { type AgentConnection, FramedConnection, type ReadyMessage } from './agent/agent-connection.js';
import type { AgentTransport } from './agent/agent-transport.js';
import { baseEnvironment } from './container/base-environment.js';
import { RUN_DIRECTORY, SCRATCH_DIRECTORY } from './container/container-config.js';
import type { SessionUser } from './container/session-user.js';
import { certificateEnvironment } from './container/setup.js';
import { openExecLink } from './exec-transport/open-exec-link.js';
import type { SessionWithGuest } from './open-with-guest.js';
import type { DockerSettings } from './options.js';

/** An agent that has not said that it is ready by then will not. */
const READY_PATIENCE_MS = 20_000;
/** How long output may still come after a shell has ended. */
const DRAIN_MS = 400;

interface LinkParts {
  container: Docker.Container;
  transport: AgentTransport;
  settings: DockerSettings;
  user: SessionUser;
  /** What the container itself was given; commands get more. */
  containerEnv: Record<string, string>;
  session: SessionWithGuest;
}

interface OpenLink {
  connection: AgentConnection;
  ready: ReadyMessage;
}

/** The way to a started container's guest, once it is ready: an agent, or processes that the engine starts. */
export async function openGuestLink(parts: LinkParts): Promise<OpenLink> {
  return await patiently(parts.session.guest.keeper === undefined ? openAgentLink(parts) : openKeptLink(parts));
}

async function openAgentLink({ transport, settings, user, containerEnv, session }: LinkParts): Promise<OpenLink> {
  const connection = new FramedConnection(transport, session.onLost);
  connection.sendRaw(agentCode());
  connection.send(
    {
      type: 'init',
      version: PROTOCOL_VERSION,
      ...user,
      env: commandEnvironment(settings, containerEnv),
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

async function openKeptLink({ session, containerEnv, ...parts }: LinkParts): Promise<OpenLink> {
  return await openExecLink({
    ...parts,
    env: commandEnvironment(parts.settings, containerEnv),
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
