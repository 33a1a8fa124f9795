import type { SandboxSession } from '../../../sandbox/contract.js';
import { createDockerSandbox } from '../../../sandbox/docker/create-docker-sandbox.js';
import type { DockerSandboxOptions } from '../../../sandbox/docker/index.js';
import { SandboxError } from '../../../sandbox/errors.js';
import { toAiSdkSandbox } from '../to-ai-sdk-sandbox.js';
import { PortForwarder } from './port-forwarder.js';
import type { HarnessSandboxProvider, HarnessSandboxSession, HarnessSessionOptions } from './types.js';

export interface HarnessSandboxProviderOptions extends DockerSandboxOptions {
  /**
   * Ports inside that a harness may use for its bridge, reached over 127.0.0.1 of this machine, without a network for
   * the sandbox. Default none.
   */
  ports?: readonly number[];
}

/**
 * Containers for the AI SDK's harness (`@ai-sdk/harness`): one Docker sandbox for each of its sessions. Nothing is started
 * until it asks. A session can be resumed while it runs, in this process; when it is stopped its container is gone.
 *
 * @throws TypeError for options that cannot be
 * @example
 * const agent = new HarnessAgent({ harness, sandbox: createHarnessSandboxProvider({ workspace: '.', workspaceMode: 'overlay' }) });
 */
export function createHarnessSandboxProvider(options: HarnessSandboxProviderOptions = {}): HarnessSandboxProvider {
  const { ports = [], ...docker } = options;
  for (const port of ports) checkPort(port);
  // Made, not started: options that cannot be are refused here and not in the middle of a run.
  let prepared: SandboxSession | undefined = createDockerSandbox(docker);
  const running = new Map<string, HarnessSandboxSession>();
  return {
    specificationVersion: 'harness-sandbox-v1',
    providerId: 'caisson-docker',
    createSession: async (asked = {}) => {
      if (asked.sessionId !== undefined && running.has(asked.sessionId))
        throw new Error(`Cannot create the harness session '${asked.sessionId}': it is running; resume it`);
      const sandbox = prepared ?? createDockerSandbox(docker);
      prepared = undefined;
      const session = harnessSession(sandbox, { id: asked.sessionId, ports, network: docker.network ?? 'none' }, (id) =>
        running.delete(id),
      );
      await start(sandbox, session, asked);
      running.set(session.id, session);
      return session;
    },
    resumeSession: async ({ sessionId, abortSignal }) => {
      abortSignal?.throwIfAborted();
      const session = running.get(sessionId);
      if (session !== undefined) return session;
      throw new Error(
        `Cannot resume the harness session '${sessionId}': no container of this process runs it. Create a new one`,
      );
    },
  };
}

/** All of it or nothing: what began to start and failed leaves no container behind. */
async function start(
  sandbox: SandboxSession,
  session: HarnessSandboxSession,
  { abortSignal, onFirstCreate }: HarnessSessionOptions,
): Promise<void> {
  try {
    abortSignal?.throwIfAborted();
    await sandbox.start();
    abortSignal?.throwIfAborted();
    await onFirstCreate?.(session.restricted(), abortSignal === undefined ? {} : { abortSignal });
  } catch (error) {
    await session.destroy();
    throw error;
  }
}

interface Settings {
  id: string | undefined;
  ports: readonly number[];
  network: 'none' | 'full';
}

function harnessSession(
  sandbox: SandboxSession,
  { id = sandbox.id, ports, network }: Settings,
  onStopped: (id: string) => void,
): HarnessSandboxSession {
  // Tools get this one: nothing in it ends the sandbox or opens its network.
  const restricted = toAiSdkSandbox(sandbox);
  const forwarder = new PortForwarder(sandbox);
  const endpoint: HarnessSandboxSession['getPortEndpoint'] = async ({ port, protocol = 'http' }) => {
    if (!ports.includes(port)) throw unsupported(`has no port ${port}: name it in 'ports'`);
    if (protocol === 'https')
      throw unsupported('forwards ports without encryption, on this machine only: use http or ws');
    return { url: `${protocol}://127.0.0.1:${await forwarder.portOf(port)}` };
  };
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      onStopped(id);
      await forwarder.close();
      await sandbox.dispose();
    })();
    return stopping;
  };
  return {
    ...restricted,
    // The spread would keep what it says now, and it says more once the sandbox runs.
    get description() {
      return restricted.description;
    },
    id,
    defaultWorkingDirectory: sandbox.cwd,
    ports,
    getPortEndpoint: endpoint,
    getPortUrl: async (options) => (await endpoint(options)).url,
    setNetworkPolicy: async ({ mode }) => {
      if (mode === (network === 'none' ? 'deny-all' : 'allow-all')) return;
      throw unsupported(`cannot change its network to '${mode}': it is '${network}' for the life of the container`);
    },
    stop,
    destroy: stop,
    restricted: () => restricted,
  };
}

function unsupported(what: string): SandboxError {
  return new SandboxError('unsupported', `The Docker sandbox of a harness ${what}`);
}

function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return;
  throw new TypeError(`createHarnessSandboxProvider: 'ports' must be numbers from 1 to 65535, not '${port}'`);
}
