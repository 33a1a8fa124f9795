import { expect } from 'vitest';
import { type Attacks, codeOf, eventually, pause } from './attack.js';

/** Through commands, their ends and their number. */
export const runAttacks: Attacks = {
  'RUN-002': async ({ sandbox }) => {
    const result = await sandbox.exec('sleep 3011 & sleep 3012', { timeoutMs: 1_000 });
    expect([result.cause, result.killed]).toEqual(['timeout', 'verified']);
    expect(result.durationMs).toBeLessThan(2_500);
    expect((await sandbox.exec("ps -eo args | grep -c '[s]leep 301'")).stdout).toBe('0\n');
  },
  'RUN-003': async ({ sandbox }) => {
    const result = await sandbox.exec(
      `python3 -c "
import os, signal, time
for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(s, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvpe('sleep', ['sleep', '4021'], {'PATH': os.environ['PATH']})
    os._exit(0)
time.sleep(60)"`,
      { timeoutMs: 1_000 },
    );
    expect([result.cause, result.killed]).toEqual(['timeout', 'verified']);
    expect((await sandbox.exec("ps -eo args | grep -c '[s]leep 4021'")).stdout).toBe('0\n');
  },
  'RUN-005': async ({ sandbox }) => {
    const { stdout } = await sandbox.exec("printf '\\033]52;c;ZXZpbA==\\a\\033[31mred\\r\\342\\200\\256'");
    expect(stdout).toBe('\u001b]52;c;ZXZpbA==\u0007\u001b[31mred\r\u202e');
  },
  'RUN-007': async ({ sandbox }) => {
    await sandbox.exec('ln -sfn / rootlink; mkdir -p gone');
    for (const cwd of ['/etc', '..', 'rootlink', 'rootlink/etc', '/tmp', '/proc/1']) {
      expect([cwd, await codeOf(sandbox.exec('pwd', { cwd }))]).toEqual([cwd, 'invalid_cwd']);
    }
    expect((await sandbox.exec('rmdir ../gone; echo still', { cwd: 'gone' })).stdout).toBe('still\n');
    expect(await codeOf(sandbox.exec('pwd', { cwd: 'gone' }))).toBe('invalid_cwd');
  },
  'RUN-009': async ({ sandbox }) => {
    for (const count of [100, 500]) {
      const results = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          sandbox.exec(`echo out-${index}; cat; exit ${index % 200}`, { stdin: `in-${index}` }),
        ),
      );
      for (const [index, { stdout, exitCode }] of results.entries()) {
        expect([stdout, exitCode]).toEqual([`out-${index}\nin-${index}`, index % 200]);
      }
    }
  },
  'RUN-011': async ({ open }) => {
    const session = await open();
    await session.start();
    const calls = Array.from({ length: 20 }, () => codeOf(session.exec('sleep 60')));
    await pause(300);
    await Promise.all([session.dispose(), session.dispose()]);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['sandbox_disposed']));
    expect(await codeOf(session.exec('true'))).toBe('sandbox_disposed');
    const early = await open();
    const starting = codeOf(early.exec('true'));
    await early.dispose();
    expect(await starting).toBe('sandbox_disposed');
  },
  'RUN-012': async ({ open, engine }) => {
    const session = await open();
    const starting = session.start().catch(() => {});
    await pause(10);
    await session.dispose();
    await starting;
    await eventually('the container that was being made is gone', async () => {
      const left = await engine.docker.listContainers({
        all: true,
        filters: JSON.stringify({ label: [`caisson=${session.id}`] }),
      });
      return left.length === 0;
    });
  },
  'RUN-013': async ({ sandbox }) => {
    // Deadlines are counted on the monotonic clock: what the wall clock says has no say.
    const real = Date.now;
    Date.now = () => real() + 3_600_000;
    try {
      expect((await sandbox.exec('sleep 0.3; echo done', { timeoutMs: 5_000 })).stdout).toBe('done\n');
      expect((await sandbox.exec('sleep 30', { timeoutMs: 500 })).timedOut).toBe(true);
    } finally {
      Date.now = real;
    }
  },
  'RUN-014': async ({ sandbox }) => {
    await sandbox.exec('true');
    const pending = sandbox.exec('sleep 1.5; touch late', { timeoutMs: 500 });
    await pause(50);
    const until = performance.now() + 2_500;
    while (performance.now() < until);
    expect((await pending).timedOut).toBe(true);
    expect(await sandbox.fs.stat('late')).toBe(null);
  },
  'RUN-015': async ({ open }) => {
    const session = await open({ idleLifeMs: 600 });
    await session.exec('true');
    await pause(2_000);
    expect(await codeOf(session.exec('true'))).toBe('sandbox_expired');
    const hard = await open({ hardLifeMs: 1_500 });
    expect(await codeOf(hard.exec('sleep 30'))).toBe('sandbox_expired');
  },
};
