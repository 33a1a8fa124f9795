import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { z } from 'zod';
import type { HostEvent } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import type { Attacks } from '../attack.js';
import { call, errorOf, outputOf, shell } from '../call.js';
import { expectAnswers } from '../evaluate.js';
import { watchHost } from '../host-watch.js';
import { processFile, workersOf } from '../processes.js';

const MiB = 1024 * 1024;

const tool = (name: string, execute: (args: Record<string, unknown>) => unknown) =>
  defineTool({ name, description: `Does ${name}`, input: z.object({}), execute: (args) => execute(args) as never });

export const hostCalls: Attacks = {
  'HOST-017': async (stage) => {
    const echo = defineTool({
      name: 'echo',
      description: 'Echoes',
      input: z.object({ text: z.string() }),
      execute: ({ text }) => text.length,
    });
    const host = stage.host({ tools: [echo] });
    const texts = [
      '{',
      'nonsense',
      '[1,2',
      '{"text":"a"}{"text":"b"}',
      '\ufeff{"text":"a"}',
      '"text"',
      'null',
      '[]',
      '1e999',
      `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
      '{"text":'.repeat(1e5),
    ];
    for (const args of texts) {
      const error = await errorOf(host, 'echo', args);
      expect(error.kind, args.slice(0, 20)).toBe('validation');
      expect(error.message.length, args.slice(0, 20)).toBeLessThan(2_100);
    }
    const { result, grownBytes } = await watchHost(() => errorOf(host, 'echo', `{"text":"${'x'.repeat(50 * MiB)}"}`));
    expect(result.kind).toBe('validation');
    expect(grownBytes).toBeLessThan(400 * MiB);
    expect(await outputOf(host, 'echo', '{"text":"a",\r\n"more":1}\r\n').catch(() => 1)).toBe(1);
    let deep: unknown = {};
    for (let i = 0; i < 1e5; i += 1) deep = { deep };
    expect(await call(host, 'echo', deep)).toMatchObject({ status: 'error', error: { kind: 'validation' } });
    expect(await outputOf(host, 'echo', { text: 'abc' })).toBe(3);
  },

  'HOST-018': async (stage) => {
    const received: object[] = [];
    const host = stage.host({
      tools: [
        defineTool({
          name: 'loose',
          description: 'Takes anything',
          input: z.looseObject({}),
          execute: (args) => void received.push(args),
        }),
        defineTool({
          name: 'strict',
          description: 'Takes a name',
          input: z.object({ name: z.string() }),
          execute: (args) => void received.push(args),
        }),
      ],
    });
    const hostile = [
      '{"__proto__":{"admin":true},"name":"n"}',
      '{"constructor":{"prototype":{"admin":true}},"name":"n"}',
      '{"name":"n","a":{"__proto__":{"admin":true}}}',
      '{"prototype":{"admin":true},"name":"n"}',
    ];
    for (const toolName of ['loose', 'strict']) {
      for (const text of hostile) {
        for (const args of [text, JSON.parse(text)]) {
          const outcome = await call(host, toolName, args);
          if (outcome.status === 'error') expect(outcome.error.kind, text).toBe('validation');
        }
      }
    }
    for (const args of received) {
      expect((args as { admin?: unknown }).admin).toBeUndefined();
      expect((Object.assign({}, args) as { admin?: unknown }).admin).toBeUndefined();
    }
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    for (const toolName of [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'valueOf',
      '',
      ' ',
      'a'.repeat(1e5),
      'strict\0',
    ]) {
      const error = await errorOf(host, toolName, {});
      expect(error.kind, toolName.slice(0, 20)).toBe('not-found');
      expect(error.message.length).toBeLessThan(2_100);
    }
  },

  'HOST-025': async (stage) => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const twice = () =>
      new Promise((resolve, reject) => {
        resolve('first');
        resolve('second');
        reject(new Error('third'));
      });
    const throwing = [
      null,
      undefined,
      'text',
      0,
      Symbol('s'),
      Object.create(null),
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('trap');
          },
        },
      ),
      {
        get message() {
          throw new Error('trap');
        },
      },
    ];
    const tools = [
      ...throwing.map((thrown, index) =>
        tool(`throws_${index}`, () => {
          throw thrown;
        }),
      ),
      tool('never', () => new Promise(() => {})),
      tool('twice', twice),
      tool('cyclic', () => cyclic),
      tool('big', () => ({ n: 1n })),
      tool('huge', () => 'x'.repeat(5e8)),
      tool('stream', () => new ReadableStream()),
      tool('nothing', () => undefined),
      tool('getter', () => ({
        get a() {
          throw new Error('trap');
        },
      })),
      tool('thenable', () => Object.fromEntries([['then', (resolve: (value: unknown) => void) => resolve('awaited')]])),
      tool('deep', () => {
        let deep: unknown = 0;
        for (let i = 0; i < 1e5; i += 1) deep = [deep];
        return deep;
      }),
    ];
    const host = stage.host({ tools });
    for (let index = 0; index < throwing.length; index += 1) {
      const error = await errorOf(host, `throws_${index}`, {});
      expect(error).toMatchObject({ kind: 'execution', toolName: `throws_${index}` });
      expect(error.message.length).toBeGreaterThan(0);
    }
    for (const name of ['cyclic', 'big', 'huge', 'getter', 'deep']) {
      expect(await errorOf(host, name, {}), name).toMatchObject({ kind: 'execution' });
    }
    expect(await outputOf(host, 'twice', {})).toBe('first');
    expect(await outputOf(host, 'nothing', {})).toBeNull();
    expect(await outputOf(host, 'thenable', {})).toBe('awaited');
    expect(JSON.stringify(await call(host, 'stream', {})).length).toBeLessThan(10_000);
    const abort = AbortSignal.timeout(100);
    const stuck = await host.call({ toolName: 'never', args: {} }, { signal: abort });
    expect(stuck).toMatchObject({ status: 'error', error: { code: 'aborted' } });
    expect(await outputOf(host, 'twice', {})).toBe('first');
  },

  'HOST-026': async (stage) => {
    const input = z.strictObject({
      name: z.string().min(1).max(100),
      count: z.int().min(0),
      nested: z.strictObject({ flag: z.boolean() }).optional(),
    });
    const host = stage.host({
      tools: [defineTool({ name: 'strict', description: 'Is strict', input, execute: (args) => args })],
    });
    const good = { name: 'n', count: 1 };
    const bad: [unknown, string][] = [
      [{ ...good, extra: 1 }, 'extra'],
      [{ ...good, count: '1' }, 'count'],
      ['{"name":"n","count":1e400}', 'count'],
      [{ ...good, count: Number.NaN }, 'count'],
      [{ ...good, count: 2 ** 53 + 2 }, 'count'],
      [{ ...good, count: 1.5 }, 'count'],
      [{ ...good, name: '' }, 'name'],
      [{ ...good, name: 'x'.repeat(1e6) }, 'name'],
      [{ ...good, name: 1 }, 'name'],
      [{ ...good, nested: { flag: 'true' } }, 'nested.flag'],
      [{ ...good, nested: { flag: true, more: 1 } }, 'more'],
      [{ name: 'n' }, 'count'],
      [[good], ''],
      [null, ''],
    ];
    for (const [args, path] of bad) {
      const error = await errorOf(host, 'strict', args);
      expect(error.kind, JSON.stringify(args).slice(0, 80)).toBe('validation');
      expect(JSON.stringify(error), path).toContain(path);
      expect(error.issues?.length).toBeGreaterThan(0);
      expect(JSON.stringify(error).length).toBeLessThan(10_000);
    }
    const minus = await outputOf<{ count: number }>(host, 'strict', '{"name":"\\ud83e\\udd80","count":-0}');
    expect(Object.is(minus.count, 0)).toBe(true);
    // Half a character cannot become bytes: it is refused where text is written.
    const files = stage.host();
    const outcome = await call(files, 'write_file', { path: 'half.txt', content: '\ud83e' });
    expect(JSON.stringify(outcome)).toMatch(/encoding|validation|invalid_input/);
  },

  'HOST-032': async (stage) => {
    const project = stage.project({ 'a.txt': 'a' });
    const fifos = Array.from({ length: 8 }, (_, index) => `fifo-${index}`);
    execFileSync(
      'mkfifo',
      fifos.map((name) => project.at(name)),
    );
    const session = stage.sandbox({ workspace: project.root });
    const host = stage.host({ sandbox: session });
    const blocked = fifos.flatMap((name) => [
      session.fs.readFile(name).catch((error: { code: string }) => error.code),
      call(host, 'read_file', { path: name }),
      session.exec(`cat ${name}`, { timeoutMs: 3_000 }),
    ]);
    const { result, elapsedMs } = await watchHost(() =>
      Promise.all(Array.from({ length: 8 }, () => readFile(import.meta.filename))),
    );
    expect(result[0]?.length).toBeGreaterThan(0);
    expect(elapsedMs).toBeLessThan(2_000);
    const answers = await Promise.all(blocked);
    expect(answers.filter((answer) => typeof answer === 'string')).toEqual(fifos.map(() => 'not_regular_file'));
    await expectAnswers(session);
  },

  'HOST-033': async (stage) => {
    const secret = `sk-host-${crypto.randomUUID()}`;
    process.env.CAISSON_ATTACK_SECRET = secret;
    stage.defer(() => delete process.env.CAISSON_ATTACK_SECRET);
    const project = stage.project({ 'a.txt': 'a' });
    const session = stage.sandbox({ workspace: project.root });
    const events: HostEvent[] = [];
    const host = stage.host({ sandbox: session, context: { apiKey: secret }, onEvent: (event) => events.push(event) });
    const looks = [
      'env; set; export -p',
      'cat /proc/*/environ /proc/self/environ /proc/1/environ',
      'cat /proc/*/cmdline',
      'printenv CAISSON_ATTACK_SECRET',
      'echo $CAISSON_ATTACK_SECRET',
      'bad-command',
      'cat nope',
      'grep -r sk-host / 2>&1',
    ];
    const told: unknown[] = [];
    for (const command of looks) told.push(await call(host, 'shell', { command }));
    told.push(
      await call(host, 'read_file', { path: '/proc/self/environ' }),
      await call(host, 'nope', {}),
      await call(host, 'shell', {}),
    );
    told.push(
      await session.evaluate?.('return [typeof process, Object.getOwnPropertyNames(globalThis)]'),
      host.tools(),
      session.description,
    );
    expect(JSON.stringify([told, events])).not.toContain(secret);
    expect(events.length).toBeGreaterThan(10);
    await session.fs.glob('*');
    const workers = workersOf(session);
    expect(workers.length).toBeGreaterThan(0);
    for (const pid of workers) {
      expect(processFile(pid, 'environ')).not.toContain(secret);
      expect(processFile(pid, 'cmdline')).not.toContain(secret);
    }
    expect(await shell(host, 'echo alive')).toMatchObject({ stdout: 'alive\n' });
  },
};
