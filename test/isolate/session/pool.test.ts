import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IsolateSession } from '../../../src/sandbox/isolate/isolate-session.js';
import { createSandboxPool, type SandboxPoolOptions } from '../../../src/sandbox/pool.js';
import { isAlive, temporaryDirectory } from './fixture.js';

describe('a sandbox pool', () => {
  it('hands out started sessions that nobody has used, and makes others in their place', async () => {
    const workspace = temporaryDirectory();
    writeFileSync(join(workspace, 'f'), 'here\n');
    await using pool = createSandboxPool({ backend: 'isolate', workspace, size: 2 });
    const sessions = await Promise.all([pool.acquire(), pool.acquire(), pool.acquire()]);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(3);
    for (const session of sessions) {
      expect((session as IsolateSession).processIds()).toHaveLength(1);
      expect((await session.exec('cat f; ls /tmp /home/agent')).stdout).toContain('here\n');
      await session.dispose();
    }
  });

  it('ends what nobody acquired when it is disposed, and refuses to hand out more', async () => {
    const pool = createSandboxPool({ backend: 'isolate', size: 2 });
    const session = (await pool.acquire()) as IsolateSession;
    const [pid] = session.processIds();
    await pool.dispose();
    await expect(pool.acquire()).rejects.toMatchObject({ code: 'sandbox_disposed' });
    expect(isAlive(pid as number)).toBe(true);
    await session.dispose();
    expect(isAlive(pid as number)).toBe(false);
  });

  it('tells whoever acquires why none could be started', async () => {
    await using pool = createSandboxPool({ backend: 'isolate', workspace: '/does/not/exist', size: 1 });
    await expect(pool.acquire()).rejects.toMatchObject({ name: 'SandboxUnavailableError' });
  });

  it('does not wait longer than it may', async () => {
    await using pool = createSandboxPool({ backend: 'isolate', acquireTimeoutMs: 1 });
    await expect(pool.acquire()).rejects.toMatchObject({
      name: 'SandboxUnavailableError',
      code: 'sandbox_unavailable',
      retryable: true,
      message: expect.stringContaining('none was ready within 1 ms'),
    });
  });

  it.each([0, 1.5, 2 ** 31, '5'])('refuses %j as the time it may take', (acquireTimeoutMs) => {
    const options = { backend: 'isolate', acquireTimeoutMs } as SandboxPoolOptions;
    expect(() => createSandboxPool(options)).toThrow("'acquireTimeoutMs'");
  });
});
