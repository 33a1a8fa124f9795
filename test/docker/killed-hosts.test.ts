import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LABEL } from '../../src/sandbox/docker/labels.js';
import { reap } from '../../src/sandbox/docker/reaper.js';
import { eventually } from './attacks/attack.js';
import { describeOnDocker } from './engine.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
/** At once; each is a Node process with a container. */
const AT_ONCE = 5;
const ROUNDS = Number(process.env.CAISSON_KILLED_HOSTS ?? 10) / AT_ONCE;

describeOnDocker('hosts that are killed', (engine) => {
  const startHost = (): Promise<{ host: ChildProcess; id: string }> => {
    const host = spawn(
      process.execPath,
      ['--no-warnings', '--import', join(FIXTURES, 'typescript-hooks.mjs'), join(FIXTURES, 'holds-a-session.ts')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, DOCKER_HOST: engine.endpoint.host },
      },
    );
    return new Promise((resolve, reject) => {
      host.stdout?.once('data', (chunk: Buffer) => resolve({ host, id: chunk.toString().trim().split(' ')[0] ?? '' }));
      host.once('exit', () => reject(new Error('The host ended before it had a session')));
    });
  };

  it('leave no container once the next host has started, however many they were', async () => {
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const hosts = await Promise.all(Array.from({ length: AT_ONCE }, startHost));
      for (const { host, id } of hosts) {
        ids.push(id);
        host.kill('SIGKILL');
      }
    }
    expect(new Set(ids).size).toBe(ROUNDS * AT_ONCE);
    await reap(engine.docker);
    await eventually('every container of a killed host is gone', async () => {
      const left = await engine.docker.listContainers({ all: true, filters: JSON.stringify({ label: [LABEL] }) });
      return left.every(({ Labels }) => !ids.includes(Labels[LABEL] ?? ''));
    });
  }, 300_000);
});
