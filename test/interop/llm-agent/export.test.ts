import { type AgentTool, AgentToolExecutionError } from '@hoangvvo/llm-agent';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { fromLlmAgentTool, type LlmRunState, toLlmAgentTools } from '../../../src/interop/llm-agent/index.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { PropagatingToolError } from '../../../src/tool/propagating-error.js';
import { call, DONE, runAgent } from './agent.js';

function define(execute: Parameters<typeof defineTool>[0]['execute'], more: object = {}) {
  return defineTool({
    name: 't',
    description: 'x',
    input: z.object({ n: z.coerce.number().default(1) }),
    execute,
    ...more,
  });
}

const NO_STATE = undefined as never;

function errorIn(content: readonly unknown[] | undefined): unknown {
  const [part] = (content ?? []) as { text: string }[];
  return JSON.parse(part?.text ?? 'null');
}

describe('toLlmAgentTools', () => {
  it('S1: gives name, description, parameters and execute, and the type of the newer form', () => {
    const tools: AgentTool<unknown>[] = toLlmAgentTools(createToolHost({ tools: [define(() => 1)] }));
    expect(tools).toMatchObject([
      { type: 'function', name: 't', description: 'x', parameters: { type: 'object', properties: { n: {} } } },
    ]);
    expect(tools[0]?.parameters).not.toHaveProperty('$schema');
  });

  it('S3: the host parses the arguments, and tells what is wrong with them', async () => {
    const seen: unknown[] = [];
    const tools = toLlmAgentTools(createToolHost({ tools: [define((args) => void seen.push(args))] }));
    const { results } = await runAgent(
      { tools },
      { turns: [call('c1', 't', { n: '7' }), call('c2', 't', { n: 'x' }), DONE], context: undefined },
    );
    expect(seen).toEqual([{ n: 7 }]);
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true]);
    expect(errorIn(results[1]?.output)).toMatchObject({ kind: 'validation', toolName: 't', issues: [{ path: 'n' }] });
  });

  it('S4: the context of the agent is the tools’ own, by reference', async () => {
    const context = { count: 0 };
    const tool = define((_, ctx) => {
      (ctx.context as typeof context).count += 1;
    });
    const tools = toLlmAgentTools<typeof context>(createToolHost({ tools: [tool] }));
    await runAgent({ tools }, { turns: [call('c1', 't'), call('c2', 't'), DONE], context });
    expect(context.count).toBe(2);
  });

  it('S5, S18: every call of a turn is told its own id, and the messages before the turn', async () => {
    const seen: { toolCallId: string; messages: readonly unknown[] }[] = [];
    const tools = toLlmAgentTools(createToolHost({ tools: [define((_, ctx) => void seen.push(ctx))] }));
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 't', args: {} }));
    await runAgent({ tools }, { turns: [{ calls }, call('d', 't'), DONE], context: undefined });
    expect(seen.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b', 'c', 'd']);
    expect(seen.map(({ messages }) => messages.length)).toEqual([1, 1, 1, 3]);
    expect(seen[2]?.messages).toMatchObject([{ role: 'user' }]);
  });

  it('S20: the newer form’s calls and signal are understood', async () => {
    const ending = new AbortController();
    const state = {
      currentTurn: 1,
      signal: ending.signal,
      getItems: () => [
        { type: 'model', content: [{ type: 'tool-call', tool_call_id: 'h1', call: { type: 'function', name: 't' } }] },
      ],
      getTurnMessages: () => [{ role: 'user' }, { role: 'assistant' }],
    } as unknown as LlmRunState;
    const execute = vi.fn((_args: unknown, _ctx: object) => new Promise(() => {}));
    const [tool] = toLlmAgentTools(createToolHost({ tools: [define(execute)] }));
    const running = tool?.execute({}, undefined, state);
    await expect.poll(() => execute.mock.calls.length).toBe(1);
    expect(execute.mock.calls[0]?.[1]).toMatchObject({ toolCallId: 'h1', messages: [{ role: 'user' }] });
    ending.abort();
    await expect(running).resolves.toMatchObject({ is_error: true });
  });

  it.each([
    ['a string', 'hi', 'hi'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['nothing', undefined, 'null'],
  ])('S6: %s is one text', async (_, value, text) => {
    const [tool] = toLlmAgentTools(createToolHost({ tools: [define(() => value)] }));
    await expect(tool?.execute({}, undefined, NO_STATE)).resolves.toEqual({
      content: [{ type: 'text', text }],
      is_error: false,
    });
  });

  it('S9, S10, S19: parts of every kind cross, none is dropped', async () => {
    const content = [
      { type: 'text', text: 'one' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA', width: 2, height: 3 },
      { type: 'audio', mimeType: 'audio/mpeg', data: 'BBBB', transcript: 'hm' },
      { type: 'audio', mimeType: 'audio/unheard', data: 'CCCC' },
      { type: 'file', mimeType: 'text/plain', data: Buffer.from('inside').toString('base64'), name: 'a.txt' },
      { type: 'file', mimeType: 'application/pdf', data: 'DDDD' },
      { type: 'source', source: 'https://x.test', title: 'X', content: [] },
      { type: 'link', uri: 'https://x.test/a', name: 'a', description: 'All', mimeType: 'text/html' },
    ];
    const [tool] = toLlmAgentTools(createToolHost({ tools: [define(() => ({ content }))] }));
    await expect(tool?.execute({}, undefined, NO_STATE)).resolves.toEqual({
      is_error: false,
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', mime_type: 'image/png', data: 'AAAA', width: 2, height: 3 },
        { type: 'audio', format: 'mp3', data: 'BBBB', transcript: 'hm' },
        {
          type: 'source',
          source: 'audio',
          title: 'audio',
          content: [{ type: 'text', text: 'data:audio/unheard;base64,CCCC' }],
        },
        { type: 'source', source: 'a.txt', title: 'a.txt', content: [{ type: 'text', text: 'inside' }] },
        {
          type: 'source',
          source: 'file',
          title: 'file',
          content: [{ type: 'text', text: 'data:application/pdf;base64,DDDD' }],
        },
        { type: 'source', source: 'https://x.test', title: 'X', content: [] },
        {
          type: 'source',
          source: 'https://x.test/a',
          title: 'a',
          content: [{ type: 'text', text: 'a (https://x.test/a, text/html): All' }],
        },
      ],
    });
  });

  it('S7: a failure is a result with is_error, and the run goes on', async () => {
    const tool = define(() => {
      throw new RangeError('too far');
    });
    const { results, inputs } = await runAgent(
      { tools: toLlmAgentTools(createToolHost({ tools: [tool] })) },
      { turns: [call('c1', 't'), DONE], context: undefined },
    );
    expect(results).toMatchObject([{ is_error: true }]);
    expect(errorIn(results[0]?.output)).toEqual({
      error: 'RangeError',
      toolName: 't',
      message: 'too far',
      kind: 'execution',
    });
    expect(inputs).toHaveLength(2);
  });

  it('S8: a PropagatingToolError ends the run with itself as the cause', async () => {
    const error = new PropagatingToolError('stop');
    const tool = define(() => {
      throw error;
    });
    const running = runAgent(
      { tools: toLlmAgentTools(createToolHost({ tools: [tool] })) },
      { turns: [call('c1', 't'), DONE], context: undefined },
    );
    const failure = await running.catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(AgentToolExecutionError);
    expect((failure as Error).cause).toBe(error);
  });

  it('a call that needs approval is rejected where nobody can be asked', async () => {
    const execute = vi.fn();
    const host = createToolHost({ tools: [define(execute, { needsApproval: true })] });
    const [tool] = toLlmAgentTools(host);
    const result = await tool?.execute({}, undefined, NO_STATE);
    expect(result?.is_error).toBe(true);
    expect(errorIn(result?.content)).toMatchObject({ kind: 'rejected' });
    expect(execute).not.toHaveBeenCalled();
    expect(host.approvals.list()).toEqual([]);
  });

  it('it is asked once: by the export’s `approve` in place of the host’s', async () => {
    const ofHost = vi.fn(() => ({ decision: 'approve' as const }));
    const ofExport = vi.fn(() => ({ decision: 'approve' as const }));
    const host = createToolHost({ tools: [define(() => 'ran', { needsApproval: true })], approve: ofHost });
    const [own] = toLlmAgentTools(host);
    await expect(own?.execute({}, undefined, NO_STATE)).resolves.toMatchObject({ is_error: false });
    expect(ofHost).toHaveBeenCalledOnce();
    const [exported] = toLlmAgentTools(host, { approve: ofExport });
    await expect(exported?.execute({}, undefined, NO_STATE)).resolves.toMatchObject({ is_error: false });
    expect(ofHost).toHaveBeenCalledOnce();
    expect(ofExport).toHaveBeenCalledOnce();
  });

  it('a denied tool is not listed; a denied call is an error of kind denied', async () => {
    const host = createToolHost({
      tools: [define(() => 1)],
      permissions: [{ effect: 'deny', tool: 't', args: { n: 13 }, reason: 'unlucky' }],
    });
    const [tool] = toLlmAgentTools(host);
    const result = await tool?.execute({ n: 13 }, undefined, NO_STATE);
    expect(errorIn(result?.content)).toMatchObject({
      kind: 'denied',
      reason: 'unlucky',
    });
    expect(toLlmAgentTools(createToolHost({ tools: [define(() => 1)], permissions: { deny: ['t'] } }))).toEqual([]);
  });

  it('a streaming tool gives its last snapshot', async () => {
    const tool = define(async function* () {
      yield 'a';
      yield 'ab';
    });
    const [exported] = toLlmAgentTools(createToolHost({ tools: [tool] }));
    await expect(exported?.execute({}, undefined, NO_STATE)).resolves.toMatchObject({ content: [{ text: 'ab' }] });
  });

  it('from(to(tool)) is the same tool', () => {
    const tool = define(() => 1);
    const [exported] = toLlmAgentTools(createToolHost({ tools: [tool] }));
    expect(fromLlmAgentTool(exported as never)).toBe(tool);
  });

  it('errors keep their kind and issues, even through a copy of an exported tool', async () => {
    const [exported] = toLlmAgentTools(createToolHost({ tools: [define(() => 1)] }));
    const copy = { ...exported, name: 'copy', parameters: { type: 'object' } };
    const host = createToolHost({ tools: [fromLlmAgentTool(copy as never)] });
    await expect(host.call({ toolName: 'copy', args: { n: 'x' } })).resolves.toMatchObject({
      error: { kind: 'validation', toolName: 'copy', code: 'invalid_input', issues: [{ path: 'n' }] },
    });
  });
});
