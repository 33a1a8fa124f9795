import { createIsolateSandbox, type SandboxSession } from 'caisson';
import { atMost, type Measurement } from './measurement.ts';
import { summary, time } from './samples.ts';

/** Guests that wedge or abort the process they run in; each must cost its own call and nothing else. */
const ATTACKS: ((session: SandboxSession) => Promise<unknown>)[] = [
  (session) => session.exec('while true; do :; done', { timeoutMs: 150 }),
  (session) => evaluate(session, '[].includes.call({ length: 2 ** 53 - 1 }, 1)'),
  (session) => evaluate(session, 'const map = new Map(); for (let i = 0; ; i++) map.set(i, {})'),
  (session) => evaluate(session, "[...'x'.repeat(2 ** 28)]"),
  (session) => evaluate(session, 'new Array(2 ** 29).fill(1)'),
  (session) => evaluate(session, 'throw { get message() { for (;;); } }'),
  (session) => evaluate(session, '(async () => { for (;;) await null })()'),
];

const ROUNDS = 100;

/** How many of 100 attacks the host survives, and how long the next call takes, without and with a spare worker. */
export async function survival(): Promise<Measurement[]> {
  const without = await attackRounds(false);
  const spare = await attackRounds(true);
  return [
    {
      what: 'host survives a wedge or an abort',
      unit: 'of 100',
      p50: without.survived,
      target: { text: '100 of 100', met: without.survived === ROUNDS && spare.survived === ROUNDS },
    },
    next('next call after it', without.latencies, 200),
    next('next call after it, spare worker kept', spare.latencies, 20),
  ];
}

function next(what: string, latencies: readonly number[], limit: number): Measurement {
  const { p50, p95 } = summary(latencies);
  const worst = Math.max(...latencies);
  const target = { ...atMost(limit, p95, 'ms'), text: `p95 ≤ ${limit} ms (worst ${worst.toFixed(0)})` };
  return { what, unit: 'ms', p50, p95, target };
}

async function attackRounds(spareWorker: boolean): Promise<{ survived: number; latencies: number[] }> {
  await using session = createIsolateSandbox({ spareWorker, limits: { memoryBytes: 256 * 1024 * 1024 } });
  const latencies: number[] = [];
  let survived = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const attack = ATTACKS[round % ATTACKS.length];
    await attack?.(session);
    const started = await time(async () => {
      const result = await session.exec('echo hi');
      if (result.stdout === 'hi\n') survived += 1;
      else console.error(`round ${round}: the next call ended with ${JSON.stringify(result)}`);
    });
    latencies.push(started);
    // The spare of the next round is given the time between two turns of an agent.
    if (spareWorker) await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return { survived, latencies };
}

function evaluate(session: SandboxSession, code: string): Promise<unknown> {
  if (session.evaluate === undefined) throw new Error('The session cannot evaluate');
  return session.evaluate(code, { timeoutMs: 150 });
}
