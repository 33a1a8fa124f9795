import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost, defineTool, isPropagatingToolError } from '../../../src/index.js';
import { type AnthropicToolResult, runAnthropicToolUses } from '../../../src/interop/anthropic/index.js';
import { allTools, log } from '../provider/tools.js';

const use = (id: unknown, name: unknown, input: unknown) => ({
  type: 'tool_use',
  id,
  name,
  input,
  caller: { type: 'direct' },
});
const hostOf = () => createToolHost({ tools: allTools });
const results = async (blocks: readonly object[]): Promise<AnthropicToolResult[]> =>
  (await runAnthropicToolUses(hostOf(), { content: blocks })).message.content;
const kindOf = (result: AnthropicToolResult | undefined) => JSON.parse(String(result?.content)).kind;

beforeEach(() => {
  log.length = 0;
});

describe('runAnthropicToolUses()', () => {
  it('answers every tool use in one user message, in order', async () => {
    const { message, pending } = await runAnthropicToolUses(hostOf(), {
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'I add.' },
        use('toolu_1', 'add', { a: 1, b: 2 }),
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        use('toolu_2', 'say', { text: 'hi' }),
      ],
    });
    expect(pending).toBeUndefined();
    expect(message).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '{"sum":3}' },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'hi' },
      ],
    });
  });

  it('takes the blocks alone, and gives empty content where there are no tool uses', async () => {
    const empty = { message: { role: 'user', content: [] } };
    expect(await runAnthropicToolUses(hostOf(), [{ type: 'text', text: 'Done' }])).toEqual(empty);
    expect(await runAnthropicToolUses(hostOf(), { content: 'Done' })).toEqual(empty);
    expect(await runAnthropicToolUses(hostOf(), [null, 1, {}, { type: {} }] as object[])).toEqual(empty);
    await expect(runAnthropicToolUses(hostOf(), {} as never)).rejects.toThrow(TypeError);
  });

  it('marks failures as errors and gives the structured error', async () => {
    const [failed, unknown, invalid, polluted] = await results([
      use('toolu_1', 'fail', {}),
      use('toolu_2', 'constructor', {}),
      use('toolu_3', 'add', 'no object'),
      use('toolu_4', 'add', JSON.parse('{"a":1,"b":2,"__proto__":{"c":3}}')),
    ]);
    expect(failed).toMatchObject({ tool_use_id: 'toolu_1', is_error: true });
    expect(JSON.parse(String(failed?.content))).toEqual({
      error: 'RangeError',
      toolName: 'fail',
      message: 'no such luck',
      kind: 'execution',
    });
    expect([kindOf(unknown), kindOf(invalid), kindOf(polluted)]).toEqual(['not-found', 'validation', 'validation']);
    expect(log).toEqual([]);
  });

  it('does not run a tool use without an id or a name, and says so', async () => {
    const answers = await results([
      use(undefined, 'add', { a: 1, b: 2 }),
      use(7, 'add', {}),
      use('toolu_3', null, {}),
      use('toolu_4', '', {}),
    ]);
    expect(answers.map(kindOf)).toEqual(Array(4).fill('validation'));
    expect(answers.every(({ tool_use_id, is_error }) => tool_use_id !== '' && is_error === true)).toBe(true);
    expect(log).toEqual([]);
  });

  it('gives images and documents as such, and what the API has no block for as text', async () => {
    const [result] = await results([use('toolu_1', 'parts', {})]);
    expect(result?.content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: '[image: image/tiff, 3 bytes, cannot be shown here]' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' }, title: 'a.pdf' },
      { type: 'text', text: 'hello' },
      { type: 'text', text: 'X (https://example.org/x)\nbody' },
      { type: 'text', text: 'y (https://example.org/y, text/html, 12 bytes)' },
    ]);
  });

  it('gives no empty text blocks, which the API refuses', async () => {
    const quiet = defineTool({
      name: 'quiet',
      description: 'Says nothing',
      input: z.object({}),
      execute: () => ({ content: [{ type: 'text', text: '' }] }),
    });
    const { message } = await runAnthropicToolUses(createToolHost({ tools: [quiet] }), [use('toolu_1', 'quiet', {})]);
    expect(message.content[0]?.content).toBe('{"content":[{"type":"text","text":""}]}');
  });

  it('says which toolset a member of one belongs to', async () => {
    const [result] = await results([{ ...use('toolu_1', 'bash', { command: 'ls' }), toolset_name: 'computer' }]);
    expect(result).toMatchObject({ toolset_name: 'computer', is_error: true });
  });

  it('rejects with the error of a tool that aborts the run', async () => {
    await expect(results([use('toolu_1', 'fail', { how: 'propagate' })])).rejects.toSatisfy(isPropagatingToolError);
  });

  it('prefers a tool of the host to Anthropic’s of the same name', async () => {
    const bash = defineTool({
      name: 'bash',
      description: 'Mine',
      input: z.object({ command: z.string() }),
      execute: () => 'mine',
    });
    const { message } = await runAnthropicToolUses(createToolHost({ tools: [bash] }), [
      use('toolu_1', 'bash', { command: 'ls' }),
    ]);
    expect(message.content[0]?.content).toBe('mine');
  });

  it('pauses at a call that waits, and goes on when it was decided', async () => {
    const paused = await runAnthropicToolUses(hostOf(), [
      use('toolu_1', 'say', { text: 'before' }),
      use('toolu_2', 'ask', { what: 'one' }),
      use('toolu_3', 'say', { text: 'after' }),
    ]);
    expect(paused.message.content).toHaveLength(1);
    expect(paused.pending?.approval).toMatchObject({ toolCallId: 'toolu_2', args: { what: 'one' } });
    const done = await paused.pending?.decide({ decision: 'reject', note: 'no' });
    expect(done?.pending).toBeUndefined();
    expect(done?.message.content.map(({ tool_use_id }) => tool_use_id)).toEqual(['toolu_1', 'toolu_2', 'toolu_3']);
    expect(kindOf(done?.message.content[1])).toBe('rejected');
    expect(log).toEqual(['say before', 'say after']);
  });
});
