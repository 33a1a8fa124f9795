import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import type { Measurement } from '../measurement.ts';
import { percentile, sample } from '../samples.ts';

const AT_ONCE = 200;
const WANTED = 500;

/** How many commands a second one session ends when all are asked for at once. */
export async function concurrency(): Promise<Measurement[]> {
  await using session = createDockerSandbox();
  await sample(20, 0, () => session.exec('true'));
  const all = async () => {
    const results = await Promise.all(Array.from({ length: AT_ONCE }, () => session.exec('true')));
    const failed = results.find(({ exitCode }) => exitCode !== 0);
    if (failed !== undefined) throw new Error(`A command ended with ${JSON.stringify(failed)}`);
  };
  const took = percentile(await sample(5, 1, all), 0.5);
  const rate = (AT_ONCE * 1_000) / took;
  return [
    {
      what: `${AT_ONCE} concurrent exec('true')`,
      unit: 'a second',
      p50: rate,
      target: { text: `≥ ${WANTED} a second`, met: rate >= WANTED },
    },
  ];
}
