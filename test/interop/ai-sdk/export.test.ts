import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { HostToolError, toAiSdkTools } from '../../../src/interop/ai-sdk/index.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { fromJsonSchema } from '../../../src/tool/from-json-schema.js';
import { PropagatingToolError } from '../../../src/tool/propagating-error.js';
import { call, DONE, modelSees, RUNS, resultOf, toolErrorOf } from './sdks.js';

const echo = defineTool({
  name: 'echo',
  description: 'Says it again',
  displayName: 'Echo',
  input: z.object({ text: z.string() }),
  execute: ({ text }) => text,
});

const PNG = 'iVBORw0KGgo=';

describe.each(RUNS)('tools exported to $label', ({ run, version, isStream }) => {
  it('A1, A2: name, description and title reach the model and its events', async () => {
    const tools = toAiSdkTools(createToolHost({ tools: [echo] }));
    const { listed } = await run({ tools, turns: [DONE] });
    expect(listed).toMatchObject([{ type: 'function', name: 'echo', description: 'Says it again' }]);
    expect(tools.echo).toMatchObject({ title: 'Echo', metadata: { displayName: 'Echo' } });
  });

  it('A3: arguments are parsed once, by the host alone, whatever the schema does', async () => {
    let seen: unknown;
    const tool = defineTool({
      name: 'measure',
      description: 'Measures a text',
      input: z.object({ n: z.coerce.number().default(3), s: z.string().transform((text) => text.length) }),
      execute: (args) => {
        seen = args;
        return args;
      },
    });
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c1', 'measure', { s: 'abc' }), DONE],
    });
    expect(seen).toEqual({ n: 3, s: 3 });
    expect(resultOf(outcome, 'c1')?.output).toEqual({ n: 3, s: 3 });
  });

  it('A3: invalid arguments come back as the host tells them, with the issues', async () => {
    const tools = toAiSdkTools(createToolHost({ tools: [echo] }));
    const outcome = await run({ tools, turns: [call('c1', 'echo', { text: 5 }), DONE] });
    expect(resultOf(outcome, 'c1')?.error).toBeInstanceOf(HostToolError);
    expect(toolErrorOf(outcome, 'c1')).toMatchObject({ kind: 'validation', issues: [{ path: 'text' }] });
  });

  it('A5: schemas are listed as they were declared', async () => {
    const schema = { type: 'object' as const, properties: { a: { type: 'object', properties: {} } } };
    const tool = defineTool({ name: 'open', description: 'x', input: fromJsonSchema(schema), execute: () => 1 });
    const { listed } = await run({ tools: toAiSdkTools(createToolHost({ tools: [tool] })), turns: [DONE] });
    expect(listed[0]?.inputSchema).toEqual(schema);
  });

  it('A6: an output that breaks its schema is an error, and the schema is carried', async () => {
    const tool = defineTool({
      name: 'count',
      description: 'Counts',
      input: z.object({}),
      output: z.object({ n: z.number() }),
      execute: () => ({ n: 'many' }) as unknown as { n: number },
    });
    const tools = toAiSdkTools(createToolHost({ tools: [tool] }));
    const outcome = await run({ tools, turns: [call('c1', 'count'), DONE] });
    expect(toolErrorOf(outcome, 'c1')).toMatchObject({
      error: 'ToolOutputValidationError',
      kind: 'execution',
    });
    expect(tools.count?.outputSchema?.['~standard'].jsonSchema.output()).toMatchObject({
      properties: { n: { type: 'number' } },
    });
  });

  it('A10: every snapshot is a preliminary result, the last one is repeated as the result', async () => {
    const tool = defineTool({
      name: 'steps',
      description: 'Counts to three',
      input: z.object({}),
      execute: async function* () {
        for (const n of [1, 2, 3]) yield { n };
      },
    });
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c1', 'steps'), DONE],
    });
    const results = outcome.parts.filter(({ type }) => type === 'tool-result');
    expect(results.at(-1)?.output).toEqual({ n: 3 });
    if (isStream) {
      expect(results.map(({ output, preliminary }) => [output, preliminary === true])).toEqual([
        [{ n: 1 }, true],
        [{ n: 2 }, true],
        [{ n: 3 }, true],
        [{ n: 3 }, false],
      ]);
    }
  });

  it('A10: a tool that does not stream has no preliminary results', async () => {
    const tools = toAiSdkTools(createToolHost({ tools: [echo] }));
    const { parts } = await run({ tools, turns: [call('c1', 'echo', { text: 'hi' }), DONE] });
    expect(parts.filter(({ type }) => type === 'tool-result')).toHaveLength(1);
  });

  it('A10: a stream that fails after snapshots is an error', async () => {
    const tool = defineTool({
      name: 'breaks',
      description: 'Breaks',
      input: z.object({}),
      execute: async function* () {
        yield 1;
        throw new RangeError('too far');
      },
    });
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c1', 'breaks'), DONE],
    });
    expect(toolErrorOf(outcome, 'c1')).toMatchObject({
      error: 'RangeError',
      message: 'too far',
    });
  });

  it('A11, A15, A19, A20: examples, strictness, provider options and metadata are carried', async () => {
    const tool = defineTool({
      name: 'carries',
      description: 'x',
      input: z.object({ a: z.string() }),
      inputExamples: [{ input: { a: 'b' } }],
      strict: true,
      providerOptions: { acme: { cache: true } },
      metadata: { team: 'tools' },
      annotations: { readOnlyHint: true },
      execute: () => 1,
    });
    const tools = toAiSdkTools(createToolHost({ tools: [tool] }));
    const { listed } = await run({ tools, turns: [DONE] });
    expect(listed[0]).toMatchObject({
      inputExamples: [{ input: { a: 'b' } }],
      strict: true,
      providerOptions: { acme: { cache: true } },
    });
    expect(tools.carries?.metadata).toEqual({
      team: 'tools',
      displayName: 'carries',
      mcp: { annotations: { readOnlyHint: true } },
    });
  });

  it('A18: parts become content, in the words of this version, without a warning', async () => {
    const parts = [
      { type: 'text', text: 'a picture' },
      { type: 'image', mimeType: 'image/png', data: PNG },
      { type: 'file', mimeType: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' },
      { type: 'source', source: 'https://x.test', title: 'X', content: [{ type: 'text', text: 'inside' }] },
      { type: 'link', uri: 'https://x.test/a', name: 'a', description: 'All', mimeType: 'text/html' },
    ];
    const tool = defineTool({
      name: 'look',
      description: 'x',
      input: z.object({}),
      execute: () => ({ content: parts }),
    });
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c1', 'look'), DONE],
    });
    const image =
      version === 7
        ? { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image/png' }
        : { type: 'image-data', data: PNG, mediaType: 'image/png' };
    const pdf =
      version === 7
        ? { type: 'file', data: { type: 'data', data: 'JVBERg==' }, mediaType: 'application/pdf', filename: 'a.pdf' }
        : { type: 'file-data', data: 'JVBERg==', mediaType: 'application/pdf', filename: 'a.pdf' };
    expect(modelSees(outcome, 'c1')).toMatchObject({
      type: 'content',
      value: [
        { type: 'text', text: 'a picture' },
        image,
        pdf,
        { type: 'text', text: 'X (https://x.test)' },
        { type: 'text', text: 'inside' },
        { type: 'text', text: 'a (https://x.test/a, text/html): All' },
      ],
    });
  });

  it('A16: the host is told of the input of its own tools as the AI SDK streams it', async () => {
    const events: string[] = [];
    const tool = defineTool({ name: 't', description: 'x', input: z.object({ n: z.number() }), execute: () => 1 });
    const host = createToolHost({
      tools: [tool],
      onEvent: (event) => events.push(event.type === 'input.delta' ? `delta ${event.text}` : event.type),
    });
    await run({ tools: toAiSdkTools(host), turns: [call('c1', 't', { n: 1 }), DONE] });
    const deltas = isStream ? ['delta {', 'delta "n":1}'] : [];
    expect(events.slice(0, events.indexOf('call.parsed'))).toEqual(['input.started', ...deltas, 'call.started']);
  });

  it('A9: a value, a promise and a generator give the same result', async () => {
    const kinds = {
      value: () => ({ n: 1 }),
      promise: async () => ({ n: 1 }),
      async *generator() {
        yield { n: 0 };
        yield { n: 1 };
      },
    };
    const tools = Object.entries(kinds).map(([name, execute]) =>
      defineTool({ name, description: 'x', input: z.object({}), execute: execute as () => unknown }),
    );
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools })),
      turns: [...Object.keys(kinds).map((name) => call(name, name)), DONE],
    });
    for (const name of Object.keys(kinds)) expect(resultOf(outcome, name)?.output).toEqual({ n: 1 });
  });

  it('A21: the tool sees id, messages and signal of the AI SDK', async () => {
    let seen: { toolCallId: string; messages: readonly unknown[]; abortSignal?: AbortSignal } | undefined;
    const tool = defineTool({
      name: 'look',
      description: 'x',
      input: z.object({}),
      execute: (_, ctx) => {
        seen = ctx;
        return 1;
      },
    });
    await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c7', 'look'), DONE],
      abortSignal: new AbortController().signal,
    });
    expect(seen?.toolCallId).toBe('c7');
    expect(seen?.messages).toMatchObject([{ role: 'user' }]);
    expect(seen?.abortSignal?.aborted).toBe(false);
  });

  it('A22: the context of the call takes the place of the host’s, by reference', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 'look',
      description: 'x',
      input: z.object({}),
      execute: (_, ctx) => {
        seen.push(ctx.context);
        return 1;
      },
    });
    const tools = toAiSdkTools(createToolHost({ tools: [tool], context: 'of the host' }));
    const context = { user: 'ada' };
    await run({ tools, turns: [call('c1', 'look'), DONE] });
    await run({
      tools,
      turns: [call('c1', 'look'), DONE],
      ...(version === 7 ? { toolsContext: { look: context } } : { experimental_context: context }),
    });
    expect(seen).toEqual(['of the host', context]);
    expect(seen[1]).toBe(context);
  });

  it('A28: a string is text, anything else JSON, nothing is null', async () => {
    const returns = (name: string, value: unknown) =>
      defineTool({ name, description: 'x', input: z.object({}), execute: () => value });
    const host = createToolHost({ tools: [returns('s', 'hi'), returns('j', { a: [1] }), returns('u', undefined)] });
    const outcome = await run({
      tools: toAiSdkTools(host),
      turns: [
        {
          calls: ['s', 'j', 'u'].map((name) => ({ id: name, name, args: {} })),
        },
        DONE,
      ],
    });
    expect(modelSees(outcome, 's')).toEqual({ type: 'text', value: 'hi' });
    expect(modelSees(outcome, 'j')).toEqual({ type: 'json', value: { a: [1] } });
    expect(modelSees(outcome, 'u')).toEqual({ type: 'json', value: null });
  });

  it('A29: the model reads the very error of the host, and nothing of the stack', async () => {
    const tool = defineTool({
      name: 'fails',
      description: 'x',
      input: z.object({}),
      execute: () => {
        throw new RangeError('out of range');
      },
    });
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c1', 'fails'), DONE],
    });
    const output = modelSees(outcome, 'c1') as { type: string; value: string };
    expect(output.type).toBe('error-text');
    expect(JSON.parse(output.value)).toEqual({
      error: 'RangeError',
      toolName: 'fails',
      message: 'out of range',
      kind: 'execution',
    });
  });

  it('A29: with errors as values the model sees the object, and the run goes on', async () => {
    const tool = defineTool({
      name: 'fails',
      description: 'x',
      input: z.object({}),
      execute: () => {
        throw new Error('no');
      },
    });
    const tools = toAiSdkTools(createToolHost({ tools: [tool] }), { errors: 'value' });
    const outcome = await run({ tools, turns: [call('c1', 'fails'), DONE] });
    expect(modelSees(outcome, 'c1')).toMatchObject({ type: 'error-json', value: { kind: 'execution', message: 'no' } });
  });

  it('A29: an unknown tool is told by the AI SDK, and the run goes on', async () => {
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [echo] })),
      turns: [call('c1', 'toString'), DONE],
    });
    expect(JSON.stringify(modelSees(outcome, 'c1'))).toContain('toString');
    expect(outcome.prompts).toHaveLength(2);
  });

  it('A30: results are in the order of the calls', async () => {
    const tool = defineTool({
      name: 'wait',
      description: 'x',
      input: z.object({ ms: z.number() }),
      execute: async ({ ms }) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return ms;
      },
    });
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [{ calls: [30, 1, 10].map((ms) => ({ id: `c${ms}`, name: 'wait', args: { ms } })) }, DONE],
    });
    const told = outcome.prompts.at(-1)?.filter(({ role }) => role === 'tool');
    expect(told?.flatMap(({ content }) => content.map(({ toolCallId }) => toolCallId))).toEqual(['c30', 'c1', 'c10']);
  });

  it('tools named like members of Object can be called', async () => {
    const names = ['constructor', '__proto__', 'toString'];
    const tools = names.map((name) => defineTool({ name, description: 'x', input: z.object({}), execute: () => name }));
    const set = toAiSdkTools(createToolHost({ tools }));
    expect(Object.keys(set)).toEqual(names);
    const outcome = await run({ tools: set, turns: [call('c1', 'constructor'), DONE] });
    expect(resultOf(outcome, 'c1')?.output).toBe('constructor');
  });

  it('a result that JSON cannot hold does not end the run', async () => {
    const tool = defineTool({ name: 'big', description: 'x', input: z.object({}), execute: () => ({ n: 1n }) });
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c1', 'big'), DONE],
    });
    expect(toolErrorOf(outcome, 'c1')?.kind).toBe('execution');
  });
});

describe.each(RUNS)('a tool of the AI SDK registered as it is, through $label', ({ run }) => {
  it('A8, A17: keeps its `this` when it runs and when its result is shown', async () => {
    class Counter {
      #count = 41;
      description = 'Counts';
      inputSchema = z.object({});
      execute() {
        this.#count += 1;
        return this.#count;
      }
      toModelOutput({ output }: { output: unknown }) {
        return { type: 'text', value: `${this.#count} is ${output}` };
      }
    }
    const host = createToolHost();
    host.registry.register('count', new Counter());
    const outcome = await run({ tools: toAiSdkTools(host), turns: [call('c1', 'count'), DONE] });
    expect(modelSees(outcome, 'c1')).toEqual({ type: 'text', value: '42 is 42' });
  });
});

describe('a PropagatingToolError', () => {
  it.each(RUNS.filter(({ isStream }) => !isStream))('ends the run of $label through onPropagate', async ({ run }) => {
    const error = new PropagatingToolError('stop everything');
    const tool = defineTool({
      name: 'stops',
      description: 'x',
      input: z.object({}),
      execute: () => {
        throw error;
      },
    });
    const ending = new AbortController();
    const tools = toAiSdkTools(createToolHost({ tools: [tool] }), { onPropagate: (reason) => ending.abort(reason) });
    await expect(run({ tools, turns: [call('c1', 'stops'), DONE], abortSignal: ending.signal })).rejects.toBe(error);
  });
});

describe('abort', () => {
  it('A31: the time of a tool ends the call in the host', async () => {
    let reason: unknown;
    const tool = defineTool({
      name: 'hangs',
      description: 'x',
      input: z.object({}),
      execute: (_, { abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => {
            reason = abortSignal.reason;
            reject(abortSignal.reason);
          });
        }),
    });
    const run = RUNS.find(({ label }) => label === 'v7 generateText')?.run;
    const outcome = await run?.({
      tools: toAiSdkTools(createToolHost({ tools: [tool] })),
      turns: [call('c1', 'hangs'), DONE],
      timeout: { toolMs: 50 },
    });
    expect(reason).toBeDefined();
    expect(outcome && resultOf(outcome, 'c1')?.type).toBe('tool-error');
  });

  it('a reader that leaves a stream ends the call', async () => {
    let wasEnded = false;
    const tool = defineTool({
      name: 'ticks',
      description: 'x',
      input: z.object({}),
      execute: async function* () {
        try {
          for (let n = 0; ; n += 1) {
            yield n;
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        } finally {
          wasEnded = true;
        }
      },
    });
    const { ticks } = toAiSdkTools(createToolHost({ tools: [tool] }));
    const stream = ticks?.execute({}, { toolCallId: 'c1', messages: [] }) as AsyncIterable<number>;
    for await (const n of stream) {
      if (n === 2) break;
    }
    await expect.poll(() => wasEnded).toBe(true);
  });
});

describe('a call by hand, without options', () => {
  it('runs, with an id of the host', async () => {
    const tools = toAiSdkTools(createToolHost({ tools: [echo] }));
    await expect(Promise.resolve(tools.echo?.execute({ text: 'hi' }, undefined as never))).resolves.toBe('hi');
  });
});
