import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createIsolateSandbox, createSandboxPool } from 'caisson';
import { atMost, type Measurement } from './measurement.ts';
import { sample, summary, time } from './samples.ts';

const run = promisify(execFile);

/** From no session to the first output: cold, and out of a warm pool. Putting it away is not counted. */
export async function firstResult(): Promise<Measurement[]> {
  const cold = await coldSamples(25);
  const warm = await poolSamples(25);
  const node = await sample(15, 2, () => run(process.execPath, ['-e', '0']));
  const fromNothing = summary(cold);
  const fromPool = summary(warm);
  const rival = { name: 'node -e 0', p50: summary(node).p50 };
  return [
    {
      what: 'first result from nothing',
      unit: 'ms',
      ...fromNothing,
      rival,
      target: atMost(160, fromNothing.p50, 'ms'),
    },
    { what: 'first result from a warm pool', unit: 'ms', ...fromPool, rival, target: atMost(5, fromPool.p50, 'ms') },
  ];
}

async function coldSamples(count: number): Promise<number[]> {
  const samples: number[] = [];
  for (let round = -2; round < count; round += 1) {
    const started = performance.now();
    const session = createIsolateSandbox({});
    await session.exec('echo hi');
    const elapsed = performance.now() - started;
    await session.dispose();
    if (round >= 0) samples.push(elapsed);
  }
  return samples;
}

async function poolSamples(count: number): Promise<number[]> {
  await using pool = createSandboxPool({ backend: 'isolate', size: 2 });
  const samples: number[] = [];
  for (let round = -2; round < count; round += 1) {
    // An agent's turns are seconds apart: the pool is given the time to fill up again.
    await new Promise((resolve) => setTimeout(resolve, 600));
    const { session, elapsed } = await acquireAndRun(pool);
    await session.dispose();
    if (round >= 0) samples.push(elapsed);
  }
  return samples;
}

async function acquireAndRun(pool: ReturnType<typeof createSandboxPool>) {
  let session: Awaited<ReturnType<typeof pool.acquire>> | undefined;
  const elapsed = await time(async () => {
    session = await pool.acquire();
    await session.exec('echo hi');
  });
  if (session === undefined) throw new Error('The pool gave no session');
  return { session, elapsed };
}
