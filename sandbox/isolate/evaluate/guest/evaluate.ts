import type { EvaluateBridge, EvaluateGuest, EvaluateRequest, SettleKind } from '../evaluate-bridge.js';
import { compile } from './compile.js';
import { describeThrown } from './describe-thrown.js';
import { encode } from './encode.js';
import { HostFunctions } from './host-functions.js';
import { intrinsics } from './intrinsics.js';
import { createLog } from './log.js';
import { stripGlobals } from './strip-globals.js';

const { apply, defineProperty, parse, promiseThen } = intrinsics;

let functions: HostFunctions | undefined;

/** The isolate's only global of ours; the worker takes it away before the code runs. */
const guest: EvaluateGuest = {
  run,
  answer: (callId, ok, text) => functions?.answer(callId, ok, text),
};
defineProperty(globalThis, 'caissonEvaluate', { value: guest, configurable: true });
stripGlobals();

function run(bridge: EvaluateBridge, { code, input, functions: names, limits }: EvaluateRequest): void {
  const host = new HostFunctions(bridge, names, limits);
  functions = host;
  expose('input', parse(input));
  expose('log', createLog(bridge, limits));
  expose('tools', host.tools);
  const fail = (kind: SettleKind, thrown: unknown) =>
    bridge.settle(kind, describeThrown(thrown, limits.messageCharacters));
  const thrown = (error: unknown) => fail(host.isRefusal(error) ? 'session_limit' : 'thrown', error);
  const settle = (value: unknown) => {
    try {
      const encoded = encode(value, { characters: limits.resultCharacters, depth: limits.depth });
      if (encoded.refusal === undefined) return bridge.settle('value', encoded.text);
      const { kind, reason } = encoded.refusal;
      fail(kind, new intrinsics.TypeError(`Cannot return the result: ${reason}`));
    } catch (error) {
      // A getter of the result threw.
      thrown(error);
    }
  };
  const unwrap = (value: unknown) => {
    // A promise is waited for; anything else that has a `then` is data.
    if (isPromise(value)) apply(promiseThen, value, [settle, thrown]);
    else settle(value);
  };
  let compiled: ReturnType<typeof compile>;
  try {
    compiled = compile(code);
  } catch (error) {
    return fail('invalid_input', error);
  }
  const done = compiled.isExpression ? (box: unknown) => unwrap((box as { value: unknown }).value) : settle;
  apply(promiseThen, compiled.run(), [done, thrown]);
}

function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    // Refuses everything but a real promise; the derived promise is dropped.
    apply(promiseThen, value, [undefined, () => undefined]);
    return true;
  } catch {
    return false;
  }
}

function expose(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
}
