import { utf8 } from '../bytes.js';
import type { Contract } from '../contract.js';

const MiB = 1024 * 1024;
const DEFAULT_HOG = 'i=0; while :; do printf -v "a$i" \'%01000000d\' $i; i=$((i+1)); done';

/** Whatever happens inside: the host goes on, the cause is named, no completed write is lost. */
export function describeSurvival({ describe, check, expect, backend }: Contract): void {
  describe('survival', () => {
    check(
      'running out of memory is named oom, and the next call works',
      async ({ open }) => {
        const session = await open({ limits: { memoryBytes: 256 * MiB } });
        await session.exec('echo kept > before');
        const result = await session.exec(backend.memoryHog ?? DEFAULT_HOG, { timeoutMs: 45_000 });
        expect(result.cause).toBe('oom');
        expect((await session.exec('cat before; echo next')).stdout).toBe('kept\nnext\n');
      },
      { needs: ['limits.memoryBytes'], timeoutMs: 60_000 },
    );

    check(
      'a crash in the middle of a command is an error of the sandbox, never a result',
      async ({ open, failure }) => {
        const session = await open();
        await session.exec('echo kept > before');
        await session.fs.writeFile('written', 'by a call');
        const pending = failure(session.exec('sleep 30'));
        await new Promise((resolve) => setTimeout(resolve, 500));
        await backend.crash?.(session);
        const error = await pending;
        expect(['sandbox_crashed', 'sandbox_unavailable', 'engine_unreachable']).toContain(error.code);
        expect(error.retryable).toBe(true);
      },
      { needs: ['a way to crash the sandbox'] },
    );

    check(
      'after a crash the next call works on the files that were written, or is an error of the sandbox',
      async ({ open }) => {
        const session = await open();
        await session.exec('echo kept > before');
        await session.fs.writeFile('written', 'by a call');
        await backend.crash?.(session);
        await new Promise((resolve) => setTimeout(resolve, 200));
        const outcome = await session.exec('cat before written').then(
          (result) => result.stdout,
          (error: { code?: unknown }) => String(error.code),
        );
        expect([
          'kept\nby a call',
          'sandbox_crashed',
          'sandbox_unavailable',
          'engine_unreachable',
          'sandbox_disposed',
        ]).toContain(outcome);
      },
      { needs: ['a way to crash the sandbox'] },
    );

    for (const [name, code] of BOMBS) {
      check(
        `the host and the session survive JavaScript that ${name}`,
        async ({ open }) => {
          const session = await open({ limits: { memoryBytes: 512 * MiB } });
          await session.exec('echo kept > before');
          const result = await session.evaluate?.(code, { timeoutMs: 5_000 });
          expect(result?.status).toBe('error');
          expect(['oom', 'timeout', 'result_invalid', undefined]).toContain(
            result?.status === 'error' ? result.code : 'ok',
          );
          expect((await session.exec('cat before; echo next')).stdout).toBe('kept\nnext\n');
          expect(utf8(await session.fs.readFile('before'))).toBe('kept\n');
        },
        { needs: ['evaluate', 'limits.memoryBytes'], timeoutMs: 60_000 },
      );
    }
  });
}

/** One-liners that abort or wedge a process that runs them in its own isolate, whatever its limits say. */
const BOMBS = [
  ['fills a huge array', 'new Array(2 ** 29).fill(1)'],
  ['spreads a huge string', '[..."x".repeat(2 ** 28)]'],
  ['grows a map without end', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });'],
  ['walks an endless array-like', '[].includes.call({ length: 2 ** 53 - 1 }, 1)'],
  ['serialises a huge array', 'JSON.stringify(new Array(2 ** 26).fill("0123456789"))'],
  ['allocates buffers without end', 'const a = []; for (;;) a.push(new ArrayBuffer(1e7));'],
  ['recurses without end', '(function f() { f(); })()'],
  ['starts promises without end', 'const f = () => Promise.resolve().then(f); f(); for (;;) await 0;'],
] as const;
