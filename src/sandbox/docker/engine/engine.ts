import type Docker from 'dockerode';
import { SandboxUnavailableError } from '../../errors.js';
import { clientOptions } from './client-options.js';
import { type Endpoint, findEndpoints, usualSockets } from './find-endpoints.js';

export interface Engine {
  docker: Docker;
  endpoint: Endpoint;
  /** Its file system is this machine's. */
  local: boolean;
  rootless: boolean;
  version: string;
  podman: boolean;
}

const PATIENCE_MS = 5_000;

/**
 * The first engine that answers.
 * @throws SandboxUnavailableError `engine_unreachable`, naming what was tried and what to do
 */
export async function connectEngine(explicit?: string, signal?: AbortSignal): Promise<Engine> {
  const failures: string[] = [];
  for (const endpoint of findEndpoints(explicit)) {
    const Client = await loadClient();
    try {
      return await openEngine(new Client(clientOptions(endpoint)), endpoint, signal);
    } catch (error) {
      failures.push(`${endpoint.host || endpoint.from}: ${reason(error)}`);
    }
  }
  throw new SandboxUnavailableError(describeFailure(failures), { code: 'engine_unreachable' });
}

/** An optional peer, because it brings packages with install scripts that whoever wants no containers need not have. */
async function loadClient(): Promise<typeof Docker> {
  try {
    return (await import('dockerode')).default;
  } catch (cause) {
    throw new SandboxUnavailableError(
      "Cannot use Docker: the package 'dockerode' is not installed. Run `npm install dockerode`",
      { code: 'engine_unreachable', cause },
    );
  }
}

async function openEngine(docker: Docker, endpoint: Endpoint, signal?: AbortSignal): Promise<Engine> {
  const [version, info] = await withPatience((abortSignal) => {
    const client = docker as unknown as AbortableClient;
    return Promise.all([client.version({ abortSignal }), client.info({ abortSignal })]);
  }, signal);
  return {
    docker,
    endpoint,
    local: endpoint.host.startsWith('unix:') || endpoint.host.startsWith('npipe:'),
    rootless: (info.SecurityOptions ?? []).some((option) => option.includes('name=rootless')),
    version: version.Version,
    podman: /podman/i.test(JSON.stringify(version.Components ?? version)),
  };
}

/** What the types of the client leave out. */
interface AbortableClient {
  version(options: { abortSignal: AbortSignal }): Promise<Docker.DockerVersion>;
  info(options: { abortSignal: AbortSignal }): Promise<{ SecurityOptions?: string[] }>;
}

/** Requests that nobody waits for any more are ended: an open socket would keep the process alive. */
async function withPatience<T>(start: (signal: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const requests = new AbortController();
  const startedAt = performance.now();
  const giveUp = () => {
    const waited = Math.max(1, Math.round((performance.now() - startedAt) / 1000));
    late.reject(new Error(`no answer within ${waited} s`));
    requests.abort();
  };
  const timer = setTimeout(giveUp, PATIENCE_MS);
  given?.addEventListener('abort', giveUp, { once: true });
  const work = start(requests.signal);
  try {
    if (given?.aborted === true) giveUp();
    return await Promise.race([late.promise, work]);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', giveUp);
    work.catch(() => {});
  }
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'no such socket';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'EACCES' || code === 'EPERM')
    return "permission denied; add your user to the engine's group or use a rootless engine";
  if (code === 'ERR_INVALID_URL') return 'not an endpoint';
  return (error as Error).message;
}

function describeFailure(failures: readonly string[]): string {
  if (failures.length === 0) {
    return `Cannot reach a Docker engine: none of the usual sockets exists (${usualSockets().slice(0, 2).join(', ')}, …). Start Docker, set DOCKER_HOST, or use the isolate sandbox`;
  }
  return `Cannot reach a Docker engine (${failures.join('; ')}). Start it, correct DOCKER_HOST, or use the isolate sandbox`;
}
