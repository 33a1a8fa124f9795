import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { connectEngine } from '../../src/sandbox/docker/engine/engine.js';
import type { Measurement } from '../measurement.ts';
import { sample, summary } from '../samples.ts';
import { bareExec, hostConfigOf, startBare } from './bare-container.ts';

/** One command through the host, beside one exec per call through dockerode. */
export async function exec(): Promise<Measurement[]> {
  const { docker } = await connectEngine();
  await using session = createDockerSandbox();
  await session.start();
  const bare = await startBare(docker, await hostConfigOf(docker, session.id));
  try {
    const rival = summary(await sample(40, 3, () => bareExec(bare, ['true'])));
    const own = summary(await sample(200, 50, () => session.exec('true')));
    const times = rival.p50 / own.p50;
    return [
      {
        what: "exec('true')",
        unit: 'ms',
        ...own,
        rival: { name: 'docker exec', p50: rival.p50 },
        target: {
          text: `≥ 15× faster (${times.toFixed(1)}×)`,
          met: times >= 15,
          value: own.p50,
          limit: rival.p50 / 15,
        },
      },
    ];
  } finally {
    await bare.remove({ force: true });
  }
}
