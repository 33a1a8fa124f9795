import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import { createSandboxPool } from '../../src/sandbox/pool.js';
import { eventually } from './attacks/attack.js';
import { containerOf, describeOnDocker, leftovers } from './engine.js';

describeOnDocker('a pool of containers', (engine) => {
  let before: string[] = [];
  beforeAll(async () => {
    before = await leftovers(engine);
  });
  afterAll(async () => {
    expect(await leftovers(engine)).toEqual(before);
  });

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
    await using pool = createSandboxPool({ backend: 'docker', idleLifeMs: 1_000 });
    const containers = async () => (await leftovers(engine)).length - before.length;
    await eventually('the warm container is there', async () => (await containers()) === 1);
    await eventually('nobody has used it for too long', async () => (await containers()) === 0);
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

  it('tells whoever acquires why none could be started', async () => {
    await using pool = createSandboxPool({ backend: 'docker', image: 'caisson-no-such-image:1' });
    await expect(pool.acquire()).rejects.toMatchObject({ code: 'image_missing' });
  });
});
