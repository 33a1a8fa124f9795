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

const tool = (name: string, execute: (args: Record<string, unknown>) => unknown) =>
  defineTool({ name, description: `Does ${name}`, input: z.object({}), execute: (args) => execute(args) as never });

export const hostCalls: Attacks = {
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
