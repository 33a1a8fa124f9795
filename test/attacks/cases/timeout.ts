import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Attack, Attacks } from '../attack.js';
import { evaluate, expectAnswers, type Failure, failureOf } from '../evaluate.js';
import { eventually } from '../eventually.js';
import { watchHost } from '../host-watch.js';
import { isRunning, workerOf } from '../processes.js';

const LIMIT_MS = 300;
/** The kill comes 300 ms after the deadline; the rest is for a busy machine. */
const MARGIN_MS = 5_000;

const ENDLESS_WASM = '[0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]';

export const timeout: Attacks = {
  'ISO-042': endsAtDeadline(['function bad() { Promise.resolve().then(() => { bad(); for (;;); }) } bad(); for (;;);']),
  'ISO-043': endsAtDeadline(['await new Promise(() => {})']),
  'ISO-044': endsAtDeadline(['await tools.instant(); for (;;);', 'await tools.later(); for (;;);']),

  'ISO-045': async (stage) => {
    const session = stage.sandbox();
    let calls = 0;
    const functions = { read: async () => `content ${++calls}` };
    const polite = await failureOf(session, "while (true) await tools.read({ path: 'a' })", {
      functions,
      maxCalls: 20,
    });
    expect(calls).toBeLessThanOrEqual(20);
    expect(polite.code ?? polite.error.name).toMatch(/^(session_limit|TooManyCalls)$/);
    calls = 0;
    const code = "while (true) { try { await tools.read({ path: 'a' }) } catch {} }";
    const stubborn = await failureOf(session, code, { functions, maxCalls: 20, timeoutMs: LIMIT_MS });
    expect(calls).toBeLessThanOrEqual(20);
    expect(['timeout', 'session_limit']).toContain(stubborn.code);
    await expectAnswers(session);
  },

  'ISO-046': async (stage) => {
    const session = stage.sandbox();
    const signals: AbortSignal[] = [];
    const slow = async (_: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      await sleep(10_000, undefined, { signal });
    };
    await expectTimeout(() => failureOf(session, 'await tools.slow()', { functions: { slow }, timeoutMs: LIMIT_MS }));
    expect(signals).toHaveLength(1);
    await eventually('the function hears of the end', () => signals[0]?.aborted);
    await expectAnswers(session);
  },

  'ISO-047': async (stage) => {
    const session = stage.sandbox();
    const functions = { never: () => new Promise(() => {}) };
    await expectTimeout(() => failureOf(session, 'await tools.never()', { functions, timeoutMs: LIMIT_MS }));
    const many = 'await Promise.all(Array.from({ length: 16 }, () => tools.never()))';
    await expectTimeout(() => failureOf(session, many, { functions, timeoutMs: LIMIT_MS }));
    await expectAnswers(session);
  },

  'ISO-048': endsAtDeadline(["/^(a+)+$/.test('a'.repeat(60) + '!')"]),
  'ISO-052': endsAtDeadline(['new Array(2 ** 27).fill(0); for (;;);'], ['timeout', 'oom']),
  'ISO-053': endsAtDeadline(
    ["const s = 'a'.repeat(2 ** 27); for (;;) s.lastIndexOf('b' + s.length)"],
    ['timeout', 'oom'],
  ),

  'ISO-054': async (stage) => {
    const session = stage.sandbox();
    const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
    expect(await failureOf(session, wait, { timeoutMs: LIMIT_MS })).toMatchObject({
      error: { name: 'ReferenceError' },
    });
    await expectAnswers(session);
  },

  'ISO-055': async (stage) => {
    const session = stage.sandbox();
    const code = `new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(${ENDLESS_WASM}))).exports.f()`;
    expect(await failureOf(session, code, { timeoutMs: LIMIT_MS })).toMatchObject({
      error: { name: 'ReferenceError' },
    });
    await expectAnswers(session);
  },

  'ISO-056': endsAtDeadline([
    "const a = 'ä'.repeat(1e5); for (;;) a.localeCompare(a + 'b', 'de')",
    "for (;;) new Intl.Collator('de').compare('a', 'b')",
    "const s = '\\u1e9b\\u0323'.repeat(1e6); for (;;) s.normalize('NFKD')",
    'const t = new Float64Array(1e6); for (;;) { for (let i = 0; i < t.length; i++) t[i] = Math.random(); t.sort() }',
    "for (;;) Date.parse('Tue Mar 01 2022 00:00:00 GMT+0100 (' + 'x'.repeat(1e5) + ')')",
  ]),

  'ISO-058': async (stage) => {
    const session = stage.sandbox();
    await session.start();
    const running = evaluate(session, 'for (;;);', { timeoutMs: 60_000 }).then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    );
    await sleep(200);
    const worker = workerOf(session);
    process.kill(worker, 'SIGTERM');
    await sleep(200);
    await session.dispose();
    expect(isRunning(worker)).toBe(false);
    expect(await running).toMatch(/^sandbox_(crashed|disposed)$/);
  },
};

function endsAtDeadline(codes: string[], causes: Failure['code'][] = ['timeout']): Attack {
  return async (stage) => {
    const session = stage.sandbox();
    const functions = { instant: () => 1, later: () => sleep(20) };
    for (const code of codes) {
      await expectTimeout(() => failureOf(session, code, { functions, timeoutMs: LIMIT_MS }), causes);
      expect(await evaluate(session, 'return 1'), code).toMatchObject({ status: 'ok', value: 1 });
    }
    await expectAnswers(session);
  };
}

async function expectTimeout(run: () => Promise<Failure>, causes: Failure['code'][] = ['timeout']): Promise<void> {
  const { result, elapsedMs } = await watchHost(run);
  expect(causes, JSON.stringify(result)).toContain(result.code);
  expect(elapsedMs).toBeLessThan(LIMIT_MS + MARGIN_MS);
}
