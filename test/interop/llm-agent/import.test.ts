import { RunState, tool } from '@hoangvvo/llm-agent';
import { zodTool } from '@hoangvvo/llm-agent/zod';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import {
  type AnyLlmAgentTool,
  type FromLlmAgentToolOptions,
  fromLlmAgentTool,
  toLlmAgentTools,
} from '../../../src/interop/llm-agent/index.js';
import { DetachedRunState } from '../../../src/interop/llm-agent/run-state.js';
import { isPropagatingToolError } from '../../../src/tool/propagating-error.js';
import { call, DONE, runAgent } from './agent.js';
import { createContext, flagContraband, intakeItem, issueReceipt } from './lost-and-found.js';

const OBJECT = { type: 'object', properties: { n: { type: 'number' } } };

function imported(execute: (...args: never[]) => unknown, more: Partial<AnyLlmAgentTool> = {}): AnyLlmAgentTool {
  return { name: 't', description: 'x', parameters: OBJECT, execute, ...more };
}

function run(agentTool: AnyLlmAgentTool, args: unknown = {}, options: FromLlmAgentToolOptions = {}) {
  return createToolHost({ tools: [fromLlmAgentTool(agentTool, options)] }).call({
    toolName: agentTool.name ?? 't',
    toolCallId: 'c1',
    args,
  });
}

const text = (value: string, is_error = false) => ({ content: [{ type: 'text', text: value }], is_error });

describe('fromLlmAgentTool', () => {
  it('S1, S11: takes tools of both forms, with and without a type', async () => {
    await expect(run(imported(() => text('a')))).resolves.toMatchObject({ output: 'a' });
    await expect(run(imported(() => text('b'), { type: 'function' }))).resolves.toMatchObject({ output: 'b' });
    const made = tool({ name: 't', description: 'x', parameters: OBJECT, execute: () => text('c') as never });
    await expect(run(made as AnyLlmAgentTool)).resolves.toMatchObject({ output: 'c' });
  });

  it('S2: parameters that are no object’s schema are refused, naming the tool', () => {
    for (const parameters of [undefined, { type: 'string' }, {}, { type: ['object', 'null'] }]) {
      expect(() => fromLlmAgentTool(imported(() => text(''), { parameters }))).toThrow(/'t'.*"object"/);
    }
  });

  it('S2: what zodTool makes of zod 4 is refused, with the reason', () => {
    const broken = zodTool({
      name: 'broken',
      description: 'x',
      parameters: z.object({ a: z.string() }) as never,
      execute: () => text('') as never,
    });
    expect(() => fromLlmAgentTool(broken as AnyLlmAgentTool)).toThrow(/'broken'.*zod 4/);
  });

  it('S3: arguments are checked, unless told not to', async () => {
    const execute = vi.fn((_args: object) => text('ran'));
    await expect(run(imported(execute), { n: 'x' })).resolves.toMatchObject({ error: { kind: 'validation' } });
    expect(execute).not.toHaveBeenCalled();
    await expect(run(imported(execute), { n: 'x' }, { validate: false })).resolves.toMatchObject({ output: 'ran' });
    expect(execute.mock.calls[0]?.[0]).toEqual({ n: 'x' });
  });

  it('S4: the context is the caller’s own object: of the import, of the call, of the host', async () => {
    const context = {};
    const execute = vi.fn((_args: object, _ctx: object) => text('ok'));
    await run(imported(execute), {}, { context });
    const ofHost = createToolHost({ tools: [fromLlmAgentTool(imported(execute))], context });
    await ofHost.call({ toolName: 't', args: {} });
    await createToolHost({ tools: [fromLlmAgentTool(imported(execute))] }).call(
      { toolName: 't', args: {} },
      { context },
    );
    expect(execute).toHaveBeenCalledTimes(3);
    for (const [, given] of execute.mock.calls) expect(given).toBe(context);
  });

  it('S5: the state is llm-agent’s own class, with the messages and the signal of the call', async () => {
    const execute = vi.fn((_args: object, _ctx: object, _state: RunState & { signal?: AbortSignal }) => text('ok'));
    const host = createToolHost({ tools: [fromLlmAgentTool(imported(execute))] });
    const { signal } = new AbortController();
    const message = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
    await host.call({ toolName: 't', args: {} }, { messages: [message], signal });
    const state = execute.mock.calls[0]?.[2];
    expect(state).toBeInstanceOf(RunState);
    expect(state?.getItems()).toEqual([{ type: 'message', ...message }]);
    expect(state?.getTurnMessages()).toEqual([message]);
    expect(state?.signal).toBe(signal);
  });

  it('S5: where llm-agent is not installed the state has its members', () => {
    const items = [{ type: 'message', role: 'user', content: [] }];
    const ours = new DetachedRunState(items, 1);
    const theirs = new RunState(items as never, 1);
    expect(ours.getItems()).toEqual(theirs.getItems());
    const response = { content: [] };
    expect(ours.appendModelResponse(response)).toEqual(theirs.appendModelResponse(response));
    expect(ours.appendItem({ type: 'message' })).toBe(theirs.appendItem({ type: 'message' } as never));
    expect(ours.createResponse([])).toEqual(theirs.createResponse([]));
    ours.turn();
    theirs.turn();
    expect(ours.currentTurn).toBe(theirs.currentTurn);
    expect(() => theirs.turn()).toThrow();
    expect(() => ours.turn()).toThrow('1 turns');
  });

  it('S6: one text is a string, more are parts', async () => {
    const two = { content: [...text('a').content, ...text('b').content], is_error: false };
    await expect(run(imported(async () => text('a')))).resolves.toMatchObject({ output: 'a' });
    await expect(run(imported(() => two))).resolves.toMatchObject({ output: { content: two.content } });
    await expect(run(imported(() => ({ content: [], is_error: false })))).resolves.toMatchObject({ output: '' });
  });

  it('S6: an answer of another shape is an error that says so', async () => {
    await expect(
      run(
        imported(() => 'plain'),
        {},
        { onThrow: 'result' },
      ),
    ).resolves.toMatchObject({
      error: { kind: 'execution', message: expect.stringContaining('{ content, is_error }') },
    });
  });

  it('S7: is_error is an error of kind execution, with its text and its parts', async () => {
    const content = [
      { type: 'text', text: 'first' },
      { type: 'image', mime_type: 'image/png', data: 'AAAA' },
      { type: 'text', text: 'second' },
    ];
    await expect(run(imported(() => ({ content, is_error: true })))).resolves.toMatchObject({
      status: 'error',
      error: { kind: 'execution', error: 'Error', toolName: 't', message: 'first\nsecond' },
      content: [content[0], { type: 'image', mimeType: 'image/png', data: 'AAAA' }, content[2]],
    });
  });

  it('S7: the message is capped, the parts are whole', async () => {
    const outcome = await run(imported(() => text('x'.repeat(5_000), true)));
    expect(outcome).toMatchObject({ error: { message: `${'x'.repeat(2_000)}... (truncated)` } });
    expect(outcome).toMatchObject({ content: [{ text: 'x'.repeat(5_000) }] });
  });

  it('S8: a throw ends the run, with what was thrown as its cause; or is a result where told so', async () => {
    const thrown = new RangeError('too far');
    const throws = imported(() => {
      throw thrown;
    });
    const failure = await run(throws).catch((error: unknown) => error);
    expect(isPropagatingToolError(failure)).toBe(true);
    expect((failure as Error).cause).toBe(thrown);
    await expect(run(throws, {}, { onThrow: 'result' })).resolves.toMatchObject({
      error: { error: 'RangeError', kind: 'execution', message: 'too far' },
    });
  });

  it('S9: parts of a model’s turn are no result', async () => {
    for (const type of ['reasoning', 'tool-call', 'tool-result']) {
      await expect(run(imported(() => ({ content: [{ type }], is_error: false })))).resolves.toMatchObject({
        error: { kind: 'execution', message: expect.stringContaining(`'${type}'`) },
      });
    }
  });

  it('S9, S10: text, image, audio and source come back with all they had', async () => {
    const formats = ['wav', 'mp3', 'linear16', 'flac', 'mulaw', 'alaw', 'aac', 'opus'];
    const content = [
      { type: 'text', text: 'cited', citations: [{ source: 's', start_index: 0, end_index: 1 }] },
      { type: 'image', mime_type: 'image/png', data: 'AAAA', width: 1, height: 2, id: 'i1' },
      ...formats.map((format) => ({
        type: 'audio',
        format,
        data: 'BBBB',
        sample_rate: 8_000,
        channels: 1,
        transcript: 'hm',
        id: format,
      })),
      { type: 'source', source: 'https://x.test', title: 'X', content: [{ type: 'text', text: 'in' }] },
    ];
    const host = createToolHost({ tools: [fromLlmAgentTool(imported(() => ({ content, is_error: false })))] });
    const [exported] = toLlmAgentTools(host);
    await expect(exported?.execute({}, undefined, undefined as never)).resolves.toEqual({ content, is_error: false });
  });

  it('S12: null is taken for an optional field where the schema lists it', async () => {
    const context = createContext();
    context.intakeLedger.set('a', { description: 'x', priority: 'standard' });
    const args = { item_id: 'a', reason: 'odd', severity: null };
    await expect(run(flagContraband as AnyLlmAgentTool, args, { context })).resolves.toMatchObject({ status: 'ok' });
    await expect(run(flagContraband as AnyLlmAgentTool, { ...args, reason: null }, { context })).resolves.toMatchObject(
      { error: { kind: 'validation' } },
    );
  });

  it('S13: symbols on a schema, as TypeBox has them, are left behind', async () => {
    const kind = Symbol.for('TypeBox.Kind');
    const property = Object.defineProperty({ type: 'number' }, '~kind', { value: 'Number' });
    const parameters = { [kind]: 'Object', type: 'object', properties: { n: { ...property, [kind]: 'Number' } } };
    const agentTool = imported(() => text('ok'), { parameters });
    const [listed] = createToolHost({ tools: [fromLlmAgentTool(agentTool)] }).tools();
    expect(listed?.inputSchema).toEqual({ type: 'object', properties: { n: { type: 'number' } } });
    expect(Object.getOwnPropertySymbols(listed?.inputSchema ?? {})).toEqual([]);
    await expect(run(agentTool, { n: 'x' })).resolves.toMatchObject({ error: { kind: 'validation' } });
  });

  it('S14: two tools of one name are refused', () => {
    const tools = [fromLlmAgentTool(imported(() => text('a'))), fromLlmAgentTool(imported(() => text('b')))];
    expect(() => createToolHost({ tools })).toThrow("'t' is already registered");
  });

  it('S15: a tool that runs at the provider is refused, naming its type', () => {
    expect(() => fromLlmAgentTool({ type: 'web_search' })).toThrow("'web_search'");
  });

  it('a bad name, no execute, and no tool at all are refused', () => {
    expect(() => fromLlmAgentTool(imported(() => text(''), { name: 'has space' }))).toThrow('"has_space"');
    expect(() => fromLlmAgentTool({ name: 't', parameters: OBJECT })).toThrow(/'t'.*execute/);
    expect(() => fromLlmAgentTool(undefined as never)).toThrow(TypeError);
    expect(() => fromLlmAgentTool(imported(() => text(''), { parameters: { type: 'object', properties: 5 } }))).toThrow(
      /'t'/,
    );
  });

  it('class-based tools keep their `this`', async () => {
    class Counter {
      #count = 41;
      name = 't';
      parameters = OBJECT;
      execute() {
        this.#count += 1;
        return text(`${this.#count}`);
      }
    }
    await expect(run(new Counter())).resolves.toMatchObject({ output: '42' });
  });

  it('S5: called by an agent it gets the agent’s own state', async () => {
    const states: unknown[] = [];
    const look = imported((_args: never, _ctx: never, state: never) => {
      states.push(state);
      return text('ok');
    });
    const tools = toLlmAgentTools(createToolHost({ tools: [fromLlmAgentTool(look)] }));
    await runAgent({ tools }, { turns: [call('c1', 't'), call('c2', 't'), DONE], context: undefined });
    expect(states[0]).toBeInstanceOf(RunState);
    expect(states[1]).toBe(states[0]);
    expect((states[1] as RunState).currentTurn).toBeGreaterThan(1);
  });
});

describe('the lost-and-found desk', () => {
  const TOOLS = [intakeItem, flagContraband, issueReceipt];
  const TURNS = [
    {
      calls: [
        { id: 'c1', name: 'intake_item', args: { item_id: 'L1', description: 'Chrono Locket', priority: 'rush' } },
        {
          id: 'c2',
          name: 'intake_item',
          args: { item_id: 'S1', description: 'Folded star chart', priority: 'standard' },
        },
        { id: 'c3', name: 'flag_contraband', args: { item_id: 'S1', reason: 'restricted map', severity: null } },
      ],
    },
    call('c4', 'issue_receipt', { traveller: 'Captain Lyra Moreno' }),
    DONE,
  ];

  function throughHost() {
    return toLlmAgentTools<ReturnType<typeof createContext>>(
      createToolHost({ tools: TOOLS.map((agentTool) => fromLlmAgentTool(agentTool as AnyLlmAgentTool)) }),
    );
  }

  it('S4, S6: runs through the host as it runs without', async () => {
    const direct = await runAgent({ tools: TOOLS }, { turns: TURNS, context: createContext() });
    const hosted = await runAgent({ tools: throughHost() }, { turns: TURNS, context: createContext() });
    expect(hosted.results).toEqual(direct.results);
    expect(hosted.results).toHaveLength(4);
    expect(hosted.results[3]?.output).toEqual([
      {
        type: 'text',
        text: [
          'Receipt for Captain Lyra Moreno on manifest aurora-shift:',
          'Cleared items: l1 (Chrono Locket)',
          'Notes:',
          'L1: Chrono Locket (rush intake)',
          'S1: Folded star chart',
          'S1 held for review: restricted map',
          '1 item(s) require contraband follow-up.',
        ].join('\n'),
      },
    ]);
    expect(hosted.inputs.at(-1)?.messages).toEqual(direct.inputs.at(-1)?.messages);
  });

  it('S7: a receipt for nothing is a failure the agent goes on from, in the tool’s own words', async () => {
    const turns = [call('c1', 'issue_receipt', { traveller: 'Nobody' }), DONE];
    const { results, inputs } = await runAgent({ tools: throughHost() }, { turns, context: createContext() });
    expect(results).toMatchObject([
      { is_error: true, output: [{ type: 'text', text: 'No items pending on manifest aurora-shift' }] },
    ]);
    expect(inputs).toHaveLength(2);
  });
});
