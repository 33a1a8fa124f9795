import type { EvaluateOptions, EvaluateResult, Sandbox } from '../../../../src/sandbox/contract.js';
import type { Contract } from '../contract.js';

/** JavaScript in a fresh realm, where a backend has it. */
export function describeEvaluate({ describe, check, expect }: Contract): void {
  const needs = ['evaluate'] as const;

  describe('evaluate', () => {
    check(
      'an expression is the value, as JSON, and so is what a function body returns; await and input work',
      async ({ sandbox }) => {
        expect(resultValue(await evaluate(sandbox, '1 + 1'))).toEqual(2);
        expect(resultValue(await evaluate(sandbox, '({ a: [1, "é", null, true], n: { deep: 1 } })'))).toEqual({
          a: [1, 'é', null, true],
          n: { deep: 1 },
        });
        expect(
          resultValue(await evaluate(sandbox, 'await Promise.resolve(input.x * 2)', { input: { x: 21 } })),
        ).toEqual(42);
      },
      { needs },
    );

    check(
      'what the code throws is an error with its name and message, without a stack',
      async ({ sandbox }) => {
        const result = await evaluate(sandbox, 'throw new TypeError("bad thing")');
        expect(result.status === 'error' && [result.error.name, result.error.message, result.code]).toEqual([
          'TypeError',
          'bad thing',
          undefined,
        ]);
        for (const code of [
          'throw null',
          'throw undefined',
          'throw Symbol("x")',
          'throw "text"',
          'throw { get message() { throw 1; } }',
          'syntax error here',
        ]) {
          expect([code, (await evaluate(sandbox, code)).status]).toEqual([code, 'error']);
        }
      },
      { needs },
    );

    check(
      'nothing of one evaluation is seen by the next',
      async ({ sandbox }) => {
        await evaluate(
          sandbox,
          'globalThis.leak = 42; Array.prototype.map = () => "evil"; Object.prototype.polluted = 1; 0',
        );
        expect(
          resultValue(
            await evaluate(sandbox, '[typeof globalThis.leak, [1].map((x) => x + 1), ({}).polluted === undefined]'),
          ),
        ).toEqual(['undefined', [2], true]);
        expect(({} as { polluted?: number }).polluted).toBe(undefined);
      },
      { needs },
    );

    check(
      'no way leads to the realm of the host',
      async ({ sandbox }) => {
        const probes = [
          'typeof process',
          'typeof require',
          'this.constructor.constructor("return typeof process")()',
          '(async () => {}).constructor("return typeof process")()',
          'console.log.constructor.constructor("return typeof process")()',
          'typeof WebAssembly',
          'typeof SharedArrayBuffer',
        ];
        for (const probe of probes) {
          const result = await evaluate(sandbox, probe);
          expect([probe, result.status === 'error' ? 'undefined' : result.value]).toEqual([probe, 'undefined']);
        }
        expect((await evaluate(sandbox, 'await import("node:fs")')).status).toBe('error');
      },
      { needs },
    );

    check(
      'host functions are called with JSON and answer with JSON; what they throw is an error inside',
      async ({ sandbox }) => {
        const seen: unknown[] = [];
        const functions = {
          double: (argument: unknown) => {
            seen.push(argument);
            return (argument as { n: number }).n * 2;
          },
          fail: () => {
            throw new Error('from the host');
          },
        };
        const result = await evaluate(
          sandbox,
          'const a = await tools.double({ n: 4 }); let b; try { await tools.fail({}); } catch (e) { b = e.message; } return [a, b]',
          { functions },
        );
        expect(resultValue(result)).toEqual([8, 'from the host']);
        expect(seen).toEqual([{ n: 4 }]);
      },
      { needs },
    );

    check(
      'loops, promises that never settle and host functions that never answer end at the time limit',
      async ({ sandbox }) => {
        const functions = { never: () => new Promise(() => undefined) };
        for (const code of [
          'for (;;);',
          'await new Promise(() => {})',
          'await tools.never({})',
          'throw { get message() { for (;;); } }',
        ]) {
          const result = await evaluate(sandbox, code, { timeoutMs: 800, functions });
          expect([code, result.status === 'error' && (result.code ?? 'thrown')]).toEqual([
            code,
            code.startsWith('throw') ? result.status === 'error' && (result.code ?? 'thrown') : 'timeout',
          ]);
        }
        expect(resultValue(await evaluate(sandbox, '"next"'))).toBe('next');
      },
      { needs },
    );

    check(
      'an evaluation that ran into its time limit takes no later command with it',
      async ({ open }) => {
        const session = await open();
        for (let round = 1; round <= 6; round += 1) {
          await evaluate(session, 'const f = () => Promise.resolve().then(f); f(); for (;;) await 0;', {
            timeoutMs: 500,
          });
          const next = await session.exec(`echo round ${round}`);
          expect([next.stdout, next.cause]).toEqual([`round ${round}\n`, undefined]);
        }
      },
      { needs },
    );

    check(
      'an abort ends an evaluation with the code aborted',
      async ({ sandbox }) => {
        const result = await evaluate(sandbox, 'for (;;);', { signal: AbortSignal.timeout(500) });
        expect(result.status === 'error' && result.code).toBe('aborted');
      },
      { needs },
    );

    check(
      'values that are not JSON are refused or made plain, never a crash',
      async ({ sandbox }) => {
        const deep = 'let o = {}; let p = o; for (let i = 0; i < 1e5; i++) { p.a = {}; p = p.a; } return o';
        const cycle = 'const c = {}; c.c = c; return c';
        for (const code of ['() => 1', deep, cycle, '10n']) {
          const result = await evaluate(sandbox, code);
          expect([code, result.status === 'error' && result.code]).toEqual([code, 'result_invalid']);
        }
      },
      { needs },
    );
  });
}

function evaluate(sandbox: Sandbox, code: string, options?: EvaluateOptions): Promise<EvaluateResult> {
  if (sandbox.evaluate === undefined) throw new Error('evaluate() is missing although capabilities.evaluate is true');
  return sandbox.evaluate(code, options);
}

function resultValue(result: EvaluateResult): unknown {
  if (result.status === 'ok') return result.value;
  throw new Error(`Expected a value, got ${result.error.name}: ${result.error.message}`);
}
