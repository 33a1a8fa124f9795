import { connectEngine, type Engine } from './engine.js';
import { findEndpoints, usualSockets } from './find-endpoints.js';
import { isAbandoned, LABEL } from './labels.js';
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

export type EngineReport =
  | {
      reachable: true;
      endpoint: string;
      foundBy: string;
      version: string;
      local: boolean;
      rootless: boolean;
      /** Podman answers Docker's API; what it ignores is refused when a sandbox starts. Untested. */
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
