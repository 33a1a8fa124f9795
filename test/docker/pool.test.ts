import { afterAll, beforeAll, expect, it } from 'vitest';
import { thisOwner } from '../../sandbox/protocol/owner.js';
import { createToolHost } from '../../src/host/create-tool-host.js';
import { LABEL } from '../../src/sandbox/docker/engine/labels.js';
import { createSandboxPool } from '../../src/sandbox/pool.js';
import { codingTools } from '../../src/tools/coding-tools.js';
import { eventually, pause } from './attacks/attack.js';
import { containerOf, describeOnDocker, leftovers } from './engine.js';
import { stallingEngine } from './stalling-engine.js';

describeOnDocker('a pool of containers', (engine) => {
  let before: string[] = [];
  beforeAll(async () => {
    before = await leftovers(engine);
  });
  afterAll(async () => {
    expect(await leftovers(engine)).toEqual(before);
  });

  const running = async (): Promise<string[]> => {
    const filters = JSON.stringify({ label: [LABEL, `caisson.pid=${thisOwner().pid}`] });
    return (await engine.docker.listContainers({ filters })).map(({ Id }) => Id);
  };

  it('hands out started sessions that nobody has used, and makes others in their place', async () => {
    await using pool = createSandboxPool({ backend: 'docker', size: 2 });
    const sessions = await Promise.all([pool.acquire(), pool.acquire(), pool.acquire()]);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(3);
    for (const session of sessions) {
      await containerOf(engine, session.id);
      expect((await session.exec('ls -A /workspace /tmp; id -u; echo $$ > /tmp/mine')).stdout).toMatch(
        /^\/tmp:\n\n\/workspace:\n2\d{4}\n$/,
      );
    }
    await Promise.all(sessions.map((session) => session.dispose()));
  });

  it('does not hand out a session whose container died while it waited', async () => {
    await using pool = createSandboxPool({ backend: 'docker' });
    await eventually('the warm container runs', async () => (await running()).length === 1);
    const [dead] = await running();
    // Until it is warm, which nobody can see: one that died before that would be the lesser test.
    await pause(1_500);
    await engine.docker.getContainer(dead as string).remove({ force: true });
    await pause(1_000);
    await using session = await pool.acquire();
    expect((await session.exec('echo alive')).stdout).toBe('alive\n');
  });

  it.each(['kill', 'pause'] as const)('does not hand out a session whose container met a %s just now', async (fate) => {
    await using pool = createSandboxPool({ backend: 'docker' });
    await eventually('the warm container runs', async () => (await running()).length === 1);
    const container = engine.docker.getContainer((await running())[0] as string);
    const { State } = await container.inspect();
    await pause(1_500);
    if (fate === 'kill' && process.getuid?.() === 0) {
      process.kill(State.Pid, 'SIGKILL');
      // It is dead before this process can hear of it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    } else await container[fate]();
    await using session = await pool.acquire();
    expect((await session.exec('echo alive')).stdout).toBe('alive\n');
  });

  it('replaces those that reach the end of their life while they wait', async () => {
    await using pool = createSandboxPool({ backend: 'docker', idleLifeMs: 1_000 });
    await eventually('there is one', async () => (await running()).length === 1);
    const [first] = await running();
    await eventually('there is another', async () => {
      const now = await running();
      return now.length === 1 && now[0] !== first;
    });
    await using session = await pool.acquire();
    expect((await session.exec('echo alive')).stdout).toBe('alive\n');
  });

  it('leaves nothing on the engine when it is disposed, also while sessions are still starting', async () => {
    const pool = createSandboxPool({ backend: 'docker', size: 2 });
    await pool.dispose();
    await expect(pool.acquire()).rejects.toMatchObject({ code: 'sandbox_disposed' });
    expect(await leftovers(engine)).toEqual(before);
  });

  it('serves a tool host, whose calls then find the container that was ready', async () => {
    await using pool = createSandboxPool({ backend: 'docker' });
    await using host = createToolHost({ sandbox: pool, permissions: { default: 'allow' } });
    await host.ready();
    expect((await host.sandbox?.exec('uname'))?.stdout).toBe('Linux\n');
  });

  it('does not wait longer than it may for an engine that stalls, and puts away what it starts later', async () => {
    await using stalling = await stallingEngine(engine.endpoint.host.replace('unix://', ''));
    await using pool = createSandboxPool({ backend: 'docker', engine: stalling.host, acquireTimeoutMs: 4_000 });
    const first = await pool.acquire();
    await first.dispose();
    await eventually('the next one runs', async () => (await running()).length === 1);
    await pause(1_500);
    stalling.stall();
    const since = performance.now();
    await using host = createToolHost({ sandbox: pool, tools: codingTools() });
    const outcome = await host.call({ toolName: 'list_dir', args: { path: '.' } });
    expect(performance.now() - since).toBeLessThan(6_000);
    expect(outcome).toMatchObject({
      status: 'error',
      error: {
        kind: 'sandbox',
        code: 'sandbox_unavailable',
        message: expect.stringMatching(/none was ready within 4000 ms\. .*'acquireTimeoutMs'/),
      },
    });
    stalling.goOn();
    await pause(500);
    await pool.dispose();
    expect(await leftovers(engine)).toEqual(before);
  });

  it('tells whoever acquires why none could be started', async () => {
    await using pool = createSandboxPool({ backend: 'docker', image: 'caisson-no-such-image:1' });
    await expect(pool.acquire()).rejects.toMatchObject({ code: 'image_missing' });
  });
});
