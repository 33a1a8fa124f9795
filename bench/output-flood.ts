import { createIsolateSandbox } from 'caisson';
import { atMost, type Measurement } from './measurement.ts';

const MiB = 1024 * 1024;

/** How much the host grows at most while a guest writes 64 MiB. */
export async function outputFlood(): Promise<Measurement[]> {
  await using session = createIsolateSandbox({});
  await session.exec('echo warm');
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const result = await session.exec('for i in $(seq 64); do printf "%1048576s" x; done', { timeoutMs: 120_000 });
  clearInterval(watch);
  const growth = (Math.max(peak, process.memoryUsage.rss()) - before) / MiB;
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
