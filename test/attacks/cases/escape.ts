import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import type { Attacks } from '../attack.js';
import { evaluate, expectAnswers, failureOf, returned } from '../evaluate.js';
import { ECMASCRIPT_NAMES, OUR_NAMES } from '../global-names.js';

/** Everything of a host realm that an escape would look for. */
const HOST_NAMES = ['process', 'require', 'module', 'Buffer', 'console', 'setTimeout', 'fetch', 'gc', 'global', 'Deno'];

/** Walks all that can be reached from `globalThis` and names what looks like isolated-vm's own. */
const FIND_ISOLATED_VM = `
  const TYPES = new Set(['Reference', 'ExternalCopy', 'Callback', 'Isolate', 'Context', 'Script', 'Module', 'NativeModule']);
  const METHODS = ['deref', 'derefInto', 'release', 'applySync', 'applyIgnored', 'applySyncPromise', 'copyInto', 'compileScriptSync', 'createContextSync'];
  const seen = new Set();
  const hits = [];
  const queue = [[globalThis, 'globalThis'], [tools, 'tools'], [log, 'log'], [input, 'input']];
  while (queue.length > 0) {
    const [value, path] = queue.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
      const name = path + '.' + String(key);
      if (METHODS.includes(key) && value !== WeakRef.prototype) hits.push(name);
      for (const part of [descriptor.value, descriptor.get, descriptor.set]) {
        if (typeof part === 'function' && TYPES.has(part.name)) hits.push(name);
        queue.push([part, name]);
      }
    }
    queue.push([Reflect.getPrototypeOf(value), path + '.[[Prototype]]']);
  }
  return { hits, walked: seen.size };`;

/** Every function and every `this` that a stack shows, in the call itself, after an await, and in what the host threw. */
const LOOK_AT_FRAMES = `
  const functions = [], objects = [], stacks = [];
  const look = (error, frames) => {
    for (const frame of frames) {
      if (frame.getFunction()) functions.push(String(frame.getFunction()));
      const self = frame.getThis();
      if (self !== undefined && self !== globalThis) objects.push(Object.prototype.toString.call(self));
      stacks.push(String(frame.getFileName()), String(frame.getEvalOrigin()), String(frame));
    }
    return 'MINE';
  };
  Error.prepareStackTrace = look;
  new Error('x').stack;
  try { null.x } catch (error) { error.stack }
  await tools.fail().catch((error) => error.stack);
  new Promise(() => new Error('MINE').stack);
  Error.prepareStackTrace = undefined;
  stacks.push(new Error('plain').stack, await tools.fail().catch((error) => error.stack));
  return { functions, objects, stacks }`;

/** From an old-style function to whoever called it, and to what that one was given. */
const CLIMB_CALLERS = `
  const found = [];
  function climb() {
    try {
      for (let f = climb.caller, depth = 0; f && depth < 20; f = f.caller, depth++) {
        if (!String(f).includes('climb')) found.push(String(f).slice(0, 100), String(f.arguments));
      }
    } catch {}
  }
  climb();
  const getter = { get a() { climb(); return 1 }, toJSON() { climb(); return 1 } };
  tools.fail(getter).catch(() => 0);
  log(getter);
  await 0;
  climb();
  return found`;

export const escaping: Attacks = {
  'ISO-001': async (stage) => {
    const session = stage.sandbox();
    const roots = [
      'globalThis',
      '(function () { return this })()',
      '[]',
      'log',
      'tools.probe',
      'new Error()',
      'JSON',
      'ArrayBuffer',
    ];
    for (const root of roots) {
      const code = `return ${root}.constructor.constructor('return typeof process')()`;
      const result = await evaluate(session, code, { functions: { probe: () => 1 } });
      expect(result, root).toMatchObject({ status: 'ok', value: 'undefined' });
    }
    const self = await evaluate(session, "return this.constructor.constructor('return typeof process')()");
    expect(self).toMatchObject({ status: 'ok', value: 'undefined' });
    // `tools` and `input` inherit nothing that a constructor could be found on.
    expect(await evaluate(session, 'return tools.constructor')).toMatchObject({ status: 'ok', value: null });
  },

  'ISO-002': async (stage) => {
    const session = stage.sandbox();
    const names = await returned(session, 'return Object.getOwnPropertyNames(globalThis)');
    const unknown = (names as string[]).filter((name) => ![...ECMASCRIPT_NAMES, ...OUR_NAMES].includes(name as never));
    expect(unknown).toEqual([]);
    expect(
      await returned(session, `return ${JSON.stringify(HOST_NAMES)}.filter((name) => name in globalThis)`),
    ).toEqual([]);
    expect(await returned(session, 'return Object.getOwnPropertySymbols(globalThis).map(String)')).toEqual([]);
  },

  'ISO-003': async (stage) => {
    const found = await returned(stage.sandbox(), FIND_ISOLATED_VM, {
      functions: { one: () => 1, two: async () => 2 },
    });
    const { hits, walked } = found as { hits: string[]; walked: number };
    expect(hits).toEqual([]);
    expect(walked).toBeGreaterThan(500);
  },

  'ISO-007': async (stage) => {
    const session = stage.sandbox();
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    stage.defer(() => process.off('unhandledRejection', listen));
    const reject = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error(`no luck in ${import.meta.filename}`);
    };
    const code = `
      const caught = [];
      for (let i = 0; i < 5; i++) await tools.reject({}).catch((error) => caught.push(error.message, String(error.stack)));
      tools.reject({});
      return caught`;
    const caught = (await returned(session, code, { functions: { reject } })) as string[];
    expect(caught).toHaveLength(10);
    expect(caught[0]).toContain('no luck');
    // Where the host's code lies is told by its stack alone, which never crosses.
    expect(caught[1]).not.toMatch(/node:internal|escape\.ts:\d+/);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(unhandled).toEqual([]);
    await expectAnswers(session);
  },

  'ISO-009': async (stage) => {
    const session = stage.sandbox();
    const code = `
      const functions = [log, tools.f, tools.f.bind, Object.getPrototypeOf(tools.f), (await tools.f(1).constructor)];
      return functions.map((f) => { try { return String(f.constructor.constructor('return process')()) } catch (error) { return error.name } })`;
    const answers = await returned(session, code, { functions: { f: () => 1 } });
    for (const answer of answers as string[]) expect(answer).toMatch(/^(ReferenceError|undefined|EvalError)$/);
    const realm = `return [log instanceof Function, tools.f instanceof Function, tools.f(1) instanceof Promise]`;
    expect(await returned(session, realm, { functions: { f: () => 1 } })).toEqual([true, true, true]);
  },

  'ISO-011': async (stage) => {
    const session = stage.sandbox();
    const specifiers = [
      'fs',
      'node:fs',
      './worker.js',
      '/etc/passwd',
      'file:///etc/passwd',
      'data:text/javascript,1',
      'isolated-vm',
    ];
    const code = `return await Promise.all(input.map((name) => import(name).then(() => 'loaded ' + name, () => 'refused')))`;
    const result = await evaluate(session, code, { input: specifiers });
    if (result.status === 'ok') expect(result.value).toEqual(specifiers.map(() => 'refused'));
    else expect(result.code).toBeUndefined();
    const fixed = await failureOf(session, "import fs from 'fs'; return 1");
    expect(fixed.error.name).toBe('SyntaxError');
    await expectAnswers(session);
  },

  'ISO-012': async (stage) => {
    const session = stage.sandbox();
    const answers = await returned(
      session,
      `const tries = [() => eval('typeof process'), () => new Function('return typeof process')(), () => (0, eval)('typeof require')];
       return tries.map((attempt) => { try { return attempt() } catch (error) { return error.name } })`,
    );
    // Allowed, as it gives nothing that code does not have already; it stays in the guest's realm.
    expect(answers).toEqual(['undefined', 'undefined', 'undefined']);
    expect(await returned(session, "return [eval('1+1'), new Function('return 1')()]")).toEqual([2, 1]);
  },

  'ISO-013': async (stage) => {
    const machineCode = Buffer.from('not what V8 wrote');
    for (const name of ['cachedData', 'snapshot', 'snapshotPath', 'execArgv', 'nodeArguments']) {
      expect(() => createIsolateSandbox({ [name]: machineCode } as object), name).toThrow(TypeError);
    }
    const session = stage.sandbox();
    const options = { cachedData: machineCode, produceCachedData: true, filename: '/etc/passwd' };
    await expect(evaluate(session, 'return 1', options as object)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await evaluate(session, 'return 1')).toMatchObject({ status: 'ok', value: 1 });
    await refuseForgedSnapshot(stage);
  },

  'ISO-015': async (stage) => {
    const session = stage.sandbox();
    const fail = () => {
      throw new Error('from the host');
    };
    const seen = await returned(session, LOOK_AT_FRAMES, { functions: { fail } });
    const { functions, objects, stacks } = seen as { functions: string[]; objects: string[]; stacks: string[] };
    // Only what the code wrote itself; a function of ours would bring its arguments with it, and so the callbacks.
    expect(functions.filter((source) => !source.includes('MINE'))).toEqual([]);
    expect(objects.filter((kind) => kind !== '[object Promise]')).toEqual([]);
    expect(stacks.join('\n')).not.toMatch(/node:|node_modules|worker\.js|file:|(^|[\s(])\/\w+/);
    expect(await returned(session, CLIMB_CALLERS, { functions: { fail } })).toEqual([]);
    const forged = `Error.prepareStackTrace = (e, f) => f.map((x) => String(x.getThis()) + String(x.getFunction())); throw new Error('mine')`;
    expect(JSON.stringify(await failureOf(session, forged))).not.toMatch(/node:|node_modules|worker\.js/);
  },
};

/** A snapshot holds machine code: one that others could have written, or that was tampered with in place, is not loaded. */
async function refuseForgedSnapshot(stage: Parameters<Attacks[string]>[0]): Promise<void> {
  const cache = stage.directory();
  const before = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = cache;
  stage.defer(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  });
  await expectAnswers(stage.sandbox());
  const directory = join(cache, 'caisson');
  const snapshots = readdirSync(directory).filter((name) => name.endsWith('.v8snapshot'));
  expect(snapshots).toHaveLength(1);
  for (const name of snapshots) {
    writeFileSync(join(directory, name), Buffer.alloc(64 * 1024, 0xcc));
    chmodSync(join(directory, name), 0o666);
  }
  await expectAnswers(stage.sandbox());
  const shared = join(stage.directory(), 'shared');
  mkdirSync(join(shared, 'caisson'), { recursive: true });
  chmodSync(join(shared, 'caisson'), 0o777);
  process.env.XDG_CACHE_HOME = shared;
  for (const name of snapshots) writeFileSync(join(shared, 'caisson', name), Buffer.alloc(64 * 1024, 0xcc));
  await expectAnswers(stage.sandbox());
}
