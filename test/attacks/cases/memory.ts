import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Attack, Attacks } from '../attack.js';
import { evaluate, expectAnswers, failureOf } from '../evaluate.js';
import { watchHost } from '../host-watch.js';
import { residentBytes, workersOf } from '../processes.js';

const MiB = 1024 * 1024;

const RESIZABLE = `
  const buffers = [];
  for (;;) {
    const buffer = new ArrayBuffer(8, { maxByteLength: 2 ** 28 });
    buffer.resize(2 ** 28);
    new Uint8Array(buffer).fill(1);
    buffers.push(buffer);
  }`;

export const memory: Attacks = {
  'ISO-070': async (stage) => {
    const other = stage.sandbox();
    await other.start();
    await runsOutOfMemory(['const a = []; for (;;) a.push(new Array(1e4).fill(1.1))'])(stage);
    await expectAnswers(other);
  },
  'ISO-071': runsOutOfMemory(['const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })']),
  'ISO-072': runsOutOfMemory([
    'return Array.from({ length: 5e7 }, (_, i) => ({ i })).length',
    'const all = []; for (;;) all.push(Array.from(new Uint8Array(40e6)))',
  ]),
  'ISO-073': runsOutOfMemory(["return [...'.'.repeat(4e8)].length"]),

  'ISO-074': async (stage) => {
    const session = stage.sandbox();
    const code = 'const m = new WebAssembly.Memory({ initial: 16000 }); new Uint8Array(m.buffer).fill(1)';
    expect(await failureOf(session, code)).toMatchObject({ error: { name: 'ReferenceError' } });
    await expectAnswers(session);
  },

  'ISO-076': async (stage) => {
    const session = stage.sandbox();
    const failure = await failureOf(session, 'new SharedArrayBuffer(1e9)');
    expect(failure.error.name).toMatch(/^(RangeError|ReferenceError)$/);
    await expectAnswers(session);
  },

  'ISO-077': async (stage) => {
    const session = stage.sandbox();
    const failure = await failureOf(session, 'const a = []; for (;;) a.push(new ArrayBuffer(1e7))');
    expect(failure.code ?? failure.error.name).toMatch(/^(oom|RangeError)$/);
    await expectAnswers(session);
  },

  'ISO-080': runsOutOfMemory(['return new Array(2 ** 26).fill(0).map((_, i) => ({ i })).length']),

  'ISO-082': async (stage) => {
    for (const code of [RESIZABLE, 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))']) {
      const session = stage.sandbox();
      await session.start();
      const { failure, peakBytes } = await watchWorkers(session, () => failureOf(session, code, { timeoutMs: 8_000 }));
      // A buffer that grows is not counted by V8, so there are none: `resize` is not a function.
      expect(failure.code ?? failure.error.name).toMatch(code === RESIZABLE ? /^TypeError$/ : /^(oom|RangeError)$/);
      // What fits between two looks of the watchdog, on a machine that is busy with other tests.
      expect(peakBytes).toBeLessThan((256 + 256) * MiB);
      await expectAnswers(session);
    }
  },

  'ISO-083': async (stage) => {
    const session = stage.sandbox();
    const code = "const s = 'z'.repeat(1000); for (;;) log(s)";
    const { result, grownBytes } = await watchHost(() => failureOf(session, code, { timeoutMs: 3_000 }));
    expect(['output_limit', 'timeout']).toContain(result.code);
    expect(result.logs.join('').length).toBeLessThanOrEqual(2 * MiB);
    expect(grownBytes).toBeLessThan(64 * MiB);
    await expectAnswers(session);
  },

  'ISO-084': async (stage) => {
    const session = stage.sandbox();
    for (const code of [
      "for (;;) log('x')",
      "for (;;) { try { log('x') } catch {} }",
      'for (;;) { try { tools.f() } catch {} }',
    ]) {
      const watch = await watchHost(() => evaluate(session, code, { timeoutMs: 1_000, functions: { f: () => 1 } }));
      expect(watch.result, code).toMatchObject({ status: 'error' });
      // 100 ms on a quiet machine; a host that is flooded stands still for as long as the flood lasts.
      expect(watch.longestStallMs, code).toBeLessThan(700);
      expect(watch.grownBytes, code).toBeLessThan(64 * MiB);
    }
    await expectAnswers(session);
  },

  'ISO-086': async (stage) => {
    const session = stage.sandbox();
    let [calls, unanswered, most] = [0, 0, 0];
    const slow = async () => {
      calls += 1;
      unanswered += 1;
      most = Math.max(most, unanswered);
      await sleep(50);
      unanswered -= 1;
    };
    const flood = (count: number) =>
      `const pending = []; for (let i = 0; i < ${count}; i++) pending.push(tools.slow().then(() => 1, () => 0)); return (await Promise.all(pending)).reduce((a, b) => a + b)`;
    const options = { functions: { slow }, maxCalls: 1_000, timeoutMs: 6_000 };
    // Those that are too many throw at once, in the sandbox.
    expect(await evaluate(session, flood(10_000), options)).toMatchObject({ status: 'ok', value: 16 });
    expect(calls).toBe(16);
    const { grownBytes } = await watchHost(() => evaluate(session, flood(2e5), options));
    expect(most).toBeLessThanOrEqual(16);
    expect(grownBytes).toBeLessThan(64 * MiB);
    await expectAnswers(session);
  },

  'ISO-087': async (stage) => {
    const session = stage.sandbox();
    await session.start();
    for (const code of [`return 1 // ${'x'.repeat(50e6)}`, `const ${'x'.repeat(50e6)} = 1`]) {
      await expect(evaluate(session, code)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const smaller = await evaluate(session, `return 1 // ${'x'.repeat(5e6)}`);
    expect(smaller).toMatchObject({ status: 'error', code: 'invalid_input' });
    await expectAnswers(session);
  },

  'ISO-089': async (stage) => {
    const session = stage.sandbox();
    for (const code of ['(function f() { f() })()', 'const f = () => [1].map(f); f()', "JSON.parse('['.repeat(1e6))"]) {
      const failure = await failureOf(session, code);
      expect(failure.code, code).toBeUndefined();
      expect(failure.error.name, code).toMatch(/^(RangeError|SyntaxError)$/);
    }
    await expectAnswers(session);
  },
};

function runsOutOfMemory(codes: string[]): Attack {
  return async (stage) => {
    const session = stage.sandbox();
    for (const code of codes) {
      const { result, grownBytes } = await watchHost(() => failureOf(session, code, { timeoutMs: 15_000 }));
      expect(result, code).toMatchObject({ code: 'oom' });
      expect(grownBytes, code).toBeLessThan(64 * MiB);
      expect(await evaluate(session, 'return 1'), code).toMatchObject({ status: 'ok', value: 1 });
    }
    await expectAnswers(session);
  };
}

async function watchWorkers<T>(session: Parameters<typeof workersOf>[0], work: () => Promise<T>) {
  let peakBytes = 0;
  const timer = setInterval(() => {
    for (const pid of workersOf(session)) peakBytes = Math.max(peakBytes, residentBytes(pid));
  }, 5);
  try {
    return { failure: await work(), peakBytes };
  } finally {
    clearInterval(timer);
  }
}
