import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { connectEngine } from '../../src/sandbox/docker/engine/engine.js';
import { LABEL } from '../../src/sandbox/docker/engine/labels.js';
import type { Measurement } from '../measurement.ts';

const HOSTS = 50;
const AT_ONCE = 5;
const FIXTURES = new URL('../../test/docker/fixtures/', import.meta.url);

/** Containers that are left of hosts that were killed, when the next host has its session. */
export async function orphans(): Promise<Measurement[]> {
  const { docker } = await connectEngine();
  const killed: string[] = [];
  for (let round = 0; round < HOSTS / AT_ONCE; round += 1) {
    const hosts = await Promise.all(Array.from({ length: AT_ONCE }, startHost));
    for (const { host, id } of hosts) {
      killed.push(id);
      host.kill('SIGKILL');
    }
  }
  const next = await startHost();
  const containers = await docker.listContainers({ all: true, filters: JSON.stringify({ label: [LABEL] }) });
  next.host.kill('SIGKILL');
  const left = containers.filter(({ Labels }) => killed.includes(Labels[LABEL] ?? '')).length;
  return [
    {
      what: `orphans after ${HOSTS} SIGKILLed hosts`,
      unit: 'left',
      p50: left,
      target: { text: '0 once the next host has started', met: left === 0 },
    },
  ];
}

/** A process that holds a session, with a command that goes on, until it is killed. */
function startHost(): Promise<{ host: ChildProcess; id: string }> {
  const fixture = (name: string) => fileURLToPath(new URL(name, FIXTURES));
  const host = spawn(
    process.execPath,
    ['--no-warnings', '--import', fixture('typescript-hooks.mjs'), fixture('holds-a-session.ts')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return new Promise((resolve, reject) => {
    host.stdout?.once('data', (chunk: Buffer) => resolve({ host, id: chunk.toString().trim() }));
    host.once('exit', () => reject(new Error('The host ended before it had a session')));
  });
}
