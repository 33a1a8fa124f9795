import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { atMost, type Measurement } from '../measurement.ts';
import { sample, summary } from '../samples.ts';

const MiB = 1024 * 1024;

/** File calls of one session, one after the other. */
export async function files(): Promise<Measurement[]> {
  await using session = createDockerSandbox();
  await session.fs.writeFile('small', 'x'.repeat(1024));
  const read = summary(await sample(500, 50, () => session.fs.readFile('small')));
  const write = async (size: number, count: number) => {
    const data = new Uint8Array(size * MiB).fill(120);
    return summary(await sample(count, 1, () => session.fs.writeFile('big', data)));
  };
  const small = await write(1, 10);
  const large = await write(50, 5);
  return [
    { what: 'fs.readFile, 1 KiB', unit: 'ms', ...read, target: atMost(1, read.p50, 'ms') },
    { what: 'fs.writeFile, 1 MiB', unit: 'ms', ...small, target: atMost(30, small.p50, 'ms') },
    { what: 'fs.writeFile, 50 MiB', unit: 'ms', ...large, target: atMost(500, large.p50, 'ms') },
  ];
}
