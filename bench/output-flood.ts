import { createIsolateSandbox } from 'caisson';
import { hostGrowth, MiB } from './host-growth.ts';
import { atMost, type Measurement } from './measurement.ts';

/** How much the host grows at most while a guest writes 64 MiB. */
export async function outputFlood(): Promise<Measurement[]> {
  await using session = createIsolateSandbox({});
  await session.exec('echo warm');
  const { growth, result } = await hostGrowth(() =>
    session.exec('for i in $(seq 64); do printf "%1048576s" x; done', { timeoutMs: 120_000 }),
  );
  const written = result.stdout.length + (result.truncated?.stdoutBytes ?? 0);
  return [
    {
      what: `host growth under ${Math.round(written / MiB)} MiB of output`,
      unit: 'MiB',
      p50: growth,
      target: atMost(32, growth, 'MiB'),
    },
  ];
}
