import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { thisOwner } from '../../../sandbox/protocol/owner.js';
import { DEFAULT_IMAGE } from '../../../src/sandbox/docker/default-image.js';
import { reap } from '../../../src/sandbox/docker/reaper.js';
import { containerOf, leftovers } from '../engine.js';
import { type Attacks, codeOf, eventually, pause, type Stage } from './attack.js';

/** Around the life of a container. */
export const lifecycleAttacks: Attacks = {
  'DOC-070': async ({ sandbox }) => {
    await sandbox.start();
    const controller = new AbortController();
    const pending = sandbox.exec('sleep 5071', { signal: controller.signal });
    await pause(300);
    controller.abort();
    const result = await pending;
    expect([result.cause, result.killed, result.exitCode]).toEqual(['aborted', 'verified', null]);
    expect((await sandbox.exec("ps -eo args | grep -c '[s]leep 5071'")).stdout).toBe('0\n');
  },
  'DOC-072': async ({ sandbox }) => {
    const result = await sandbox.exec('sleep 5072 & setsid sleep 5073 & wait', { timeoutMs: 500 });
    expect(result.killed).toBe('verified');
    expect((await sandbox.exec("ps -eo args | grep -c '[s]leep 507[23]'")).stdout).toBe('0\n');
  },
  'DOC-073': async ({ sandbox }) => {
    const result = await sandbox.exec('sleep 5074 & echo hi; (setsid sleep 5075 >/dev/null 2>&1 &)');
    expect([result.stdout, result.exitCode]).toEqual(['hi\n', 0]);
    expect(result.durationMs).toBeLessThan(1_500);
    expect(result.stillRunning?.map(({ command }) => command).toSorted()).toEqual(['sleep 5074', 'sleep 5075']);
    await sandbox.exec('pkill sleep');
  },
  'DOC-074': async ({ open, engine }) => {
    for (const end of ['kill', 'remove'] as const) {
      const session = await open();
      await session.start();
      const pending = session.exec('echo before; sleep 30').then(
        () => ({ code: 'resolved', stdout: '' }),
        (error: { code: string; stdout: string }) => error,
      );
      await pause(800);
      const container = await containerOf(engine, session.id);
      await (end === 'kill' ? container.kill() : container.remove({ force: true }));
      const error = await pending;
      expect([end, error.code, error.stdout]).toEqual([end, 'sandbox_crashed', 'before\n']);
    }
  },
  'DOC-075': async ({ open, engine }) => {
    const session = await open();
    await session.start();
    const pending = session.exec('sleep 30', { timeoutMs: 1_000 });
    const other = codeOf(session.exec('sleep 60', { timeoutMs: 60_000 }));
    await pause(200);
    await (await containerOf(engine, session.id)).pause();
    const result = await pending;
    expect([result.cause, result.exitCode]).toEqual(['timeout', null]);
    expect(await other).toBe('sandbox_crashed');
    expect(await codeOf(session.exec('true'))).toBe('sandbox_crashed');
    expect((await leftovers(engine)).filter((thing) => thing.includes(session.id))).toEqual([]);
  },
  'DOC-079': killedHostLeavesNothing,
  'DOC-080': killedHostLeavesNothing,
  'DOC-082': async ({ engine }) => {
    // As a host leaves it that dies between create and start.
    const container = await engine.docker.createContainer({
      Image: DEFAULT_IMAGE,
      Cmd: ['true'],
      Labels: {
        caisson: 'dead',
        'caisson.host': thisOwner().host,
        'caisson.pid': '1',
        'caisson.started': '1',
        'caisson.expires': '0',
      },
    });
    const alive = await engine.docker.createContainer({
      Image: DEFAULT_IMAGE,
      Cmd: ['true'],
      Labels: {
        caisson: 'other',
        'caisson.host': 'another-machine',
        'caisson.pid': '1',
        'caisson.started': '1',
        'caisson.expires': String(Date.now() + 60_000),
      },
    });
    const strange = await engine.docker.createContainer({ Image: DEFAULT_IMAGE, Cmd: ['true'] });
    try {
      const reaped = await reap(engine.docker);
      expect(reaped.containers).toContain(container.id);
      expect(reaped.containers).not.toContain(alive.id);
      expect(reaped.containers).not.toContain(strange.id);
    } finally {
      await Promise.all([alive, strange].map((left) => left.remove({ force: true })));
    }
  },
  'DOC-083': async ({ open, engine }) => {
    const socket = join(tmpdir(), `caisson-cut-${process.pid}.sock`);
    const connections = new Set<Socket>();
    const proxy = createServer((client) => {
      const upstream = connect(engine.endpoint.host.replace('unix://', ''));
      connections.add(client).add(upstream);
      client.pipe(upstream).pipe(client);
      for (const end of [client, upstream]) end.on('error', () => {});
    });
    await new Promise<void>((resolve) => proxy.listen(socket, resolve));
    try {
      const session = await open({ engine: `unix://${socket}` });
      await session.start();
      const pending = codeOf(session.exec('sleep 30'));
      await pause(1_500);
      for (const connection of connections) connection.destroy();
      expect(['sandbox_crashed', 'engine_unreachable']).toContain(await pending);
      await eventually('the container ends with its stream', async () => {
        const left = await engine.docker.listContainers({
          all: true,
          filters: JSON.stringify({ label: [`caisson=${session.id}`] }),
        });
        return left.length === 0;
      });
    } finally {
      proxy.close();
    }
  },
  'DOC-086': async ({ open, engine }) => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    const warm = await open();
    await warm.exec('true');
    await warm.dispose();
    const before = { left: await leftovers(engine), fds: descriptors(), timers: timers() };
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const session = await open();
          await session.exec('echo x > f; sleep 100 &');
          await session.dispose();
        }),
      );
    }
    await pause(500);
    expect(await leftovers(engine)).toEqual(before.left);
    expect(descriptors() - before.fds).toBeLessThan(10);
    expect(timers() - before.timers).toBeLessThan(5);
  },
};

/** A host process that is ended with no chance to tidy up. */
async function killedHostLeavesNothing({ engine }: Stage): Promise<void> {
  const fixtures = join(import.meta.dirname, '../fixtures');
  const host = spawn(
    process.execPath,
    ['--no-warnings', '--import', join(fixtures, 'typescript-hooks.mjs'), join(fixtures, 'holds-a-session.ts')],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, DOCKER_HOST: engine.endpoint.host } },
  );
  const id = await new Promise<string>((resolve) => {
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('\n')) resolve(said.trim());
    });
  });
  const listed = async () =>
    engine.docker.listContainers({ all: true, filters: JSON.stringify({ label: [`caisson=${id}`] }) });
  expect((await listed()).length).toBe(1);
  host.kill('SIGKILL');
  await eventually('the container of the killed host is gone', async () => (await listed()).length === 0, 5_000);
}
