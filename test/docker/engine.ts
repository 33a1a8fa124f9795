import { describe, it } from 'vitest';
import { thisOwner } from '../../sandbox/protocol/owner.js';
import { DEFAULT_IMAGE } from '../../src/sandbox/docker/default-image.js';
import { connectEngine, type Engine } from '../../src/sandbox/docker/engine/engine.js';
import { LABEL } from '../../src/sandbox/docker/engine/labels.js';

/** Where a skip would hide that nothing was tested. */
const REQUIRED = process.env.CAISSON_DOCKER === 'required' || process.env.CAISSON_REQUIRE_DOCKER === '1';

const found = await findEngine();

/** The engine the tests use; absent where none answers or the image is missing. */
export const engine: Engine | undefined = 'engine' in found ? found.engine : undefined;

/** Like `describe`, but a named, reported skip where there is no engine, and a failure where one is required. */
export function describeOnDocker(name: string, body: (engine: Engine) => void): void {
  if (engine !== undefined) {
    describe(name, () => body(engine));
    return;
  }
  const { reason } = found as { reason: string };
  if (REQUIRED) {
    it(`${name}: a Docker engine is required`, () => {
      throw new Error(reason);
    });
    return;
  }
  process.stdout.write(`skipped: ${name}: ${reason}\n`);
  it.skip(`${name} (skipped: ${reason})`, () => {});
}

async function findEngine(): Promise<{ engine: Engine } | { reason: string }> {
  try {
    const reached = await connectEngine();
    await reached.docker.getImage(DEFAULT_IMAGE).inspect();
    return { engine: reached };
  } catch (error) {
    const missing = (error as { statusCode?: number }).statusCode === 404;
    return {
      reason: missing ? `the image '${DEFAULT_IMAGE}' is missing; run \`npm run image\`` : (error as Error).message,
    };
  }
}

/** Containers, volumes and networks that sessions of this process have on the engine. */
export async function leftovers({ docker }: Engine): Promise<string[]> {
  const filters = JSON.stringify({ label: [LABEL, `caisson.pid=${thisOwner().pid}`] });
  const [containers, { Volumes }, networks] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listVolumes({ filters }),
    docker.listNetworks({ filters }),
  ]);
  return [
    ...containers.map(({ Id }) => `container ${Id}`),
    ...(Volumes ?? []).map(({ Name }) => `volume ${Name}`),
    ...networks.map(({ Id }) => `network ${Id}`),
  ];
}

export async function containerOf({ docker }: Engine, sessionId: string) {
  const [info] = await docker.listContainers({
    all: true,
    filters: JSON.stringify({ label: [`${LABEL}=${sessionId}`] }),
  });
  if (info === undefined) throw new Error(`Session ${sessionId} has no container`);
  return docker.getContainer(info.Id);
}
