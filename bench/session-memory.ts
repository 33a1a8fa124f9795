import { createIsolateSandbox } from 'caisson';
import { atMost, type Measurement } from './measurement.ts';
import { childProcesses, pss } from './process-memory.ts';

/** What the worker processes of one session hold after 1, 1,000 and 10,000 calls. */
export async function sessionMemory(): Promise<Measurement[]> {
  await using session = createIsolateSandbox({});
  const calls = async (count: number) => {
    for (let call = 0; call < count; call += 1) await session.exec(`echo call ${call} | tr a-z A-Z`);
    return pss(childProcesses());
  };
  const first = await calls(1);
  const thousand = await calls(999);
  const tenThousand = await calls(9_000);
  const growth = Math.max(0, tenThousand - thousand);
  return [
    { what: 'memory (Pss) after the first call', unit: 'MB', p50: first, target: atMost(75, first, 'MB') },
    { what: 'memory (Pss) after 1,000 calls', unit: 'MB', p50: thousand, target: atMost(115, thousand, 'MB') },
    { what: 'more memory at 10,000 calls', unit: 'MB', p50: growth, target: atMost(5, growth, 'MB') },
  ];
}
