import type Docker from 'dockerode';
import { SandboxUnavailableError } from '../../errors.js';
import { type ExecRequest, readExecRequest } from '../../exec-request.js';
import { DEFAULT_LIMITS } from '../../limits.js';
import type { AgentConnection } from '../agent/agent-connection.js';
import { statusOf } from '../agent/container-transport.js';
import { ExecCall } from '../agent/exec-call.js';
import type { Engine } from '../engine/engine.js';

export interface SessionNetwork {
  name: string;
  /** When no container is in it any more. */
  remove(): Promise<void>;
}

/** A network that nobody else is in: the engine's default one would let sessions reach each other. */
export async function createSessionNetwork(
  { docker }: Engine,
  sessionId: string,
  labels: Record<string, string>,
): Promise<SessionNetwork> {
  const name = `caisson-${sessionId}`;
  const network = await docker.createNetwork({ Name: name, Driver: 'bridge', Labels: labels }).catch((cause: Error) => {
    throw new SandboxUnavailableError(
      `Cannot start the sandbox: the engine could not make a network (${cause.message.slice(0, 200)})`,
      { code: 'sandbox_start_failed', cause },
    );
  });
  return {
    name,
    remove: async () => {
      // A container that is just being removed still counts as being in it.
      for (let attempt = 0; attempt < 40; attempt += 1) {
        const outcome = await network.remove().then(
          () => 404,
          (error: unknown) => statusOf(error),
        );
        if (outcome === 404 || outcome === undefined) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/**
 * Takes a running container off its network, for good, and makes sure of it on both sides.
 * @throws SandboxUnavailableError when anything of a network is left
 */
export async function takeOffNetwork(
  { docker }: Engine,
  container: Docker.Container,
  { name, connection }: { name: string; connection: AgentConnection },
): Promise<void> {
  await docker.getNetwork(name).disconnect({ Container: container.id, Force: true });
  const { NetworkSettings } = await container.inspect();
  const interfaces = await runInside(connection, 'ls /sys/class/net');
  const left = Object.keys(NetworkSettings.Networks ?? {});
  if (left.length === 0 && interfaces.stdout.trim() === 'lo') return;
  throw new SandboxUnavailableError(
    'Cannot start the sandbox: its network could not be taken away after setup; nothing else was run in it',
    { code: 'sandbox_start_failed' },
  );
}

/** A command of the session's own, as the session's user. */
export async function runInside(connection: AgentConnection, command: string, options: Partial<ExecRequest> = {}) {
  const request = readExecRequest({ command }, {}, { env: {}, limits: DEFAULT_LIMITS });
  return await new ExecCall(connection, { ...request, ...options }).result;
}
