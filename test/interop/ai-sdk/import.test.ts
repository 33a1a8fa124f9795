import * as ai6 from 'ai';
import * as ai7 from 'ai7';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { z as zod3 } from 'zod3';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import {
  type AnyAiSdkTool,
  type FromAiSdkToolOptions,
  fromAiSdkTool,
  fromAiSdkTools,
  HostToolError,
  loadAiSdkTools,
  toAiSdkTools,
} from '../../../src/interop/ai-sdk/index.js';
import { toLlmAgentTools } from '../../../src/interop/llm-agent/index.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import type { NamedTool } from '../../../src/tool/registry.js';
import { call, DONE, modelSees, RUNS, resultOf } from './sdks.js';

const VERSIONS = [
  { version: 6, ai: ai6 as unknown as typeof ai7 },
  { version: 7, ai: ai7 },
];

function hostOf(tool: AnyAiSdkTool, options: FromAiSdkToolOptions & { hostContext?: unknown } = {}) {
  const { hostContext, ...imported } = options;
  return createToolHost({
    tools: [fromAiSdkTool('t', tool, imported)],
    ...(hostContext === undefined ? {} : { context: hostContext }),
  });
}

async function outputOf(tool: AnyAiSdkTool, args: unknown = {}, options: FromAiSdkToolOptions = {}) {
  const outcome = await hostOf(tool, options).call({ toolName: 't', args });
  return outcome.status === 'ok' ? outcome.output : outcome;
}

describe.each(VERSIONS)('tools imported from the AI SDK $version', ({ ai }) => {
  const { tool, jsonSchema } = ai;

  it('A1: a description that cannot be told is named at import, and later on spoils no listing', () => {
    const toldBy = (description: (options: never) => string) =>
      ({ description, inputSchema: z.object({}), execute: () => 1 }) as AnyAiSdkTool;
    const ofUser = toldBy(({ context }: { context: { user: { name: string } } }) => `Writes to ${context.user.name}`);
    expect(() => fromAiSdkTool('mail', ofUser, { context: {} })).toThrow(
      /^Cannot import tool 'mail': its description function failed: .*Give the import the 'context' it reads$/,
    );
    expect(() => createToolHost({ tools: [fromAiSdkTool('mail', ofUser)] })).toThrow(
      /^Cannot describe tool 'mail': its description function failed: .*Give createToolHost the 'context' it reads$/,
    );
    const context: { user?: { name: string } } = { user: { name: 'Ada' } };
    const host = createToolHost({ tools: [fromAiSdkTool('mail', ofUser, { context })] });
    expect(host.tools()).toMatchObject([{ description: 'Writes to Ada' }]);
    context.user = { name: 'Bo' };
    expect(host.tools()).toMatchObject([{ description: 'Writes to Bo' }]);
    delete context.user;
    expect(host.tools()).toMatchObject([{ description: 'Writes to Bo' }]);
  });

  it('A1: a tool without a description gets one', () => {
    const bare = tool({ title: 'Does it', inputSchema: z.object({}), execute: () => 1 });
    expect(hostOf(bare).tools()).toMatchObject([{ name: 't', displayName: 'Does it', description: 'Does it' }]);
  });

  it('A2: the title is the display name', () => {
    const titled = tool({ title: 'Weather', description: 'Says it', inputSchema: z.object({}), execute: () => 1 });
    expect(hostOf(titled).tools()).toMatchObject([{ displayName: 'Weather', description: 'Says it' }]);
  });

  it.each([
    ['zod 4', z.object({ n: z.coerce.number() })],
    ['zod 3', zod3.object({ n: zod3.coerce.number() })],
    ['zod mini', mini.object({ n: mini.coerce.number() })],
    ['ArkType', type({ n: 'string.numeric.parse' })],
    ['zodSchema()', ai.zodSchema(z.object({ n: z.coerce.number() }))],
    ['lazySchema()', () => ai.zodSchema(z.object({ n: z.coerce.number() }))],
  ])('A3: takes %s, checks by it and parses once', async (_, inputSchema) => {
    const execute = vi.fn((args: unknown) => args);
    const imported = tool({ description: 'x', inputSchema: inputSchema as never, execute: execute as never });
    expect(await outputOf(imported as AnyAiSdkTool, { n: '7' })).toEqual({ n: 7 });
    expect(await outputOf(imported as AnyAiSdkTool, { n: 'x' })).toMatchObject({ error: { kind: 'validation' } });
    expect(execute).toHaveBeenCalledOnce();
  });

  it('A3: takes jsonSchema(), and checks by it even where it brings no check of its own', async () => {
    const inputSchema = jsonSchema<{ n: number }>({
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    });
    const imported = tool({ description: 'x', inputSchema, execute: ({ n }) => n + 1 });
    expect(await outputOf(imported, { n: 1 })).toBe(2);
    expect(await outputOf(imported, {})).toMatchObject({ error: { issues: [{ path: 'n', message: 'Required' }] } });
  });

  it('A3: takes jsonSchema() of a function', async () => {
    const inputSchema = jsonSchema(() => ({ type: 'object' as const, properties: {} }));
    expect(await outputOf(tool({ description: 'x', inputSchema, execute: () => 'ok' }))).toBe('ok');
  });

  it('A4: a JSON Schema that is a promise is refused at once, and awaited by loadAiSdkTools', async () => {
    const inputSchema = jsonSchema(Promise.resolve({ type: 'object' as const, properties: { a: {} } }));
    const pending = tool({ description: 'x', inputSchema, execute: () => 'ok' });
    expect(() => fromAiSdkTool('t', pending)).toThrow(/'t'.*loadAiSdkTools/);
    const host = createToolHost({ tools: await loadAiSdkTools({ t: pending, u: pending }) });
    expect(host.tools().map(({ inputSchema: schema }) => schema)).toMatchObject([
      { properties: { a: {} } },
      { properties: { a: {} } },
    ]);
    await expect(host.call({ toolName: 't', args: {} })).resolves.toMatchObject({ output: 'ok' });
  });

  it('A6: an output that breaks outputSchema is an error', async () => {
    const imported = tool({
      description: 'x',
      inputSchema: z.object({}),
      outputSchema: z.object({ n: z.number() }),
      execute: () => ({ n: 'no' }) as unknown as { n: number },
    });
    expect(await outputOf(imported)).toMatchObject({
      error: { error: 'ToolOutputValidationError', kind: 'execution' },
    });
    expect(hostOf(imported).tools()[0]?.outputSchema).toMatchObject({ properties: { n: { type: 'number' } } });
  });

  it('A7: a tool without execute is refused, or listed and answered with an error', async () => {
    const clientSide = tool({
      description: 'x',
      inputSchema: z.object({}),
      outputSchema: z.object({}),
    }) as AnyAiSdkTool;
    expect(() => fromAiSdkTool('ask_user', clientSide)).toThrow(/'ask_user'.*'execute'.*clientSide/);
    const host = hostOf(clientSide, { clientSide: true });
    expect(host.tools()).toHaveLength(1);
    await expect(host.call({ toolName: 't', args: {} })).resolves.toMatchObject({
      error: { error: 'ClientSideToolError', kind: 'execution' },
    });
    expect(toAiSdkTools(host).t).not.toHaveProperty('execute');
  });

  it('A8: class-based tools keep their `this`', async () => {
    class Counter {
      #count = 0;
      description = 'Counts';
      inputSchema = z.object({});
      execute() {
        this.#count += 1;
        return this.#count;
      }
      needsApproval() {
        return this.#count > 1;
      }
      toModelOutput() {
        return { type: 'text', value: `${this.#count}` };
      }
    }
    const host = hostOf(new Counter());
    await host.call({ toolName: 't', args: {} });
    await expect(host.call({ toolName: 't', args: {} })).resolves.toMatchObject({ output: 2 });
    await expect(host.call({ toolName: 't', args: {} })).resolves.toMatchObject({ status: 'awaiting-approval' });
  });

  it.each([
    ['a value', () => 1],
    ['a promise', async () => 1],
    [
      'a generator',
      async function* () {
        yield 0;
        yield 1;
      },
    ],
    ['a ReadableStream', () => ReadableStream.from([0, 1])],
    ['an iterable', () => ({ [Symbol.asyncIterator]: () => ReadableStream.from([0, 1])[Symbol.asyncIterator]() })],
  ])('A9: execute may return %s', async (_, execute) => {
    const imported = { description: 'x', inputSchema: z.object({}), execute } as AnyAiSdkTool;
    expect(await outputOf(imported)).toBe(1);
  });

  it('A10: every yield is a partial event, the last is the result', async () => {
    const partials: unknown[] = [];
    const host = createToolHost({
      tools: [
        fromAiSdkTool(
          't',
          tool({
            description: 'x',
            inputSchema: z.object({}),
            async *execute() {
              yield 'a';
              yield 'ab';
            },
          }),
        ),
      ],
      onEvent: (event: HostEvent) => {
        if (event.type === 'tool.partial') partials.push(event.output);
      },
    });
    await expect(host.call({ toolName: 't', args: {} })).resolves.toMatchObject({ output: 'ab' });
    expect(partials).toEqual(['a', 'ab']);
  });

  it('A12: needsApproval is kept: true, or a predicate that is told of the call', async () => {
    const always = tool({ description: 'x', inputSchema: z.object({}), needsApproval: true, execute: () => 1 });
    expect(await outputOf(always)).toMatchObject({ status: 'awaiting-approval' });
    const needsApproval = vi.fn((_input: { n: number }, _options: object) => false);
    const asked = tool({ description: 'x', inputSchema: z.object({ n: z.number() }), needsApproval, execute: () => 1 });
    await hostOf(asked as AnyAiSdkTool, { hostContext: { user: 'ada' } }).call(
      { toolName: 't', toolCallId: 'c1', args: { n: 5 } },
      { messages: ['m'] },
    );
    const context = { user: 'ada' };
    expect(needsApproval).toHaveBeenCalledExactlyOnceWith(
      { n: 5 },
      { toolCallId: 'c1', messages: ['m'], context, experimental_context: context },
    );
  });

  it('A9: a value, a promise and whatever iterable is returned at once give a result', async () => {
    const iterable = { [Symbol.asyncIterator]: () => generator() };
    async function* generator() {
      yield 1;
      yield 2;
    }
    for (const [execute, result, snapshots] of [
      [() => 2, 2, []],
      [async () => 2, 2, []],
      // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise is what is tried.
      [() => ({ then: (resolve: (value: number) => void) => resolve(2) }), 2, []],
      [() => generator(), 2, [1, 2]],
      [() => iterable, 2, [1, 2]],
      [() => ReadableStream.from([1, 2]), 2, [1, 2]],
    ] as const) {
      const partials: unknown[] = [];
      const outcome = await hostOf({ description: 'x', inputSchema: z.object({}), execute }).call(
        { toolName: 't', args: {} },
        { onPartial: ({ output }) => partials.push(output) },
      );
      expect(outcome).toMatchObject({ status: 'ok', output: result });
      expect(partials).toEqual(snapshots);
    }
  });

  it('A16: the tool is told of its input: start, available, then it runs', async () => {
    const told: string[] = [];
    const imported = tool({
      description: 'x',
      inputSchema: z.object({ n: z.number() }),
      onInputStart: ({ toolCallId }) => void told.push(`start ${toolCallId}`),
      onInputDelta: () => void told.push('delta'),
      onInputAvailable: ({ input }) => void told.push(`available ${input.n}`),
      execute: () => void told.push('execute'),
    });
    const host = hostOf(imported);
    await host.call({ toolName: 't', toolCallId: 'c1', args: { n: 1 } });
    expect(told).toEqual(['start c1', 'available 1', 'execute']);
    await host.call({ toolName: 't', args: { n: 'x' } });
    expect(told).toHaveLength(3);
  });

  it('A16: a caller that streams the arguments has them told: start, deltas, available, execute', async () => {
    const told: string[] = [];
    class Listening {
      readonly description = 'x';
      readonly inputSchema = z.object({ n: z.number() });
      readonly prefix = 'c';
      onInputStart({ toolCallId, experimental_context }: { toolCallId: string; experimental_context: unknown }) {
        told.push(`start ${toolCallId} ${experimental_context}`);
      }
      async onInputDelta({ inputTextDelta, messages }: { inputTextDelta: string; messages: unknown[] }) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        told.push(`${this.prefix} ${inputTextDelta} ${messages.length}`);
      }
      onInputAvailable({ input }: { input: { n: number } }) {
        told.push(`available ${input.n}`);
      }
      execute() {
        told.push('execute');
      }
    }
    const host = hostOf(new Listening(), { hostContext: 'ctx' });
    const options = { messages: [{ role: 'user' }] };
    for (const text of ['{"n":', '2}']) void host.input.delta({ toolCallId: 'c1', toolName: 't', text }, options);
    await host.call({ toolName: 't', toolCallId: 'c1', args: '{"n":2}' }, options);
    expect(told).toEqual(['start c1 ctx', 'c {"n": 1', 'c 2} 1', 'available 2', 'execute']);
  });

  it('A21: options have id, messages and signal', async () => {
    const execute = vi.fn((_input: object, _options: object) => 1);
    const host = hostOf({ description: 'x', inputSchema: z.object({}), execute });
    const { signal } = new AbortController();
    await host.call({ toolName: 't', toolCallId: 'c1', args: {} }, { signal, messages: [{ role: 'user' }] });
    const options = execute.mock.calls[0]?.[1] as { abortSignal: AbortSignal };
    expect(options).toMatchObject({ toolCallId: 'c1', messages: [{ role: 'user' }] });
    expect(options.abortSignal).toBe(signal);
  });

  it('A22: the context is given under both names, from the import, the call or the host', async () => {
    const execute = vi.fn((_input: object, _options: object) => 1);
    const plain = { description: 'x', inputSchema: z.object({}), execute };
    const context = {};
    await hostOf(plain, { context }).call({ toolName: 't', args: {} });
    await hostOf(plain, { hostContext: context }).call({ toolName: 't', args: {} });
    await hostOf(plain).call({ toolName: 't', args: {} }, { context });
    for (const [, options] of execute.mock.calls) {
      expect((options as { context: object }).context).toBe(context);
      expect((options as { experimental_context: object }).experimental_context).toBe(context);
    }
    expect(execute).toHaveBeenCalledTimes(3);
  });

  it('A23: a context that breaks contextSchema fails the call before it runs', async () => {
    const execute = vi.fn(() => 1);
    const contextSchema = z.object({ user: z.string().trim() });
    const imported = { description: 'x', inputSchema: z.object({}), contextSchema, execute };
    await expect(hostOf(imported, { context: { user: 5 } }).call({ toolName: 't', args: {} })).resolves.toMatchObject({
      error: { error: 'ToolContextValidationError', kind: 'execution' },
    });
    expect(execute).not.toHaveBeenCalled();
    await hostOf(imported, { context: { user: ' ada ' } }).call({ toolName: 't', args: {} });
    expect(execute).toHaveBeenCalledExactlyOnceWith({}, expect.objectContaining({ context: { user: 'ada' } }));
  });

  it('A25: a dynamic tool is a tool, and stays dynamic', async () => {
    const imported = ai.dynamicTool({ description: 'x', inputSchema: z.object({}), execute: async () => 'dynamic' });
    const host = hostOf(imported as AnyAiSdkTool);
    await expect(host.call({ toolName: 't', args: {} })).resolves.toMatchObject({ output: 'dynamic' });
    expect(toAiSdkTools(host).t).toMatchObject({ type: 'dynamic' });
  });

  it('A26: what runs at the provider is refused by name and id; what the provider only defines runs', async () => {
    const defined = {
      type: 'provider',
      id: 'acme.shell',
      args: {},
      isProviderExecuted: false,
      inputSchema: z.object({}),
      execute: () => 'here',
    };
    expect(await outputOf(defined)).toBe('here');
    for (const executed of [
      { ...defined, isProviderExecuted: true },
      { ...defined, execute: undefined },
    ]) {
      expect(() => fromAiSdkTool('sh', executed as AnyAiSdkTool)).toThrow(/'sh'.*'acme.shell'/);
    }
  });

  it('A27: deferLoading is carried', () => {
    const imported = { description: 'x', inputSchema: z.object({}), deferLoading: true, execute: () => 1 };
    expect(toAiSdkTools(hostOf(imported)).t).toMatchObject({ deferLoading: true });
  });

  it('a name that breaks the pattern, a schema of no object and no schema at all are refused', () => {
    const execute = () => 1;
    expect(() => fromAiSdkTool('has space', { inputSchema: z.object({}), execute })).toThrow('"has_space"');
    expect(() => fromAiSdkTool('t', { inputSchema: z.string(), execute })).toThrow(/'t'.*object/);
    expect(() => fromAiSdkTool('t', { inputSchema: jsonSchema({ type: 'array' }), execute })).toThrow(/'t'.*object/);
    expect(() => fromAiSdkTool('t', { execute })).toThrow(/'t'.*inputSchema/);
    expect(() => fromAiSdkTool('t', undefined as never)).toThrow(/'t'/);
    expect(() => fromAiSdkTool('t', { inputSchema: z.object({}), execute }, { sandbox: 'maybe' as never })).toThrow(
      /'t'.*'maybe'/,
    );
    expect(() => fromAiSdkTool('t', { inputSchema: v.object({}), execute })).toThrow(/'t'/);
  });

  it('an error of one tool leaves the others alone', async () => {
    const tools = fromAiSdkTools({
      fails: {
        description: 'x',
        inputSchema: z.object({}),
        execute: () => {
          throw Object.assign(new Error('nope'), { name: 'CustomError' });
        },
      },
      works: { description: 'x', inputSchema: z.object({}), execute: () => 'fine' },
    });
    const outcomes = await createToolHost({ tools }).callMany([
      { toolName: 'fails', args: {} },
      { toolName: 'works', args: {} },
    ]);
    expect(outcomes).toMatchObject([
      { error: { error: 'CustomError', message: 'nope', kind: 'execution' } },
      { output: 'fine' },
    ]);
  });
});

describe('A1: a description that is a function', () => {
  it('is asked at each listing, with the context', () => {
    const context = { user: 'ada' };
    const imported = ai7.tool({
      description: ({ context: { user } }: { context: { user: string } }) => `For ${user}`,
      inputSchema: z.object({}),
      execute: () => 1,
    } as never) as AnyAiSdkTool;
    const host = hostOf(imported, { context });
    expect(host.tools()[0]?.description).toBe('For ada');
    context.user = 'bob';
    expect(host.tools()[0]?.description).toBe('For bob');
  });
});

describe('A1: a description that is a function, as the AI SDK asks it', () => {
  const describedBy = (description: (told: { context: unknown; experimental_sandbox?: unknown }) => string) =>
    ({ description, inputSchema: z.object({}), execute: () => 1 }) as AnyAiSdkTool;

  it('is told the context of the host where the import gives none', () => {
    const imported = describedBy(({ context }) => `For ${(context as { user: string }).user}`);
    const context = { user: 'ada' };
    const listed = (tool: NamedTool) => createToolHost({ tools: [tool], context }).tools()[0]?.description;
    expect(listed(fromAiSdkTool('t', imported))).toBe('For ada');
    expect(listed(fromAiSdkTool('t', imported, { context: { user: 'bob' } }))).toBe('For bob');
    expect(listed({ ...imported, name: 't' } as NamedTool)).toBe('For ada');
  });

  it.each(['none', 'pass', 'require'] as const)('is told the sandbox as its import says: %s', async (sandbox) => {
    const imported = describedBy(({ experimental_sandbox }) => typeof experimental_sandbox);
    await using host = createToolHost({ sandbox: 'isolate', tools: [fromAiSdkTool('t', imported, { sandbox })] });
    expect(host.tools()[0]?.description).toBe(sandbox === 'none' ? 'undefined' : 'object');
  });
});

describe.each(RUNS)('an imported tool exported again to $label', ({ run, isStream }) => {
  it('A16: hears of its input once, from the AI SDK itself', async () => {
    const told: string[] = [];
    const imported: AnyAiSdkTool = {
      description: 'x',
      inputSchema: z.object({ n: z.number() }),
      onInputStart: () => void told.push('start'),
      onInputDelta: ({ inputTextDelta }: { inputTextDelta: string }) => void told.push(`delta ${inputTextDelta}`),
      onInputAvailable: () => void told.push('available'),
      execute: () => void told.push('execute'),
    };
    await run({ tools: toAiSdkTools(hostOf(imported)), turns: [call('c1', 't', { n: 1 }), DONE] });
    const deltas = isStream ? ['delta {', 'delta "n":1}'] : [];
    expect(told).toEqual(['start', ...deltas, 'available', 'execute']);
  });

  it('A17: its toModelOutput makes what the model sees of a success, and is left out of errors', async () => {
    const toModelOutput = vi.fn(async ({ output, input, toolCallId }) => ({
      type: 'text',
      value: `${toolCallId} ${input.n} gave ${output}`,
    }));
    const imported: AnyAiSdkTool = {
      description: 'x',
      inputSchema: z.object({ n: z.number() }),
      toModelOutput,
      execute: ({ n }: { n: number }) => {
        if (n === 0) throw new Error('zero');
        return n * 2;
      },
    };
    const outcome = await run({
      tools: toAiSdkTools(hostOf(imported)),
      turns: [call('c1', 't', { n: 4 }), call('c2', 't', { n: 0 }), DONE],
    });
    expect(modelSees(outcome, 'c1')).toEqual({ type: 'text', value: 'c1 4 gave 8' });
    expect(modelSees(outcome, 'c2')).toMatchObject({ type: 'error-text' });
    expect(resultOf(outcome, 'c1')?.output).toBe(8);
  });

  it('A10: streams on', async () => {
    const imported: AnyAiSdkTool = {
      description: 'x',
      inputSchema: z.object({}),
      async *execute() {
        yield 1;
        yield 2;
      },
    };
    const { parts } = await run({ tools: toAiSdkTools(hostOf(imported)), turns: [call('c1', 't'), DONE] });
    const results = parts.filter(({ type }) => type === 'tool-result').map(({ output }) => output);
    expect(results).toEqual(isStream ? [1, 2, 2] : [2]);
  });
});

describe('round trips', () => {
  const greet = defineTool({ name: 'greet', description: 'Greets', input: z.object({}), execute: () => 'hello' });

  it('from(to(tool)) is the same tool', () => {
    const exported = toAiSdkTools(createToolHost({ tools: [greet] }));
    expect(fromAiSdkTool('greet', exported.greet as AnyAiSdkTool)).toBe(greet);
    expect(fromAiSdkTools(exported)).toEqual([greet]);
  });

  it('under another name it is the same tool with that name', async () => {
    const { greet: exported } = toAiSdkTools(createToolHost({ tools: [greet] }));
    const host = createToolHost({ tools: [fromAiSdkTool('hi', exported as AnyAiSdkTool)] });
    expect(host.tools()).toMatchObject([{ name: 'hi', description: 'Greets' }]);
    await expect(host.call({ toolName: 'hi', args: {} })).resolves.toMatchObject({ output: 'hello' });
  });

  it('a tool of the AI SDK keeps all it was made with', () => {
    const original = {
      title: 'Weather',
      description: 'Says the weather',
      strict: true,
      inputExamples: [{ input: { city: 'Porto' } }],
      providerOptions: { acme: { a: 1 } },
      metadata: { team: 'x', mcp: { annotations: { readOnlyHint: true } } },
      inputSchema: z.object({ city: z.string() }),
      execute: () => 1,
    };
    const imported = fromAiSdkTool('weather', original);
    expect(imported.annotations).toEqual({ readOnlyHint: true });
    const exported = toAiSdkTools(createToolHost({ tools: [imported] })).weather;
    const { inputSchema, execute, metadata, ...same } = original;
    expect(exported).toMatchObject({ ...same, metadata: { ...metadata, displayName: 'Weather' } });
  });

  it('errors keep their kind and issues, even through a copy of an exported tool', async () => {
    const strict = defineTool({
      name: 'strict',
      description: 'x',
      input: z.object({ n: z.number() }),
      execute: () => 1,
    });
    const { strict: exported } = toAiSdkTools(createToolHost({ tools: [strict] }));
    const copy = { ...exported, inputSchema: z.looseObject({}) } as AnyAiSdkTool;
    const host = createToolHost({ tools: [fromAiSdkTool('renamed', copy)] });
    await expect(host.call({ toolName: 'renamed', args: { n: 'x' } })).resolves.toMatchObject({
      error: { kind: 'validation', toolName: 'renamed', code: 'invalid_input', issues: [{ path: 'n' }] },
    });
  });

  it('A18: content of a toModelOutput crosses to llm-agent with every part', async () => {
    const imported: AnyAiSdkTool = {
      description: 'x',
      inputSchema: z.object({}),
      execute: () => 'raw',
      toModelOutput: () => ({
        type: 'content',
        value: [
          { type: 'text', text: 'one' },
          { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
          { type: 'file', data: { type: 'data', data: 'BBBB' }, mediaType: 'audio/mpeg' },
          { type: 'file', data: { type: 'url', url: new URL('https://x.test/a.pdf') }, mediaType: 'application/pdf' },
          { type: 'file-id', fileId: 'file-1' },
          { type: 'file', data: { type: 'text', text: 'inline' }, mediaType: 'text/plain' },
          { type: 'text' } as never,
        ],
      }),
    };
    const [exported] = toLlmAgentTools(hostOf(imported));
    const result = await exported?.execute({}, undefined, undefined as never);
    expect(result).toEqual({
      is_error: false,
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', mime_type: 'image/png', data: 'AAAA' },
        { type: 'audio', format: 'mp3', data: 'BBBB' },
        {
          type: 'source',
          source: 'https://x.test/a.pdf',
          title: 'https://x.test/a.pdf',
          content: [{ type: 'text', text: 'https://x.test/a.pdf (https://x.test/a.pdf, application/pdf)' }],
        },
        { type: 'source', source: 'file-1', title: 'file-1', content: [] },
        { type: 'text', text: 'inline' },
        { type: 'text', text: '{"type":"text"}' },
      ],
    });
  });

  it('HostToolError shows the same JSON by message and by text', () => {
    const error = new HostToolError({ error: 'E', toolName: 't', message: 'm', kind: 'mcp' });
    expect(String(error)).toBe(error.message);
    expect(JSON.parse(error.message)).toEqual(error.toolError);
    expect(error.name).toBe('HostToolError');
  });
});
