import { connectEngine, type Engine } from './engine/engine.js';
import { findEndpoints, usualSockets } from './engine/find-endpoints.js';
import { CACHE_LABEL, CACHE_WORKSPACE_LABEL, isAbandoned, LABEL } from './engine/labels.js';
import { type Reaped, reap } from './reaper.js';

export interface RunningSandbox {
  sessionId: string;
  containerId: string;
  image: string;
  state: string;
  createdAt: Date;
  /** Its owner is gone: `reapSandboxes()` would remove it. */
  abandoned: boolean;
}

/** What Caisson has on an engine; for `caisson ps`. @throws SandboxUnavailableError `engine_unreachable` */
export async function listSandboxes(engine?: string): Promise<RunningSandbox[]> {
  const { docker } = await connectEngine(engine);
  const listed = await docker.listContainers({ all: true, filters: JSON.stringify({ label: [LABEL] }) });
  return listed.map(({ Id, Image, State, Created, Labels }) => ({
    sessionId: Labels[LABEL] ?? '',
    containerId: Id,
    image: Image,
    state: State,
    createdAt: new Date(Created * 1000),
    abandoned: isAbandoned(Labels),
  }));
}

/** Removes what dead owners left, and nothing else; for `caisson reap`. @throws SandboxUnavailableError `engine_unreachable` */
export async function reapSandboxes(engine?: string): Promise<Reaped> {
  const { docker } = await connectEngine(engine);
  return reap(docker);
}

export interface SharedCache {
  volume: string;
  kind: string;
  /** Whose sessions share it; empty for sessions without one. */
  workspace: string;
  createdAt?: Date;
}

/** What setups share on an engine; for `caisson ps --caches`. @throws SandboxUnavailableError `engine_unreachable` */
export async function listCaches(engine?: string): Promise<SharedCache[]> {
  const { docker } = await connectEngine(engine);
  const { Volumes } = await docker.listVolumes({ filters: JSON.stringify({ label: [CACHE_LABEL] }) });
  return (Volumes ?? []).map(({ Name, Labels, ...rest }) => {
    const { CreatedAt } = rest as { CreatedAt?: string };
    return {
      volume: Name,
      kind: Labels?.[CACHE_LABEL] ?? '',
      workspace: Labels?.[CACHE_WORKSPACE_LABEL] ?? '',
      ...(CreatedAt === undefined ? {} : { createdAt: new Date(CreatedAt) }),
    };
  });
}

/** Removes the caches that no session uses now; for `caisson reap --caches`. @returns their volumes */
export async function removeCaches(
  only: (cache: SharedCache) => boolean = () => true,
  engine?: string,
): Promise<string[]> {
  const { docker } = await connectEngine(engine);
  const removed = await Promise.all(
    (await listCaches(engine)).filter(only).map(({ volume }) =>
      docker
        .getVolume(volume)
        .remove()
        .then(
          () => [volume],
          () => [],
        ),
    ),
  );
  return removed.flat();
}

export type EngineReport =
  | {
      reachable: true;
      endpoint: string;
      foundBy: string;
      version: string;
      local: boolean;
      rootless: boolean;
      /** Podman answers Docker's API, but does not take what a sandbox asks for: it is refused by name at its start. */
      podman: boolean;
      imagePresent: boolean;
    }
  | { reachable: false; tried: string[]; reason: string };

/** What was found and what to do about it; for `caisson doctor`, and for `auto`. Never rejects. */
export async function inspectEngine(image: string, engine?: string): Promise<EngineReport> {
  try {
    const found = await connectEngine(engine);
    return {
      reachable: true,
      endpoint: found.endpoint.host,
      foundBy: found.endpoint.from,
      version: found.version,
      local: found.local,
      rootless: found.rootless,
      podman: found.podman,
      imagePresent: await hasImage(found, image),
    };
  } catch (error) {
    const endpoints = findEndpoints(engine).map(({ host, from }) => `${host} (${from})`);
    return {
      reachable: false,
      tried: endpoints.length > 0 ? endpoints : usualSockets(),
      reason: (error as Error).message,
    };
  }
}

async function hasImage({ docker }: Engine, image: string): Promise<boolean> {
  return docker
    .getImage(image)
    .inspect()
    .then(
      () => true,
      () => false,
    );
}
