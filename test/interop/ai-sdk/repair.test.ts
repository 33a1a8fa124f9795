import type { generateText as generate6 } from 'ai';
import type { generateText as generate7 } from 'ai7';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { toAiSdkRepairToolCall, toAiSdkTools } from '../../../src/interop/ai-sdk/index.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { call, DONE, RUNS, resultOf } from './sdks.js';

const tools = ['read_file', 'readFile2', 'a-b', 'a_b'].map((name) =>
  defineTool({
    name,
    description: 'Says where it ran',
    input: z.object({ path: z.string().optional() }),
    execute: ({ path = 'nowhere' }) => `${name} ${path}`,
  }),
);

describe.each(RUNS)('toAiSdkRepairToolCall() in $label', ({ run, version }) => {
  const host = createToolHost({ tools, permissions: { deny: ['read_file(**/.env)'] } });
  const outputOf = async (name: string, args: unknown) => {
    const repair = { [version === 7 ? 'repairToolCall' : 'experimental_repairToolCall']: toAiSdkRepairToolCall(host) };
    const outcome = await run({ tools: toAiSdkTools(host), turns: [call('c1', name, args), DONE], ...repair });
    const result = resultOf(outcome, 'c1');
    return result?.type === 'tool-result' ? result.output : result;
  };

  it.each([
    ['Read-File', '{"path":"x"}'],
    ['functions.read_file', '{"path":"x"}'],
    ['READ_FILE', '{"path":"x",}'],
    ['read_file', '{"path":"x",}'],
    ['read_file', '{"path": "x" /* that one */}'],
    ['read_file', '```json\n{"path":"x"}\n```'],
    ['read_file', '"{\\"path\\":\\"x\\"}"'],
  ])('A29: mends %s(%s)', async (name, args) => {
    expect(await outputOf(name, args)).toBe('read_file x');
  });

  it.each([
    ['no_such_tool', '{}', /unavailable tool/],
    ['A B', '{}', /unavailable tool/],
    ['read_file', '{"path":"/workspace', /Invalid input|JSON parsing/],
    ['read_file', '{"path":"x"} {"path":"y"}', /Invalid input|JSON parsing/],
    ['read_file', '{"__proto__":{},}', /Invalid input|JSON parsing/],
  ])('A29: leaves %s(%s) to the AI SDK, which tells the model', async (name, args, error) => {
    expect(String(((await outputOf(name, args)) as { error: unknown }).error)).toMatch(error);
  });

  it('A29: a mended call passes the gates of the host', async () => {
    expect(await outputOf('Read-File', '{"path":".env",}')).toMatchObject({ error: { toolError: { kind: 'denied' } } });
  });
});

describe('the types of toAiSdkRepairToolCall()', () => {
  it('are those of both versions', () => {
    type Repair7 = NonNullable<Parameters<typeof generate7>[0]['repairToolCall']>;
    type Repair6 = NonNullable<Parameters<typeof generate6>[0]['experimental_repairToolCall']>;
    expectTypeOf<ReturnType<typeof toAiSdkRepairToolCall>>().toExtend<Repair7>();
    expectTypeOf<ReturnType<typeof toAiSdkRepairToolCall>>().toExtend<Repair6>();
  });
});
