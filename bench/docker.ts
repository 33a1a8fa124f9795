import type Docker from 'dockerode';
import { createDockerSandbox } from '../src/sandbox/docker/create-docker-sandbox.js';
import { DEFAULT_IMAGE } from '../src/sandbox/docker/default-image.js';
import { connectEngine } from '../src/sandbox/docker/engine.js';

/**
 * The Docker backend beside one exec per call through dockerode, in the same run on the same engine.
 *
 *   npm run bench:docker
 */
const MiB = 1024 * 1024;
const { docker } = await connectEngine();

let reference = { create: 0, exec: 0 };
const rows: [string, string, string][] = [];
await benchRaw();
await benchSession();
for (const [name, value, target] of rows) console.log(`${name.padEnd(46)} ${value.padStart(22)}   ${target}`);

async function benchRaw(): Promise<void> {
  const creates = await times(5, async () => {
    const container = await docker.createContainer({
      Image: DEFAULT_IMAGE,
      Cmd: ['sleep', '60'],
      HostConfig: { NetworkMode: 'none', Init: true },
    });
    await container.start();
    return container;
  });
  const [container, ...others] = creates.results;
  await Promise.all(others.map((other) => other.remove({ force: true })));
  if (container === undefined) throw new Error('No container');
  const execs = await times(30, () => rawExec(container, ['true']));
  await container.remove({ force: true });
  rows.push(['bare container: create + start, p50', ms(p50(creates.durations)), '']);
  rows.push(["docker exec through dockerode: 'true', p50", ms(p50(execs.durations)), 'the reference']);
  reference = { create: p50(creates.durations), exec: p50(execs.durations) };
}

async function benchSession(): Promise<void> {
  const first = await times(5, async () => {
    const session = createDockerSandbox();
    await session.exec('true');
    return session;
  });
  const [session, ...others] = first.results;
  await Promise.all(others.map((other) => other.dispose()));
  if (session === undefined) throw new Error('No session');
  rows.push([
    'session: create to first result, p50',
    ms(p50(first.durations)),
    `${ratio(p50(first.durations), reference.create)} of the bare container (≤ 1.3×)`,
  ]);

  await times(20, () => session.exec('true'));
  const execs = await times(200, () => session.exec('true'));
  rows.push([
    "session.exec('true'), p50",
    ms(p50(execs.durations)),
    `${ratio(reference.exec, p50(execs.durations))} faster than docker exec (≥ 15×)`,
  ]);

  await session.fs.writeFile('small', 'x'.repeat(1024));
  const reads = await times(500, () => session.fs.readFile('small'));
  rows.push(['session.fs.readFile 1 KiB, p50', ms(p50(reads.durations)), '≤ 1 ms']);

  const parallel = await times(3, () => Promise.all(Array.from({ length: 200 }, () => session.exec('true'))));
  rows.push([
    "200 concurrent exec('true')",
    `${Math.round(200_000 / p50(parallel.durations))} a second`,
    '≥ 500 a second',
  ]);

  for (const [size, target] of [
    [1, '≤ 30 ms'],
    [50, '≤ 500 ms'],
  ] as const) {
    const data = new Uint8Array(size * MiB).fill(120);
    const writes = await times(size === 1 ? 10 : 3, () => session.fs.writeFile('big', data));
    rows.push([`session.fs.writeFile ${size} MiB, p50`, ms(p50(writes.durations)), target]);
  }
  const flood = await times(3, () => session.exec('head -c 67108864 /dev/zero'));
  rows.push(['64 MiB of command output, p50', ms(p50(flood.durations)), '']);
  await session.dispose();
}

async function rawExec(container: Docker.Container, Cmd: string[]): Promise<void> {
  const exec = await container.exec({ Cmd, AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  await new Promise<void>((resolve) => {
    stream.on('end', resolve);
    stream.resume();
  });
  await exec.inspect();
}

async function times<T>(count: number, work: () => Promise<T>): Promise<{ results: T[]; durations: number[] }> {
  const results: T[] = [];
  const durations: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const start = performance.now();
    results.push(await work());
    durations.push(performance.now() - start);
  }
  return { results, durations };
}

function p50(durations: readonly number[]): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)] ?? 0;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function ratio(one: number, other: number): string {
  return `${(one / other).toFixed(1)}×`;
}
