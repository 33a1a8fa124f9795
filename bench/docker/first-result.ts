import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { connectEngine } from '../../src/sandbox/docker/engine/engine.js';
import { createSandboxPool } from '../../src/sandbox/pool.js';
import { atMost, type Measurement } from '../measurement.ts';
import { summary, time } from '../samples.ts';
import { hostConfigOf, startBare } from './bare-container.ts';

const MOST = 1.3;
/** An agent's turns are seconds apart: the pool is given the time to fill up again. */
const PAUSE_MS = 2_000;

/** From no session to the first output: with a new container, and out of a warm pool. Putting it away is not counted. */
export async function firstResult(): Promise<Measurement[]> {
  const { own, bare } = await coldSamples(12);
  const warm = summary(await poolSamples(10));
  const rival = { name: 'create + start', p50: summary(bare).p50 };
  const cold = summary(own);
  const times = cold.p50 / rival.p50;
  return [
    {
      what: 'create to first result, empty workspace',
      unit: 'ms',
      ...cold,
      rival,
      target: {
        text: `≤ ${MOST}× the bare container (${times.toFixed(2)}×)`,
        met: times <= MOST,
        value: cold.p50,
        limit: rival.p50 * MOST,
      },
    },
    { what: 'first result from a warm pool', unit: 'ms', ...warm, target: atMost(10, warm.p50, 'ms') },
  ];
}

/** In turns, so that a machine that is slower for a while is so for both. */
async function coldSamples(count: number): Promise<{ own: number[]; bare: number[] }> {
  const { docker } = await connectEngine();
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = -1; round < count; round += 1) {
    const session = createDockerSandbox();
    const elapsed = await time(() => session.exec('true'));
    const hostConfig = await hostConfigOf(docker, session.id);
    await session.dispose();
    const started = performance.now();
    const container = await startBare(docker, hostConfig);
    const bareElapsed = performance.now() - started;
    await container.remove({ force: true });
    if (round < 0) continue;
    own.push(elapsed);
    bare.push(bareElapsed);
  }
  return { own, bare };
}

async function poolSamples(count: number): Promise<number[]> {
  await using pool = createSandboxPool({ backend: 'docker', size: 2 });
  const samples: number[] = [];
  for (let round = 0; round < count; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const started = performance.now();
    const session = await pool.acquire();
    await session.exec('true');
    samples.push(performance.now() - started);
    await session.dispose();
  }
  return samples;
}
