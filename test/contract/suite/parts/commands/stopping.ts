import type { Contract } from '../../contract.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Timeouts and aborts: never a success, always with what came before, and nothing of the command goes on. */
export function describeStopping({ describe, check, expect }: Contract): void {
  describe('stopping', () => {
    check('exec() resolves with the cause timeout, no exit code and the output so far', async ({ sandbox }) => {
      const result = await sandbox.exec('echo before; sleep 20; echo after', { timeoutMs: 700 });
      expect([result.cause, result.timedOut, result.aborted, result.exitCode]).toEqual(['timeout', true, false, null]);
      expect(result.stdout).toBe('before\n');
      expect(result.durationMs).toBeLessThan(10_000);
    });

    check('an endless loop is stopped by its timeout', async ({ sandbox }) => {
      const result = await sandbox.exec('while :; do :; done', { timeoutMs: 700 });
      expect([result.cause, result.exitCode]).toEqual(['timeout', null]);
      expect((await sandbox.exec('echo next')).stdout).toBe('next\n');
    });

    check(
      'run() rejects on timeout with a SandboxTimeoutError that carries the output so far',
      async ({ sandbox, failure }) => {
        const error = await failure(sandbox.run('sleep', ['20'], { timeoutMs: 500 }));
        expect([error.name, error.code, error.retryable]).toEqual(['SandboxTimeoutError', 'timeout', true]);
        expect([typeof error.stdout, typeof error.stderr]).toEqual(['string', 'string']);
      },
    );

    check('run() carries partial output in its rejection', async ({ sandbox, failure }) => {
      const error = await failure(sandbox.run('sh', ['-c', 'echo before; sleep 20'], { timeoutMs: 700 }));
      expect(error.stdout).toBe('before\n');
    });

    check('an abort is never a success: cause aborted, no exit code, the output so far', async ({ sandbox }) => {
      const controller = new AbortController();
      const pending = sandbox.exec('echo before; sleep 60; echo after', { signal: controller.signal });
      await pause(700);
      controller.abort();
      const result = await pending;
      expect([result.cause, result.aborted, result.timedOut, result.exitCode]).toEqual(['aborted', true, false, null]);
      expect(result.stdout).toBe('before\n');
      expect(result.durationMs).toBeLessThan(20_000);
    });

    check('run() rejects on abort with an AbortError', async ({ sandbox, failure }) => {
      const error = await failure(sandbox.run('sleep', ['60'], { signal: AbortSignal.timeout(400) }));
      expect([error.name, error.code]).toEqual(['AbortError', 'aborted']);
    });

    check('a signal that is aborted before the call starts nothing', async ({ sandbox, dir }) => {
      const signal = AbortSignal.abort();
      const outcomes = await Promise.all([
        sandbox.exec('touch ran-exec', { cwd: dir, signal }).then(
          (result) => result.cause,
          (error: { code?: unknown }) => error.code,
        ),
        sandbox.run('touch', ['ran-run'], { cwd: dir, signal }).then(
          (result) => result.exitCode,
          (error: { code?: unknown }) => error.code,
        ),
        sandbox.fs.writeFile(`${dir}/ran-write`, 'x', { signal }).then(
          () => 'written',
          (error: { code?: unknown }) => error.code,
        ),
      ]);
      expect(outcomes).toEqual(['aborted', 'aborted', 'aborted']);
      await pause(200);
      expect(await sandbox.fs.list(dir)).toEqual([]);
    });

    check('an abort after the end changes nothing', async ({ sandbox }) => {
      const controller = new AbortController();
      const result = await sandbox.exec('echo done', { signal: controller.signal });
      controller.abort();
      expect([result.exitCode, result.aborted]).toEqual([0, false]);
      expect((await sandbox.exec('echo next')).stdout).toBe('next\n');
    });

    check('what a timed-out command would have done later never happens', async ({ sandbox, dir }) => {
      const result = await sandbox.exec('echo $$ > started; sleep 1.5; touch late', { cwd: dir, timeoutMs: 600 });
      expect(result.timedOut).toBe(true);
      await pause(2_000);
      expect(await sandbox.fs.stat(`${dir}/late`)).toBe(null);
      expect((await sandbox.fs.stat(`${dir}/started`))?.type).toBe('file');
    });

    check(
      'a timeout kills the children of a command, and says that this was verified',
      async ({ sandbox, dir }) => {
        const result = await sandbox.exec('(sleep 1.5; touch late-child) & sleep 30; touch late-parent', {
          cwd: dir,
          timeoutMs: 500,
        });
        expect([result.timedOut, result.killed]).toEqual([true, 'verified']);
        const left = await sandbox.exec("ps -eo args | grep -c '[s]leep 30'");
        expect(left.stdout.trim()).toBe('0');
        await pause(2_000);
        expect(await sandbox.fs.list(dir)).toEqual([]);
      },
      { needs: ['backgroundProcesses'] },
    );

    check(
      'a child that ignores TERM and leaves its session is killed too',
      async ({ sandbox, dir }) => {
        const result = await sandbox.exec('setsid sh -c \'trap "" TERM HUP INT; sleep 2; touch escaped\' & wait', {
          cwd: dir,
          timeoutMs: 500,
        });
        expect(result.timedOut).toBe(true);
        await pause(2_500);
        expect(await sandbox.fs.stat(`${dir}/escaped`)).toBe(null);
      },
      { needs: ['backgroundProcesses', 'signals'] },
    );

    check(
      'a command that dies quickly by a signal of its own is not a timeout',
      async ({ sandbox }) => {
        const result = await sandbox.exec('kill -TERM $$', { timeoutMs: 20_000 });
        expect([result.timedOut, result.aborted]).toEqual([false, false]);
        expect(result.exitCode === 143 || result.signal === 'SIGTERM').toBe(true);
        expect((await sandbox.exec('sh -c "kill -9 \\$\\$"')).exitCode).toBe(137);
      },
      { needs: ['signals'] },
    );

    check('a timeout out of range is refused with invalid_input', async ({ sandbox, failure }) => {
      for (const timeoutMs of [0, -1, Number.NaN, 600_001]) {
        expect([timeoutMs, (await failure(sandbox.exec('true', { timeoutMs }))).code]).toEqual([
          timeoutMs,
          'invalid_input',
        ]);
      }
    });

    check('a timeout holds while the event loop of the host is blocked', async ({ sandbox, dir }) => {
      await sandbox.exec('true');
      const pending = sandbox.exec('sleep 1.5; touch late', { cwd: dir, timeoutMs: 500 });
      await pause(100);
      const until = performance.now() + 2_500;
      while (performance.now() < until);
      expect((await pending).timedOut).toBe(true);
      expect(await sandbox.fs.stat(`${dir}/late`)).toBe(null);
    });
  });
}
