import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../sandbox/protocol/isolate.js';
import { deathOf, WorkerDriver } from './worker-driver.js';

let worker: WorkerDriver;
beforeAll(async () => {
  worker = await WorkerDriver.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

const echo = { echo: (argument: unknown) => ({ got: argument }) };

describe('evaluate', () => {
  it.each([
    ['an expression', '1 + 1', 2],
    ['an expression with a semicolon', '1 + 1;\n', 2],
    ['an object literal', '{ a: [1, "é", null] }', { a: [1, 'é', null] }],
    ['a body with return', 'const x = 2; return x * 3', 6],
    ['a body without return', 'const x = 2;', null],
    ['await in an expression', 'await Promise.resolve(4)', 4],
    ['a promise', 'Promise.resolve({ a: 1 })', { a: 1 }],
    ['await in a body', 'const x = await 5; return x', 5],
    ['an expression that ends in a comment', '7 // seven', 7],
    ['a date', 'new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['undefined', 'undefined', null],
    ['what JSON leaves out', '({ a: undefined, b: [undefined, NaN] })', { b: [null, null] }],
    ['input', 'input.x.length', 3],
    ['nothing at all', '', null],
  ])('gives the value of %s', async (_name, code, value) => {
    expect(await worker.evaluate(code, { input: { x: 'abc' } })).toMatchObject({ ok: true, value });
  });

  it('collects what was logged', async () => {
    const { logs } = await worker.evaluate(
      'log("a", { b: 1 }, undefined, 2n, Symbol("s")); log(new Error("e"), () => 1)',
    );
    expect(logs).toEqual(['a {"b":1} undefined 2 Symbol(s)', 'Error: e [function]']);
  });

  it('starts every call in a realm of its own', async () => {
    await worker.evaluate('globalThis.leak = 1; Array.prototype.map = () => "evil"; Object.prototype.x = 1');
    const { value } = await worker.evaluate('[typeof leak, [1].map((x) => x + 1), "x" in {}]');
    expect(value).toEqual(['undefined', [2], false]);
  });

  it('says what the code threw, whatever it was', async () => {
    const cases: [string, object][] = [
      ['throw new TypeError("boom")', { name: 'TypeError', message: 'boom' }],
      ['throw null', { name: 'Error', message: 'null' }],
      ['throw undefined', { name: 'Error', message: 'undefined' }],
      ['throw "text"', { name: 'Error', message: 'text' }],
      ['throw Symbol("x")', { name: 'Error', message: 'Symbol(x)' }],
      ['throw function () {}', { name: 'Error', message: '[function]' }],
      ['throw { message: "plain" }', { name: 'Error', message: 'plain' }],
      ['throw { get message() { throw 1 } }', { name: 'Error', message: '' }],
      ['(function f() { f() })()', { name: 'RangeError', message: 'Maximum call stack size exceeded' }],
      ['await Promise.reject(new Error("late"))', { name: 'Error', message: 'late' }],
    ];
    for (const [code, value] of cases) expect(await worker.evaluate(code), code).toMatchObject({ ok: false, value });
    for (const [code] of cases) expect((await worker.evaluate(code)).code, code).toBeUndefined();
  });

  it('cuts long messages', async () => {
    const { value } = await worker.evaluate('throw new Error("m".repeat(1e6))');
    expect((value as { message: string }).message.length).toBe(2_000);
  });

  it.each([
    ['invalid_input', 'this is not code'],
    ['result_invalid', '() => 1'],
    ['result_invalid', '({ a: [() => 1] })'],
    ['result_invalid', '10n'],
    ['result_invalid', 'Symbol("x")'],
    ['result_invalid', 'const o = {}; o.o = o; return o'],
    ['result_invalid', 'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o'],
    ['result_invalid', '({ then(r) { for (;;); } })'],
    ['output_limit', '"x".repeat(2e6)'],
    ['output_limit', 'new Array(1e6).fill(0)'],
    ['output_limit', 'new Array(2 ** 31)'],
  ])('refuses with %s: %s', async (code, source) => {
    expect(await worker.evaluate(source)).toMatchObject({ ok: false, code });
  });

  it('refuses code over 1 MiB before it is compiled', async () => {
    const answer = await worker.evaluate(`/*${'x'.repeat(1024 * 1024)}*/ 1`);
    expect(answer).toMatchObject({ ok: false, code: 'invalid_input' });
  });
});

describe('host functions', () => {
  it('are called with data and answer with data', async () => {
    const code = 'const [a, b] = await Promise.all([tools.echo({ n: 1 }), tools.echo()]); return [a, b]';
    const { value } = await worker.evaluate(code, { functions: echo });
    expect(value).toEqual([{ got: { n: 1 } }, { got: null }]);
  });

  it('throw in the code what the host answers with', async () => {
    const id = worker.nextId();
    const message: HostMessage = {
      type: 'evaluate',
      id,
      input: 'null',
      functions: ['f'],
      timeoutMs: 5_000,
      maxCalls: 5,
    };
    worker.send(
      message,
      Buffer.from('try { await tools.f() } catch (e) { return [e.name, e.message, e instanceof Error] }'),
    );
    const call = await worker.wait((candidate) => candidate.type === 'call');
    if (call.type !== 'call') throw new Error('no call');
    worker.send(
      { type: 'answer', id, callId: call.callId, ok: false },
      Buffer.from('{"name":"NotFound","message":"no"}'),
    );
    const result = await worker.wait((candidate) => candidate.type === 'evaluate-result');
    expect(JSON.parse(result.body.toString())).toEqual(['NotFound', 'no', true]);
  });

  it('cannot be called more often than allowed', async () => {
    const answer = await worker.evaluate('for (;;) await tools.echo(1)', { functions: echo, maxCalls: 5 });
    expect(answer).toMatchObject({ ok: false, code: 'session_limit' });
  });

  it('cannot pile up', async () => {
    const code = 'const all = []; for (let i = 0; i < 17; i++) all.push(tools.echo(i)); await Promise.all(all)';
    expect(await worker.evaluate(code, { functions: echo })).toMatchObject({ ok: false, code: 'session_limit' });
  });

  it('take nothing but data', async () => {
    const answer = await worker.evaluate('await tools.echo(() => 1)', { functions: echo });
    expect(answer).toMatchObject({ ok: false, value: { name: 'TypeError' } });
  });

  it('are functions of the code’s own realm', async () => {
    const code = '[tools.echo, log].map((f) => f.constructor.constructor("return typeof process")())';
    expect((await worker.evaluate(code, { functions: echo })).value).toEqual(['undefined', 'undefined']);
  });

  it('are the only ones there', async () => {
    const code = '[Object.keys(tools), typeof tools.other, Object.isFrozen(tools)]';
    expect((await worker.evaluate(code, { functions: echo })).value).toEqual([['echo'], 'undefined', true]);
  });
});

describe('what the code can reach', () => {
  /** ISO-002: a name that a new V8 adds must be looked at before it is added here. */
  const GLOBALS =
    'AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis input isFinite isNaN log parseFloat parseInt tools undefined unescape';

  it('ISO-002: is the language, input, log and tools', async () => {
    const { value } = await worker.evaluate('Object.getOwnPropertyNames(globalThis).sort()');
    const known = new Set(GLOBALS.split(' '));
    expect((value as string[]).filter((name) => !known.has(name))).toEqual([]);
    expect(value).toEqual(expect.arrayContaining(['input', 'log', 'tools', 'JSON', 'Promise']));
  });

  it('ISO-001: is no process, by any constructor', async () => {
    const code =
      '[this, log, tools, input, (async () => {}), (function* () {})].map((o) => { try { return (o.constructor.constructor)("return typeof process")() } catch (e) { return e.name } })';
    const { value } = await worker.evaluate(code, { input: {} });
    expect(new Set(value as string[])).toEqual(new Set(['undefined', 'TypeError']));
  });

  it('ISO-003: is nothing of isolated-vm', async () => {
    const code = `
      const seen = new Set(); const names = [];
      const walk = (o) => {
        if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o)) return;
        seen.add(o);
        names.push(String(o.constructor?.name));
        for (const key of Reflect.ownKeys(o)) { const d = Reflect.getOwnPropertyDescriptor(o, key); walk(d.value); walk(d.get); walk(d.set); }
        walk(Reflect.getPrototypeOf(o));
      };
      walk(globalThis);
      return names.filter((name) => /^(Reference|ExternalCopy|Callback|Isolate|Context|Script|Module|NativeModule)$/.test(name));`;
    expect((await worker.evaluate(code, { functions: echo })).value).toEqual([]);
  });

  it('ISO-015: has no host frame in its stacks', async () => {
    const code = `
      Error.prepareStackTrace = (error, frames) => frames.map((frame) => String(frame.getFileName()) + typeof frame.getThis());
      return new Error().stack`;
    for (const frame of (await worker.evaluate(code)).value as string[]) expect(frame).not.toMatch(/\/|node:|worker/);
  });

  it('ISO-016: crosses __proto__ as plain JSON text', async () => {
    const { value } = await worker.evaluate('JSON.parse(\'{"__proto__":{"polluted":1}}\')');
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('ISO-018: cannot forge a result by replacing the language’s functions', async () => {
    const code = `
      JSON.stringify = () => '{"forged":1}'; JSON.parse = () => 'forged';
      Promise.prototype.then = () => 'forged'; Object.keys = () => ['forged'];
      Array.isArray = () => true; Reflect.apply = () => 'forged'; String.prototype.slice = () => 'forged';
      log('logged'); return { a: [1, 'x'] }`;
    expect(await worker.evaluate(code)).toMatchObject({ ok: true, value: { a: [1, 'x'] }, logs: ['logged'] });
  });

  it('ISO-022: gives plain arrays whatever their constructor', async () => {
    const code =
      'class X extends Array { static get [Symbol.species]() { return null } } const x = X.from([1]); x.constructor = null; return x';
    expect((await worker.evaluate(code)).value).toEqual([1]);
  });

  it.each([
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'console',
    'process',
    'require',
    'setTimeout',
    'fetch',
    'gc',
  ])('is no %s', async (name) => {
    expect((await worker.evaluate(`typeof globalThis.${name}`)).value).toBe('undefined');
  });

  it('is no buffer that grows', async () => {
    const code = `
      const made = [new ArrayBuffer(8, { maxByteLength: 1e9 }), new (new ArrayBuffer(1).constructor)(8, { maxByteLength: 1e9 }),
        Reflect.construct(Object.getPrototypeOf(Uint8Array).prototype.constructor === 0 ? 0 : ArrayBuffer, [8, { maxByteLength: 1e9 }])];
      return [made.map((b) => b.resizable), typeof ArrayBuffer.prototype.resize, new Uint8Array(new ArrayBuffer(4)).length, made[0] instanceof ArrayBuffer]`;
    expect((await worker.evaluate(code)).value).toEqual([[false, false, false], 'undefined', 4, true]);
  });
});

describe('code that does not end', () => {
  it.each([
    ['ISO-043', 'await new Promise(() => {})'],
    ['ISO-042', 'function bad() { Promise.resolve().then(() => { bad(); for (;;); }) } bad(); for (;;);'],
    ['ISO-044', 'await tools.echo(); for (;;);'],
    ['ISO-024', 'throw { get message() { for (;;); } }'],
    ['ISO-027', 'throw new Proxy(new Error("x"), { get() { for (;;); } })'],
    ['ISO-028', '(async () => { await 0; throw { get message() { for (;;); } } })()'],
    ['ISO-023', 'return { then(r) { for (;;); } }'],
    ['ISO-048', '/^(a+)+$/.test("a".repeat(60) + "!")'],
    ['ISO-056', 'for (;;) "é".normalize().localeCompare("e")'],
    ['a getter of the result', '({ get a() { for (;;); } })'],
    ['a flood of logs', 'for (;;) log("x".repeat(1000))'],
  ])('is stopped and leaves the worker whole: %s', async (_id, code) => {
    const answer = await worker.evaluate(code, { timeoutMs: 300, functions: echo });
    expect(answer).toMatchObject({ ok: false, code: 'timeout' });
    expect((await worker.evaluate('1')).value).toBe(1);
  });

  it.each([
    '[].includes.call({ length: 2 ** 53 - 1 }, 1)',
    'const s = "a".repeat(2 ** 27); for (;;) s.lastIndexOf("b" + s.length)',
  ])('takes the worker with it when V8 cannot be interrupted: %s', async (code) => {
    await using doomed = await WorkerDriver.start();
    const death = await deathOf(doomed.evaluate(code, { timeoutMs: 300 }));
    expect(death).toMatchObject({ signal: 'SIGKILL', lastWords: 'timeout' });
  });

  it('ends when it is cancelled while it waits', async () => {
    const id = worker.nextId();
    const call = worker.evaluate('log("a"); await new Promise(() => {})', { id });
    setTimeout(() => worker.cancel(id), 50);
    expect(await call).toMatchObject({ ok: false, code: 'aborted', logs: ['a'] });
  });

  it('keeps logs of control characters within a frame', async () => {
    const answer = await worker.evaluate('log("\\0".repeat(3e5)); return 1');
    expect(answer).toMatchObject({ ok: true, value: 1 });
    expect(
      (await worker.evaluate('for (let i = 0; i < 300; i++) log("\\0".repeat(1000))')).logs.length,
    ).toBeGreaterThan(10);
  });

  it('keeps a flood of logs small', async () => {
    const { logs } = await worker.evaluate('for (let i = 0; i < 1e5; i++) log("x".repeat(1000))');
    expect(logs.join('').length).toBeLessThan(257 * 1024);
    expect(logs.at(-1)).toContain('the log is full');
  });
});

describe('code that takes too much memory', () => {
  it.each([
    ['ISO-070', 'const a = []; for (;;) a.push(new Array(1e4).fill(1.1))'],
    ['ISO-071', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })'],
    ['ISO-072', 'Array.from({ length: 5e7 }, (_, i) => i)'],
    ['ISO-073', '[..."x".repeat(4e8)]'],
    ['ISO-052', 'new Array(2 ** 27).fill(0)'],
    ['ISO-080', 'new Array(2 ** 26).fill(0).map((_, i) => ({ i }))'],
    ['arguments of a call', 'const a = []; for (;;) a.push({ a: "x".repeat(1e6) + a.length })'],
  ])('ends as oom, by answer or by last words: %s', async (_id, code) => {
    await using doomed = await WorkerDriver.start({ memoryBytes: 256 * 1024 * 1024 });
    const outcome = await doomed
      .evaluate(code, { timeoutMs: 15_000 })
      .catch((error: { death?: { lastWords: string } }) => error.death);
    expect(outcome).toSatisfy(
      (end: { code?: string; lastWords?: string } | undefined) => end?.code === 'oom' || end?.lastWords === 'oom',
    );
  });

  it('ISO-077: gets an error for buffers there is no room for', async () => {
    const answer = await worker.evaluate('const a = []; for (;;) a.push(new ArrayBuffer(1e7))');
    expect(answer.value).toMatchObject({ name: 'RangeError' });
  });
});
