import { createIsolateSandbox } from 'caisson';
import { Bash, InMemoryFs } from 'just-bash';
import type { Measurement } from './measurement.ts';
import { sample, summary } from './samples.ts';

const COMMAND = 'echo hi | cat';

/** A small pipeline in a warm session, and the same interpreter with nothing around it. */
export async function exec(): Promise<Measurement[]> {
  await using session = createIsolateSandbox({});
  const bare = new Bash({ fs: new InMemoryFs() });
  const ours = await sample(2_000, 300, () => session.exec(COMMAND));
  const theirs = await sample(2_000, 300, () => bare.exec(COMMAND));
  const { p50, p95 } = summary(ours);
  const rival = summary(theirs).p50;
  return [
    {
      what: `isolate exec('${COMMAND}'), warm`,
      unit: 'ms',
      p50,
      p95,
      rival: { name: 'just-bash in process', p50: rival },
      target: { text: '≤ 1 ms and ≤ 2× just-bash', met: p50 <= 1 && p50 <= 2 * rival, value: p50, limit: 1 },
    },
  ];
}
