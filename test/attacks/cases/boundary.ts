import { expect } from 'vitest';
import { z } from 'zod';
import type { JsonValue } from '../../../src/sandbox/contract.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import type { Attack, Attacks } from '../attack.js';
import { errorOf, outputOf } from '../call.js';
import { evaluate, expectAnswers, failureOf, returned } from '../evaluate.js';
import { watchHost } from '../host-watch.js';

const POLLUTION = `JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}},"prototype":{"y":1}}')`;

export const boundary: Attacks = {
  'ISO-008': async (stage) => {
    const session = stage.sandbox();
    const functions = {
      environment: () => process.env,
      withFunction: () => ({ run: () => 1 }),
      instance: () =>
        new (class Account {
          password = 'p';
        })(),
      map: () => new Map([['a', 1]]),
      big: () => 1n,
      error: () => new Error('x'),
      bytes: () => new Uint8Array([1]),
    };
    for (const name of Object.keys(functions)) {
      const failure = await failureOf(session, `return await tools.${name}()`, { functions });
      expect(failure.error, name).toMatchObject({ name: 'ResultInvalid' });
    }
    await refuseUndeclaredOutput(stage);
  },

  'ISO-016': async (stage) => {
    const session = stage.sandbox();
    const value = await returned(session, `return ${POLLUTION}`);
    const copies = [value, structuredClone(value), JSON.parse(JSON.stringify(value)), { ...(value as object) }];
    for (const copy of copies) expectInert(copy);
    expect(await outputOf(stage.host({ tools: [returning(value)] }), 'answer', {})).toBeTypeOf('object');
    expectUnpolluted();
    await session.evaluate?.(`log(${POLLUTION}); throw ${POLLUTION}`);
    expectUnpolluted();
  },

  'ISO-017': async (stage) => {
    const session = stage.sandbox();
    const received: JsonValue[] = [];
    const take = (argument: JsonValue) => {
      received.push(argument);
      return (Object.assign({}, argument) as { polluted?: unknown }).polluted === undefined ? 'clean' : 'polluted';
    };
    const code = `return await tools.take(JSON.parse('{"__proto__":{"polluted":1},"deep":{"__proto__":{"polluted":1}}}'))`;
    await evaluate(session, code, { functions: { take } });
    for (const argument of received) {
      expectInert(argument);
      expectInert((argument as { deep: JsonValue }).deep);
    }
    expectUnpolluted();
    // Through the host's own pipeline the same argument meets a schema.
    const strict = defineTool({
      name: 'strict',
      description: 'Takes a name',
      input: z.object({ name: z.string() }),
      execute: (args) => Object.keys(args),
    });
    const error = await errorOf(stage.host({ tools: [strict] }), 'strict', '{"name":"n","__proto__":{"polluted":1}}');
    expect(error).toMatchObject({ kind: 'validation' });
    expectUnpolluted();
  },

  'ISO-018': async (stage) => {
    const session = stage.sandbox();
    const received: JsonValue[] = [];
    const functions = { take: (argument: JsonValue) => void received.push(argument) };
    const forge = `
      JSON.stringify = () => '{"forged":1}';
      JSON.parse = () => ({ forged: 1 });
      Promise.prototype.then = function (resolve) { resolve({ forged: 1 }) };
      Array.prototype.push = Array.prototype.map = Function.prototype.call = Function.prototype.apply = () => ({ forged: 1 });
      Reflect.apply = Object.keys = Object.getOwnPropertyDescriptor = () => ({ forged: 1 });`;
    const result = await evaluate(session, `${forge} await tools.take({ real: 2 }); return { real: 1 }`, { functions });
    expect(received).toEqual([{ real: 2 }]);
    if (result.status === 'ok') expect(result.value).toEqual({ real: 1 });
    expect(JSON.stringify(result)).not.toContain('forged');
    const thenable = `Object.prototype.then = function () { throw new Error('then was called') }; ${forge} tools.take({ real: 3 }); return 1`;
    const second = await evaluate(session, thenable, { functions, timeoutMs: 1_000 });
    expect(JSON.stringify(second)).not.toContain('forged');
    expect(received.at(-1)).toEqual({ real: 3 });
    await expectAnswers(session);
  },

  'ISO-021': async (stage) => {
    const session = stage.sandbox();
    for (const code of [
      'return (function evil() { for (;;); })',
      'return { f: () => { for (;;); } }',
      'return [class {}]',
      'return Symbol("s")',
    ]) {
      expect(await failureOf(session, code), code).toMatchObject({ code: 'result_invalid' });
    }
    await expectAnswers(session);
  },

  'ISO-022': async (stage) => {
    const code = `
      class X extends Array { static get [Symbol.species]() { return Object } }
      const x = new X(); x.push(1, 2); x.constructor = { [Symbol.species]: null };
      return x`;
    const value = await returned(stage.sandbox(), code);
    expect(value).toEqual([1, 2]);
    expect(Object.getPrototypeOf(value)).toBe(Array.prototype);
    expect(Object.hasOwn(value as object, 'constructor')).toBe(false);
  },

  'ISO-023': async (stage) => {
    const session = stage.sandbox();
    const codes = [
      'return { then(r) { for (;;); } }',
      'const p = Promise.resolve(1); p.then = () => { for (;;); }; return p',
    ];
    for (const code of codes) {
      const { result, longestStallMs } = await watchHost(() => evaluate(session, code, { timeoutMs: 400 }));
      if (result.status === 'ok') expect(result.value).toBe(1);
      else expect(['timeout', 'result_invalid']).toContain(result.code);
      expect(longestStallMs).toBeLessThan(1_000);
    }
    await expectAnswers(session);
  },

  'ISO-024': neverPast([
    'throw { get message() { for (;;); } }',
    'throw { get name() { for (;;); }, message: "m" }',
    'throw { toString() { for (;;); } }',
  ]),
  'ISO-026': neverPast(["Error.prepareStackTrace = () => { for (;;); }; throw new Error('p')"]),
  'ISO-027': neverPast([
    "throw new Proxy(new Error('x'), { get() { for (;;); } })",
    'class E extends Error { get name() { for (;;); } } throw new E()',
    'throw new Proxy({}, { getPrototypeOf() { for (;;); }, getOwnPropertyDescriptor() { for (;;); }, ownKeys() { for (;;); } })',
  ]),
  'ISO-028': neverPast(['return (async () => { await 0; throw { get message() { for (;;); } } })()']),

  'ISO-029': async (stage) => {
    const session = stage.sandbox();
    for (const thrown of [
      'null',
      'undefined',
      "Symbol('x')",
      "'str'",
      'function () {}',
      '42n',
      'Object.create(null)',
      'new Proxy({}, {})',
    ]) {
      const failure = await failureOf(session, `throw ${thrown}`);
      expect(failure.error.name, thrown).toBeTypeOf('string');
      expect(failure.error.message, thrown).toBeTypeOf('string');
      expect(failure.code, thrown).toBeUndefined();
    }
    await expectAnswers(session);
  },

  'ISO-032': async (stage) => {
    const session = stage.sandbox();
    const nest = 'let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep };';
    expect(await failureOf(session, `${nest} return deep`)).toMatchObject({ code: 'result_invalid' });
    const arrays = 'let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep];';
    expect(await failureOf(session, `${arrays} return deep`)).toMatchObject({ code: 'result_invalid' });
    const received: JsonValue[] = [];
    await evaluate(session, `${nest} await tools.take(deep)`, {
      functions: { take: (argument) => void received.push(argument) },
    });
    expect(received).toEqual([]);
    await evaluate(session, `${nest} throw deep`);
    await expectAnswers(session);
  },
};

/** Reading what was thrown runs guest code: it ends at the deadline, or the trap is never touched. */
function neverPast(codes: string[]): Attack {
  return async (stage) => {
    const session = stage.sandbox();
    for (const code of codes) {
      const { result, elapsedMs } = await watchHost(() => evaluate(session, code, { timeoutMs: 300 }));
      expect(result, code).toMatchObject({ status: 'error' });
      if (result.status === 'error') expect([undefined, 'timeout'], code).toContain(result.code);
      expect(elapsedMs, code).toBeLessThan(5_000);
      expect(await evaluate(session, 'return 1'), code).toMatchObject({ status: 'ok', value: 1 });
    }
    await expectAnswers(session);
  };
}

async function refuseUndeclaredOutput(stage: Parameters<Attack>[0]): Promise<void> {
  const output = z.strictObject({ greeting: z.string() });
  const leaky = (name: string, result: () => unknown) =>
    defineTool({
      name,
      description: 'Says more than it declares',
      input: z.object({}),
      output,
      execute: () => result() as never,
    });
  const tools = [leaky('environment', () => process.env), leaky('functions', () => ({ greeting: () => 'hi' }))];
  const host = stage.host({ tools });
  for (const { name } of tools) {
    const error = await errorOf(host, name, {});
    expect(error.kind).toBe('execution');
    expect(JSON.stringify(error)).not.toContain(process.env.PATH ?? '/usr/bin');
  }
}

function returning(value: unknown) {
  return defineTool({ name: 'answer', description: 'Answers', input: z.object({}), execute: () => value });
}

/** Own keys may be there; what is inherited is what every object inherits. */
function expectInert(value: unknown): void {
  expect((value as { polluted?: unknown }).polluted).toBeUndefined();
  expect([Object.prototype, null]).toContain(Object.getPrototypeOf(value));
}

function expectUnpolluted(): void {
  const fresh: Record<string, unknown> = {};
  expect([fresh.polluted, fresh.x, fresh.y]).toEqual([undefined, undefined, undefined]);
}
