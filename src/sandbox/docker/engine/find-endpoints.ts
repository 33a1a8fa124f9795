import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Endpoint {
  /** As `DOCKER_HOST` spells it. */
  host: string;
  /** Where it was found, for people. */
  from: string;
  /** Directory with `ca.pem`, `cert.pem` and `key.pem`. */
  certificates?: string;
}

/**
 * Where an engine may be, most explicit first. An explicit choice is the only one: `DOCKER_HOST` that is wrong must not
 * quietly lead to another engine.
 */
export function findEndpoints(explicit: string | undefined, env: NodeJS.ProcessEnv = process.env): Endpoint[] {
  const certificates = env.DOCKER_CERT_PATH === undefined ? {} : { certificates: env.DOCKER_CERT_PATH };
  if (explicit !== undefined) return [{ host: explicit, from: "the option 'engine'", ...certificates }];
  if (env.DOCKER_HOST) return [{ host: env.DOCKER_HOST, from: 'DOCKER_HOST', ...certificates }];
  const context = readContext(env);
  if (context !== undefined) return [context];
  return usualSockets(env)
    .filter((path) => existsSync(path))
    .map((path) => ({ host: `unix://${path}`, from: path.includes('podman') ? "Podman's socket" : 'a usual socket' }));
}

/** The sockets that are looked for, whether they exist or not; for `doctor`. */
export function usualSockets(env: NodeJS.ProcessEnv = process.env): string[] {
  const home = env.HOME ?? homedir();
  // Where it is not said, as under sudo or cron: it is there all the same.
  const run = env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`;
  return [
    '/var/run/docker.sock',
    join(run, 'docker.sock'),
    join(home, '.docker/run/docker.sock'),
    join(home, '.docker/desktop/docker.sock'),
    join(home, '.orbstack/run/docker.sock'),
    join(home, '.colima/default/docker.sock'),
    join(home, '.rd/docker.sock'),
    join(run, 'podman/podman.sock'),
    '/run/podman/podman.sock',
  ];
}

function readContext(env: NodeJS.ProcessEnv): Endpoint | undefined {
  const directory = env.DOCKER_CONFIG ?? join(env.HOME ?? homedir(), '.docker');
  const name = env.DOCKER_CONTEXT ?? readJson(join(directory, 'config.json'))?.currentContext;
  if (typeof name !== 'string' || name === '' || name === 'default') return undefined;
  const id = createHash('sha256').update(name).digest('hex');
  const meta = readJson(join(directory, 'contexts/meta', id, 'meta.json')) as
    | { Endpoints?: { docker?: { Host?: unknown } } }
    | undefined;
  const host = meta?.Endpoints?.docker?.Host;
  if (typeof host !== 'string') return { host: '', from: `the Docker context '${name}', which has no endpoint` };
  const certificates = join(directory, 'contexts/tls', id, 'docker');
  return { host, from: `the Docker context '${name}'`, ...(existsSync(certificates) ? { certificates } : {}) };
}

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
