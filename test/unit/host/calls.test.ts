import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { PropagatingToolError } from '../../../src/tool/propagating-error.js';
import { errorOf, outputOf } from './outcomes.js';
import { plainSandbox } from './test-sandbox.js';

const parsing = z.object({ n: z.coerce.number().default(3), s: z.string().transform((text) => text.length) });

function throwing(thrown: unknown) {
  const tool = defineTool({
    name: 'thrower',
    description: 'Throws',
    input: z.object({}),
    execute: () => {
      throw thrown;
    },
  });
  return createToolHost({ tools: tool }).call({ toolName: 'thrower', args: {} });
}

describe('arguments', () => {
  it('L30: hooks, needsApproval, execute and sandboxExecute all see the parsed values', async () => {
    const seen: unknown[] = [];
    const see = (args: unknown) => {
      seen.push(args);
    };
    const seeAndRun = (args: unknown) => {
      see(args);
      return false;
    };
    const common = { description: 'd', input: parsing, needsApproval: seeAndRun };
    const host = createToolHost({
      tools: [
        defineTool({ ...common, name: 'inside', execute: see }),
        defineTool({ ...common, name: 'boxed', requiresSandbox: true, execute: () => 'never', sandboxExecute: see }),
      ],
      sandbox: plainSandbox(),
      hooks: { preCall: ({ args }) => see(args), postCall: ({ args }) => see(args) },
    });
    outputOf(await host.call({ toolName: 'inside', args: { s: 'abc' } }));
    outputOf(await host.call({ toolName: 'boxed', args: { s: 'abc' } }));
    expect(seen).toEqual(Array.from({ length: 8 }, () => ({ n: 3, s: 3 })));
  });

  it('L31: they are parsed exactly once, after an approval too', async () => {
    const parse = vi.fn((text: string) => text.length);
    const tool = defineTool({
      name: 'once',
      description: 'd',
      input: z.object({ s: z.string().transform(parse) }),
      needsApproval: true,
      execute: ({ s }) => s,
    });
    const host = createToolHost({ tools: tool });
    const asked = await host.call({ toolName: 'once', args: { s: 'abcd' } });
    const id = asked.status === 'awaiting-approval' ? asked.approval.id : '';
    expect(outputOf(await host.approvals.resolve(id, { decision: 'approve' }))).toBe(4);
    expect(parse).toHaveBeenCalledTimes(1);
  });

  it('L32: asynchronous refinements are awaited', async () => {
    const input = z.object({ n: z.number().refine(async (n) => n > 1, 'Too small') });
    const host = createToolHost({
      tools: defineTool({ name: 'later', description: 'd', input, execute: ({ n }) => n }),
    });
    expect(outputOf(await host.call({ toolName: 'later', args: { n: 2 } }))).toBe(2);
    expect(errorOf(await host.call({ toolName: 'later', args: { n: 1 } })).kind).toBe('validation');
  });

  it('L33: wrong ones reach no hook and no tool function, and every issue is told', async () => {
    const touched = vi.fn();
    const tool = defineTool({
      name: 'strict',
      description: 'd',
      input: z.object({ a: z.object({ b: z.string() }), n: z.number() }),
      needsApproval: touched,
      execute: touched,
    });
    const host = createToolHost({ tools: tool, hooks: { preCall: touched, postCall: touched } });
    const error = errorOf(await host.call({ toolName: 'strict', args: { a: {} } }));
    expect(error).toMatchObject({
      error: 'ToolArgumentsValidationError',
      kind: 'validation',
      toolName: 'strict',
      code: 'invalid_input',
    });
    expect(error.issues?.map(({ path }) => path)).toEqual(['a.b', 'n']);
    expect(error.message).toMatch(/^Invalid arguments for tool 'strict': 2 issues \(a\.b: .+; n: .+\)$/);
    expect(touched).not.toHaveBeenCalled();
  });

  it('L33: the issue of the whole value is at (root)', async () => {
    const tool = defineTool({ name: 'whole', description: 'd', input: z.object({}), execute: () => 1 });
    const error = errorOf(await createToolHost({ tools: tool }).call({ toolName: 'whole', args: [] }));
    expect(error.issues?.[0]?.path).toBe('(root)');
    expect(error.message).toContain("Invalid arguments for tool 'whole': 1 issue ((root): ");
  });

  it('L34: text is read as JSON, empty text as {}, broken text is an issue', async () => {
    const tool = defineTool({
      name: 'text',
      description: 'd',
      input: z.object({ n: z.number().optional() }),
      execute: (args) => args,
    });
    const host = createToolHost({ tools: tool });
    expect(outputOf(await host.call({ toolName: 'text', args: '{"n":1}' }))).toEqual({ n: 1 });
    expect(outputOf(await host.call({ toolName: 'text', args: '' }))).toEqual({});
    const error = errorOf(await host.call({ toolName: 'text', args: '{"n":' }));
    expect(error).toMatchObject({ kind: 'validation', issues: [{ path: '(root)' }] });
  });
});

describe('finding the tool', () => {
  const host = createToolHost({
    tools: [defineTool({ name: 'read_file', description: 'd', input: z.object({}), execute: () => 1 })],
  });

  it('L35: an unknown one is not-found, with the nearest name', async () => {
    const error = errorOf(await host.call({ toolName: 'readfile', args: {} }));
    expect(error).toMatchObject({
      error: 'ToolNotFoundError',
      kind: 'not-found',
      toolName: 'readfile',
      code: 'unknown_tool',
    });
    expect(error.message).toBe("Tool 'readfile' not found: did you mean 'read_file'?");
    expect(errorOf(await host.call({ toolName: 'ghost', args: {} })).message).toMatch(/^Tool 'ghost' not found/);
  });

  it('L36: a host without tools finds none', async () => {
    expect(errorOf(await createToolHost().call({ toolName: 'x', args: {} })).kind).toBe('not-found');
  });

  it.each(['toString', 'constructor', '__proto__'])('L4: %s is not-found unless it is registered', async (toolName) => {
    expect(errorOf(await host.call({ toolName, args: {} })).kind).toBe('not-found');
  });

  it('a call that is no call is not-found, not a crash', async () => {
    expect(errorOf(await host.call(undefined as never)).kind).toBe('not-found');
    expect(errorOf(await host.call({ toolName: 5 } as never)).toolName).toBe('5');
  });
});

describe('what a tool throws', () => {
  it('L37: is a result with its name and message and no stack', async () => {
    const error = errorOf(await throwing(new RangeError('out of range')));
    expect(error).toEqual({ error: 'RangeError', toolName: 'thrower', message: 'out of range', kind: 'execution' });
    expect(JSON.stringify(error)).not.toContain('.ts');
  });

  it.each([
    ['x', 'Error', 'x'],
    [42, 'Error', '42'],
    [null, 'Error', 'null'],
    [{ name: 'Odd', message: 'm' }, 'Odd', 'm'],
  ])('L38: %j gives error %s and message %s', async (thrown, name, message) => {
    expect(errorOf(await throwing(thrown))).toMatchObject({ error: name, message, kind: 'execution' });
  });

  it('L39: is cut at 2,000 characters, never inside a surrogate pair', async () => {
    expect(errorOf(await throwing(new Error('a'.repeat(2_000)))).message).toHaveLength(2_000);
    expect(errorOf(await throwing(new Error('a'.repeat(2_001)))).message).toHaveLength(2_015);
    const cut = errorOf(await throwing(new Error(`${'a'.repeat(1_999)}😀😀`))).message;
    expect(cut).toBe(`${'a'.repeat(1_999)}... (truncated)`);
  });

  it('L42: chooses its kind when it declares one', async () => {
    expect(errorOf(await throwing(Object.assign(new Error('m'), { toolErrorKind: 'mcp' }))).kind).toBe('mcp');
    expect(errorOf(await throwing(Object.assign(new Error('m'), { toolErrorKind: 'toString' }))).kind).toBe(
      'execution',
    );
  });

  it('L44: a PropagatingToolError, or a subclass, rejects the call', async () => {
    class Stop extends PropagatingToolError {}
    const stop = new Stop('stop');
    await expect(throwing(stop)).rejects.toBe(stop);
  });

  it('L46: is seen as a failure by events and post hooks', async () => {
    const seen: unknown[] = [];
    const host = createToolHost({
      tools: defineTool({
        name: 'bad',
        description: 'd',
        input: z.object({}),
        execute: () => Promise.reject(new Error('no')),
      }),
      onEvent: (event) => event.type === 'call.finished' && seen.push([event.isError, event.kind]),
      hooks: { postCall: ({ outcome }) => void seen.push(outcome.isError) },
    });
    expect((await host.call({ toolName: 'bad', args: {} })).isError).toBe(true);
    expect(seen).toEqual([true, [true, 'execution']]);
  });
});

describe('what a tool returns', () => {
  const returning = (value: unknown) =>
    createToolHost({
      tools: defineTool({ name: 'r', description: 'd', input: z.object({}), execute: () => value }),
    }).call({
      toolName: 'r',
      args: {},
    });

  it('L54: nothing, or a function, is null', async () => {
    expect(outputOf(await returning(undefined))).toBeNull();
    expect(outputOf(await returning(() => 1))).toBeNull();
  });

  it('L54: a cycle or a BigInt is an execution error, not a crash', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(errorOf(await returning(cycle)).kind).toBe('execution');
    expect(errorOf(await returning({ n: 1n })).kind).toBe('execution');
  });

  it('L27: a plain value of a synchronous execute is the output', async () => {
    expect(outputOf(await returning({ a: [1] }))).toEqual({ a: [1] });
  });

  it('A6: is checked against the output schema', async () => {
    const make = (value: unknown) =>
      createToolHost({
        tools: defineTool({
          name: 'typed',
          description: 'd',
          input: z.object({}),
          output: z.object({ a: z.object({ b: z.string() }) }),
          execute: () => value,
        }),
      }).call({ toolName: 'typed', args: {} });
    expect(outputOf(await make({ a: { b: 'x' } }))).toEqual({ a: { b: 'x' } });
    const error = errorOf(await make({ a: {} }));
    expect(error).toMatchObject({ error: 'ToolOutputValidationError', kind: 'execution' });
    expect(error.message).toContain("Invalid output of tool 'typed': 1 issue (a.b: ");
  });
});

describe('the execution context', () => {
  const record = () => {
    const contexts: unknown[] = [];
    const keep = (_args: unknown, ctx: unknown) => contexts.push(ctx);
    const tools = [
      defineTool({ name: 'plain', description: 'd', input: z.object({}), execute: keep }),
      defineTool({
        name: 'boxed',
        description: 'd',
        input: z.object({}),
        requiresSandbox: true,
        execute: () => 'never',
        sandboxExecute: (args, _sandbox, ctx) => keep(args, ctx),
      }),
      defineTool({ name: 'asked', description: 'd', input: z.object({}), needsApproval: true, execute: keep }),
    ];
    return {
      contexts,
      host: createToolHost({ tools, sandbox: plainSandbox(), approve: () => ({ decision: 'approve' as const }) }),
    };
  };

  it('L60: is an object with a toolCallId on every path', async () => {
    const { contexts, host } = record();
    await host.call({ toolName: 'plain', args: {} });
    await host.callMany([
      { toolName: 'boxed', args: {} },
      { toolName: 'asked', args: {} },
    ]);
    expect(contexts).toHaveLength(3);
    for (const ctx of contexts) expect(ctx).toMatchObject({ toolCallId: expect.stringMatching(/./), messages: [] });
  });

  it('L53: keeps the id of the caller', async () => {
    const { contexts, host } = record();
    const outcome = await host.call({ toolCallId: 'mine', toolName: 'plain', args: {} });
    expect(contexts[0]).toMatchObject({ toolCallId: 'mine', toolName: 'plain' });
    expect(outcome.toolCallId).toBe('mine');
  });

  it('L61: makes a unique id when there is none', async () => {
    const { host } = record();
    const [a, b] = await host.callMany([
      { toolName: 'plain', args: {} },
      { toolName: 'plain', args: {} },
    ]);
    expect(a?.toolCallId).not.toBe('');
    expect(a?.toolCallId).not.toBe(b?.toolCallId);
  });

  it('L62: has a copy of the messages that cannot be changed', async () => {
    const { contexts, host } = record();
    const messages = [{ role: 'user' }];
    await host.call({ toolName: 'plain', args: {} }, { messages });
    const seen = (contexts[0] as { messages: unknown[] }).messages;
    expect(seen).toEqual(messages);
    expect(() => seen.push('x')).toThrow(TypeError);
    expect(messages).toHaveLength(1);
  });

  it('L63: has the signal of the run, and none when the run has none', async () => {
    const { contexts, host } = record();
    const { signal } = new AbortController();
    await host.call({ toolName: 'plain', args: {} }, { signal });
    await host.call({ toolName: 'plain', args: {} });
    expect((contexts[0] as { abortSignal?: unknown }).abortSignal).toBe(signal);
    expect(contexts[1]).not.toHaveProperty('abortSignal');
  });

  it('L64: passes the session id through', async () => {
    const { contexts, host } = record();
    await host.call({ toolName: 'plain', args: {} }, { sessionId: 's1' });
    await host.call({ toolName: 'plain', args: {} });
    expect(contexts[0]).toMatchObject({ sessionId: 's1' });
    expect(contexts[1]).not.toHaveProperty('sessionId');
  });

  it('L66: sandboxExecute gets it third', async () => {
    const { contexts, host } = record();
    await host.call({ toolCallId: 'c', toolName: 'boxed', args: {} }, { sessionId: 's' });
    expect(contexts[0]).toEqual({ toolCallId: 'c', toolName: 'boxed', messages: [], sessionId: 's' });
  });

  it('has the context of the host, by reference', async () => {
    const context = { ledger: [] as number[] };
    const tool = defineTool({
      name: 'ledger',
      description: 'd',
      input: z.object({}),
      execute: (_args, ctx) => (ctx.context as typeof context).ledger.push(1),
    });
    await createToolHost({ tools: tool, context }).call({ toolName: 'ledger', args: {} });
    expect(context.ledger).toEqual([1]);
  });
});
