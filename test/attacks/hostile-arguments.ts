import { expect } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tool/define-tool.js';
import { call, errorOf, outputOf } from './call.js';
import { watchHost } from './host-watch.js';
import type { Stage } from './stage.js';

const MiB = 1024 * 1024;

/** Arguments as text that are no arguments: each is refused, and the host lives. */
export async function attackArgumentText(stage: Stage): Promise<void> {
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
}

/** Names that objects have by themselves, as members of arguments and as names of tools. */
export async function attackInheritedNames(stage: Stage): Promise<void> {
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
}
