import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { hostGrowth, MiB } from '../host-growth.ts';
import { atMost, type Measurement } from '../measurement.ts';

/** How much the host grows at most while a command writes 64 MiB, and whether it can account for all of it. */
export async function outputFlood(): Promise<Measurement[]> {
  await using session = createDockerSandbox();
  await session.exec('echo warm');
  const { growth, result } = await hostGrowth(() =>
    session.exec('echo first; head -c 67108864 /dev/zero | tr "\\0" x; echo last'),
  );
  const written = Buffer.byteLength(result.stdout) + (result.truncated?.stdoutBytes ?? 0);
  const whole = written >= 64 * MiB && result.stdout.startsWith('first\n') && result.stdout.endsWith('last\n');
  const target = atMost(32, growth, 'MiB');
  return [
    {
      what: `host growth under ${Math.round(written / MiB)} MiB of output`,
      unit: 'MiB',
      p50: growth,
      target: { ...target, text: `${target.text}, head and tail kept`, met: target.met && whole },
    },
  ];
}
