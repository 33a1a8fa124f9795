import { beforeEach, describe, expect, it } from 'vitest';
import { createToolHost, isPropagatingToolError, type ToolErrorResult } from '../../../src/index.js';
import { type OpenAiPendingCall, runOpenAiToolCalls } from '../../../src/interop/openai/index.js';
import { allTools, log } from '../provider/tools.js';

/** The two forms of a function call, and how to read its answer. */
const APIS = {
  chat: async (calls: [id: string, name: string, args: unknown][]) => {
    const tool_calls = calls.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: args } }));
    const run = await runOpenAiToolCalls(createToolHost({ tools: allTools }), { role: 'assistant', tool_calls });
    return run.messages.map(({ role, tool_call_id, content }) => ({ kind: role, id: tool_call_id, text: content }));
  },
  responses: async (calls: [id: string, name: string, args: unknown][]) => {
    const output = calls.map(([call_id, name, args]) => ({ type: 'function_call', call_id, name, arguments: args }));
    const run = await runOpenAiToolCalls(createToolHost({ tools: allTools }), { output });
    return run.items.map((item) => ({
      kind: item.type,
      id: 'call_id' in item ? item.call_id : '',
      text: String(item.output),
    }));
  },
};

const errorIn = ({ text }: { text: string } = { text: '' }): ToolErrorResult => JSON.parse(text);

beforeEach(() => {
  log.length = 0;
});

describe.each(['chat', 'responses'] as const)('runOpenAiToolCalls() for %s', (api) => {
  const run = APIS[api];

  it('answers every call, in call order', async () => {
    const answers = await run([
      ['call_1', 'add', '{"a":1,"b":2}'],
      ['call_2', 'say', '{"text":"hi"}'],
      ['call_3', 'add', '{"a":3,"b":4}'],
    ]);
    const kind = api === 'chat' ? 'tool' : 'function_call_output';
    expect(answers).toEqual([
      { kind, id: 'call_1', text: '{"sum":3}' },
      { kind, id: 'call_2', text: 'hi' },
      { kind, id: 'call_3', text: '{"sum":7}' },
    ]);
  });

  it('answers a failing tool with the structured error', async () => {
    const [answer] = await run([['call_1', 'fail', '{}']]);
    expect(errorIn(answer)).toEqual({
      error: 'RangeError',
      toolName: 'fail',
      message: 'no such luck',
      kind: 'execution',
    });
  });

  it('answers malformed, huge and missing arguments with a validation error, and runs nothing', async () => {
    const answers = await run([
      ['call_1', 'add', '{"a":1,'],
      ['call_2', 'add', `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`],
      ['call_3', 'add', '[]'],
      ['call_4', 'add', null],
      ['call_5', 'add', undefined],
      ['call_6', 'add', '{"a":1,"b":2,"__proto__":{"c":3}}'],
    ]);
    expect(answers.map((answer) => errorIn(answer).kind)).toEqual(Array(6).fill('validation'));
    expect(log).toEqual([]);
  });

  it('answers unknown tools, and names that every object has, as not found', async () => {
    const answers = await run([
      ['call_1', 'ghost', '{}'],
      ['call_2', 'toString', '{}'],
      ['call_3', '__proto__', '{}'],
    ]);
    expect(answers.map((answer) => errorIn(answer).kind)).toEqual(Array(3).fill('not-found'));
  });

  it('does not run a call that nobody can be answered about, and says so', async () => {
    const answers = await run([
      ['', 'add', '{"a":1,"b":2}'],
      [7 as unknown as string, 'add', '{"a":1,"b":2}'],
      ['call_3', '', '{}'],
      ['call_4', null as unknown as string, '{}'],
    ]);
    expect(answers.map((answer) => errorIn(answer).kind)).toEqual(Array(4).fill('validation'));
    expect(answers.every(({ id }) => id !== '')).toBe(true);
    expect(log).toEqual([]);
  });

  it('rejects with the error of a tool that aborts the run', async () => {
    const running = run([['call_1', 'fail', '{"how":"propagate"}']]);
    await expect(running).rejects.toSatisfy(isPropagatingToolError);
  });

  it('answers calls of an aborted run as not run', async () => {
    const host = createToolHost({ tools: allTools });
    const options = { signal: AbortSignal.abort() };
    const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } };
    const texts =
      api === 'chat'
        ? (await runOpenAiToolCalls(host, { role: 'assistant', tool_calls: [call] }, options)).messages.map(
            ({ content }) => content,
          )
        : (
            await runOpenAiToolCalls(
              host,
              [{ type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{"a":1,"b":2}' }],
              options,
            )
          ).items.map(({ output }) => String(output));
    expect(texts.map((text) => errorIn({ text }).kind)).toEqual(['not-run']);
  });
});

describe('runOpenAiToolCalls()', () => {
  it('gives nothing to append where there are no calls', async () => {
    const host = createToolHost({ tools: allTools });
    expect(await runOpenAiToolCalls(host, { role: 'assistant' })).toEqual({ messages: [] });
    expect(await runOpenAiToolCalls(host, { role: 'assistant', tool_calls: null })).toEqual({ messages: [] });
    const items = [
      { type: 'message', role: 'assistant', content: [] },
      { type: 'reasoning' },
      { type: 'web_search_call' },
      {},
      null,
    ];
    expect(await runOpenAiToolCalls(host, items as object[])).toEqual({ items: [] });
  });

  it('answers entries of tool_calls that are no calls at all', async () => {
    const host = createToolHost({ tools: allTools });
    const tool_calls = [
      null,
      'x',
      {},
      { id: 'call_4', type: 'custom', custom: { name: 'add', input: 'x' } },
    ] as object[];
    const { messages } = await runOpenAiToolCalls(host, { role: 'assistant', tool_calls });
    expect(messages.map(({ content }) => errorIn({ text: content }).kind)).toEqual([
      'validation',
      'validation',
      'validation',
      'not-found',
    ]);
  });

  it('answers a custom tool call, which takes no JSON, as not found', async () => {
    const item = { type: 'custom_tool_call', call_id: 'call_1', name: 'add', input: 'free text' };
    const { items } = await runOpenAiToolCalls(createToolHost({ tools: allTools }), [item]);
    expect(items).toMatchObject([{ type: 'custom_tool_call_output', call_id: 'call_1' }]);
    expect(errorIn({ text: String(items[0]?.output) }).kind).toBe('not-found');
  });

  it('refuses what is no message with a TypeError, for that is no model’s mistake', async () => {
    const host = createToolHost({ tools: allTools });
    await expect(runOpenAiToolCalls(host, 'hello' as never)).rejects.toThrow(TypeError);
    await expect(runOpenAiToolCalls(host, {} as never)).rejects.toThrow('give the assistant message');
  });

  it('gives parts as content where the API has it, and as text where it has not', async () => {
    const host = createToolHost({ tools: allTools });
    const { items } = await runOpenAiToolCalls(host, [
      { type: 'function_call', call_id: 'c', name: 'parts', arguments: '' },
    ]);
    expect(items[0]?.output).toEqual([
      { type: 'input_text', text: 'look' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      { type: 'input_image', image_url: 'data:image/tiff;base64,AAAA', detail: 'auto' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
      { type: 'input_text', text: 'hello' },
      { type: 'input_text', text: 'X (https://example.org/x)\nbody' },
      { type: 'input_text', text: 'y (https://example.org/y, text/html, 12 bytes)' },
    ]);
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'parts', arguments: '' } }];
    const { messages } = await runOpenAiToolCalls(host, { role: 'assistant', tool_calls });
    expect(messages[0]?.content).toBe(
      'look\n[image: image/png, 3 bytes, cannot be shown here]\n[image: image/tiff, 3 bytes, cannot be shown here]\n' +
        '[file: application/pdf, 6 bytes, cannot be shown here]\nhello\nX (https://example.org/x)\nbody\ny (https://example.org/y, text/html, 12 bytes)',
    );
  });

  it('gives a call that a program made back to the program', async () => {
    const caller = { type: 'program', caller_id: 'prog_1' };
    const item = { type: 'function_call', call_id: 'c', name: 'say', arguments: '{"text":"x"}', caller };
    const { items } = await runOpenAiToolCalls(createToolHost({ tools: allTools }), [item]);
    expect(items).toEqual([{ type: 'function_call_output', call_id: 'c', output: 'x', caller }]);
  });
});

describe('approvals', () => {
  const calls = [
    { type: 'function_call', call_id: 'call_1', name: 'say', arguments: '{"text":"before"}' },
    { type: 'function_call', call_id: 'call_2', name: 'ask', arguments: '{"what":"one"}' },
    { type: 'function_call', call_id: 'call_3', name: 'say', arguments: '{"text":"between"}' },
    { type: 'function_call', call_id: 'call_4', name: 'ask', arguments: '{"what":"two"}' },
    { type: 'function_call', call_id: 'call_5', name: 'say', arguments: '{"text":"after"}' },
  ];

  it('pauses at each call that waits, and runs each other call once, in order', async () => {
    const host = createToolHost({ tools: allTools });
    let run = await runOpenAiToolCalls(host, calls);
    expect(run.items.map(({ output }) => output)).toEqual(['before']);
    expect(run.pending?.approval).toMatchObject({ toolCallId: 'call_2', toolName: 'ask', args: { what: 'one' } });
    expect(log).toEqual(['say before']);
    run = await (run.pending as OpenAiPendingCall<typeof run>).decide({ decision: 'approve' });
    expect(log).toEqual(['say before', 'ask one', 'say between']);
    expect(run.items).toHaveLength(3);
    run = await (run.pending as OpenAiPendingCall<typeof run>).decide({ decision: 'reject', note: 'not today' });
    expect(run.pending).toBeUndefined();
    expect(run.items.map((item) => 'call_id' in item && item.call_id)).toEqual(calls.map(({ call_id }) => call_id));
    expect(errorIn({ text: String(run.items[3]?.output) })).toMatchObject({ kind: 'rejected', note: 'not today' });
    expect(log).toEqual(['say before', 'ask one', 'say between', 'say after']);
  });

  it('can be decided once', async () => {
    const host = createToolHost({ tools: allTools });
    const { pending } = await runOpenAiToolCalls(host, calls.slice(1, 2));
    await pending?.decide({ decision: 'approve' });
    await expect(pending?.decide({ decision: 'approve' })).rejects.toThrow('decided before');
    expect(log).toEqual(['ask one']);
  });

  it('that come too late run nothing, and the turn goes on without the call, once', async () => {
    const host = createToolHost({ tools: allTools, approvalTtlMs: 10 });
    const { pending } = await runOpenAiToolCalls(host, calls.slice(1, 3));
    await expect.poll(() => host.approvals.list()).toEqual([]);
    const run = await pending?.decide({ decision: 'approve' });
    expect(errorIn({ text: String(run?.items[0]?.output) })).toMatchObject({ code: 'permission_ask_timeout' });
    expect(run?.items[1]?.output).toBe('between');
    await expect(pending?.decide({ decision: 'approve' })).rejects.toThrow('expired');
    expect(log).toEqual(['say between']);
  });

  it('are not needed where the host itself asks', async () => {
    const host = createToolHost({ tools: allTools, approve: () => ({ decision: 'approve' }) });
    const run = await runOpenAiToolCalls(host, calls);
    expect(run.pending).toBeUndefined();
    expect(run.items).toHaveLength(5);
  });
});
