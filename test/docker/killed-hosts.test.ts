import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LABEL } from '../../src/sandbox/docker/engine/labels.js';
import { reap } from '../../src/sandbox/docker/reaper.js';
import { eventually } from './attacks/attack.js';
import { describeOnDocker } from './engine.js';
import { makeWorkspace } from './workspaces.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');
/** At once; each is a Node process with a container. */
const AT_ONCE = 5;
const ROUNDS = Number(process.env.CAISSON_KILLED_HOSTS ?? 10) / AT_ONCE;

describeOnDocker('hosts that are killed', (engine) => {
  const startHost = (
    fixture = 'holds-a-session.ts',
    args: string[] = [],
  ): Promise<{ host: ChildProcess; id: string }> => {
    const host = spawn(
      process.execPath,
      ['--no-warnings', '--import', join(FIXTURES, 'typescript-hooks.mjs'), join(FIXTURES, fixture), ...args],
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
      const hosts = await Promise.all(Array.from({ length: AT_ONCE }, () => startHost()));
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

  it('leave nothing in the temp directory once the next host has started', async () => {
    const workspace = await makeWorkspace();
    const temporary = await mkdtemp(join(tmpdir(), 'killed-hosts-'));
    vi.stubEnv('TMPDIR', temporary);
    try {
      await writeFile(join(workspace, 'file'), '');
      const { host } = await startHost('holds-directories.ts', [workspace]);
      const kinds = new Set((await readdir(temporary)).map((name) => name.split('-')[1]));
      expect([...kinds]).toEqual(expect.arrayContaining(['covers', 'files']));
      await reap(engine.docker);
      expect(await readdir(temporary)).not.toEqual([]);
      const ended = once(host, 'exit');
      host.kill('SIGKILL');
      await ended;
      await eventually('the temp directory is empty', async () => {
        await reap(engine.docker);
        return (await readdir(temporary)).length === 0;
      });
    } finally {
      vi.unstubAllEnvs();
      for (const path of [workspace, temporary]) await rm(path, { recursive: true });
    }
  }, 60_000);
});
