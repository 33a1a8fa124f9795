import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { DEFAULT_IMAGE } from '../../src/sandbox/docker/default-image.js';
import { connectEngine } from '../../src/sandbox/docker/engine/engine.js';
import { LABEL } from '../../src/sandbox/docker/engine/labels.js';
import { reap } from '../../src/sandbox/docker/reaper.js';
import { codeOf, eventually, pause } from './attacks/attack.js';
import { describeOnDocker } from './engine.js';

const ABLE = process.getuid?.() === 0 && spawnSync('dockerd', ['--version']).status === 0;

/** With an engine of its own, since it is killed. */
describeOnDocker('an engine that is killed and started again', (shared) => {
  if (!ABLE) {
    process.stdout.write('skipped: engine restart: needs root and dockerd\n');
    it.skip('an engine that is killed (skipped: needs root and dockerd)', () => {});
    return;
  }
  const root = mkdtempSync(join(tmpdir(), 'caisson-engine-'));
  const host = `unix://${root}/docker.sock`;
  let daemon: ChildProcess | undefined;

  const startEngine = async (): Promise<void> => {
    // As a service manager does after a crash.
    for (const pid of ['pid', 'exec/containerd/containerd.pid']) rmSync(join(root, pid), { force: true });
    daemon = spawn(
      'dockerd',
      [
        '--data-root',
        `${root}/data`,
        '--exec-root',
        `${root}/exec`,
        '--pidfile',
        `${root}/pid`,
        '-H',
        host,
        '--bridge=none',
        '--iptables=false',
      ],
      { stdio: 'ignore' },
    );
    await eventually(
      'the engine answers',
      () =>
        connectEngine(host).then(
          () => true,
          () => false,
        ),
      60_000,
    );
  };
  const stopEngine = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = new Promise((resolve) => daemon?.once('exit', resolve));
    daemon.kill(signal);
    await ended;
  };

  afterAll(async () => {
    await stopEngine('SIGTERM');
    execFileSync('sh', ['-c', `mount | awk '{ print $3 }' | grep '^${root}' | sort -r | xargs -r umount -l`]);
    rmSync(root, { recursive: true, force: true });
  }, 60_000);

  it('ends the calls with an error of the sandbox, and leaves nothing to the next one', async () => {
    await startEngine();
    execFileSync('sh', ['-c', `docker -H ${shared.endpoint.host} save ${DEFAULT_IMAGE} | docker -H ${host} load`], {
      stdio: 'ignore',
    });
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const session = createDockerSandbox({ engine: host });
      await session.start();
      const pending = codeOf(session.exec('sleep 600'));
      await pause(300);
      await stopEngine(signal);
      expect([signal, ['sandbox_crashed', 'engine_unreachable'].includes(String(await pending))]).toEqual([
        signal,
        true,
      ]);
      expect(['sandbox_crashed', 'engine_unreachable']).toContain(await codeOf(session.exec('true')));
      await session.dispose();
      const unreachable = createDockerSandbox({ engine: host });
      expect(await codeOf(unreachable.start())).toBe('engine_unreachable');

      await startEngine();
      const { docker } = await connectEngine(host);
      const left = async () =>
        (await docker.listContainers({ all: true, filters: JSON.stringify({ label: [LABEL] }) })).length;
      if ((await left()) > 0) await reap(docker);
      await using next = createDockerSandbox({ engine: host });
      expect((await next.exec('echo alive')).stdout).toBe('alive\n');
      await next.dispose();
      await eventually('nothing of the old session is left', async () => (await left()) === 0, 15_000);
    }
  }, 240_000);
});
