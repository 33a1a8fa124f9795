import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost, defineTool, fromJsonSchema, PropagatingToolError } from '../../../src/index.js';
import { CLIENT_KINDS, errorOf, serveTo } from './clients.js';

const add = defineTool({
  name: 'add',
  displayName: 'Add numbers',
  description: 'Adds two numbers',
  input: z.strictObject({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  annotations: { readOnlyHint: true },
  execute: ({ a, b }) => ({ sum: a + b }),
});
const say = defineTool({
  name: 'say',
  description: 'Says it again',
  input: z.object({ text: z.string() }),
  execute: ({ text }) => text,
});
const fail = defineTool({
  name: 'fail',
  description: 'Fails',
  input: z.object({ how: z.string() }),
  execute: ({ how }) => {
    if (how === 'propagate') throw new PropagatingToolError('the secret reason');
    throw new Error('no such luck');
  },
});
const list = defineTool({
  name: 'list',
  description: 'Gives a list',
  input: z.object({}),
  output: z.array(z.number()),
  execute: () => [1, 2, 3],
});
const parts = defineTool({
  name: 'parts',
  description: 'Gives parts',
  input: z.object({}),
  execute: () => ({
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'file', mimeType: 'text/csv', data: 'YQ==', name: 'a.csv' },
      { type: 'source', source: 'https://example.org/x', title: 'X', content: [{ type: 'text', text: 'body' }] },
      { type: 'source', source: 'https://example.org/y', title: 'Y', content: [] },
    ],
  }),
});

const harmless = { description: 'Reads', annotations: { readOnlyHint: true }, execute: () => 'read' };

describe.each(CLIENT_KINDS)('serveMcp() to a %s client', (kind) => {
  it('lists what the host lists, with title, schemas and annotations', async () => {
    const host = createToolHost({ tools: [add, say], permissions: { deny: ['say'] } });
    await using served = await serveTo(kind, host);
    const tools = await served.client.list();
    expect(tools).toHaveLength(1);
    expect(tools[0]).toMatchObject({
      name: 'add',
      title: 'Add numbers',
      description: 'Adds two numbers',
      inputSchema: { type: 'object', required: ['a', 'b'] },
      outputSchema: { type: 'object', required: ['sum'] },
      annotations: { readOnlyHint: true },
    });
    expect(tools[0]?.inputSchema).not.toHaveProperty('$schema');
  });

  it('says of a tool that may ask that it is not harmless', async () => {
    const host = createToolHost({ tools: [add, say], permissions: { ask: ['add'] } });
    await using served = await serveTo(kind, host);
    const [first, second] = await served.client.list();
    expect(first).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } });
    expect(second).not.toHaveProperty('annotations');
  });

  it.each([
    ['a pattern', 'notes__read', { ask: ['notes__*'] }],
    ['every tool', 'notes__read', { ask: ['*'] }],
    ['a path that another tool reads', 'grep', { ask: ['read_file(**/secret.txt)'] }],
    ['the default', 'notes__read', { default: 'ask' as const }],
    [
      'the default, where the allow rule is about some calls only',
      'fetch',
      { default: 'ask' as const, allow: [{ tool: 'fetch', domain: 'example.org' }] },
    ],
  ])('says so too where the rule asks by %s', async (_by, name, permissions) => {
    const tool = defineTool({ ...harmless, name, input: z.object({ path: z.string().optional() }) });
    const host = createToolHost({ tools: [tool], permissions });
    await using served = await serveTo(kind, host);
    const [listed] = await served.client.list();
    expect(listed).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } });
  });

  it.each([
    ['another pattern', { ask: ['notes__*'] }],
    ['a path of tools that write', { ask: ['write_file(**/secret.txt)'] }],
    ['a default, but its pattern is allowed', { default: 'ask' as const, allow: ['gre*'] }],
  ])('leaves a tool harmless that is asked about by %s', async (_by, permissions) => {
    const host = createToolHost({
      tools: [defineTool({ ...harmless, name: 'grep', input: z.object({}) })],
      permissions,
    });
    await using served = await serveTo(kind, host);
    const [listed] = await served.client.list();
    expect(listed).toMatchObject({ annotations: { readOnlyHint: true } });
  });

  it('gives a string as text, and structured content where the tool has an output schema', async () => {
    const host = createToolHost({ tools: [add, say] });
    await using served = await serveTo(kind, host);
    const said = await served.client.call('say', { text: 'a "b"\n{"jsonrpc":"2.0","id":1,"result":{}}\n' });
    expect(said.content).toEqual([{ type: 'text', text: 'a "b"\n{"jsonrpc":"2.0","id":1,"result":{}}\n' }]);
    expect(said).not.toHaveProperty('structuredContent');
    const added = await served.client.call('add', { a: 1, b: 2 });
    expect(added).toMatchObject({ content: [{ type: 'text', text: '{"sum":3}' }], structuredContent: { sum: 3 } });
    expect(added.isError ?? false).toBe(false);
  });

  it('wraps a structured result that is no object for clients that need one', async () => {
    const host = createToolHost({ tools: [list] });
    await using served = await serveTo(kind, host);
    await served.client.list();
    const result = await served.client.call('list');
    expect(result.structuredContent).toEqual(kind === 'v2 modern' ? [1, 2, 3] : { result: [1, 2, 3] });
    expect(result.content[0]?.text).toBe('[1,2,3]');
  });

  it('gives content parts as blocks: text, image, embedded resources and links', async () => {
    const host = createToolHost({ tools: [parts] });
    await using served = await serveTo(kind, host);
    const { content } = await served.client.call('parts');
    expect(content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'resource', resource: { uri: 'file:///a.csv', mimeType: 'text/csv', blob: 'YQ==' } },
      { type: 'resource', resource: { uri: 'https://example.org/x', text: 'body' } },
      { type: 'resource_link', uri: 'https://example.org/y', name: 'Y' },
    ]);
  });

  it('RUN-005: text that a terminal would obey goes out as it is, and is flagged', async () => {
    const hostile = '\u001b]52;c;aGk=\u0007\u001b[2Jover\rprint\u202e\u{e0041}';
    const colour = defineTool({
      name: 'colour',
      description: 'Gives\u200b colours',
      input: z.object({ how: z.enum(['text', 'object', 'parts', 'error']) }),
      execute: ({ how }) => {
        if (how === 'error') throw new Error(hostile);
        if (how === 'parts') return { content: [{ type: 'text', text: hostile }] };
        return how === 'text' ? hostile : { stdout: hostile, more: ['plain\r\n'] };
      },
    });
    const host = createToolHost({ tools: [colour, say] });
    await using served = await serveTo(kind, host);
    const flags = ['U+001B', 'U+0007', 'U+000D', 'U+202E', 'U+E0041'];
    for (const how of ['text', 'object', 'parts', 'error']) {
      const result = await served.client.call('colour', { how });
      expect(result._meta).toMatchObject({ 'caisson/hidden-characters': flags });
      if (how === 'text' || how === 'parts') expect(result.content[0]?.text).toBe(hostile);
    }
    const harmless = await served.client.call('say', { text: 'a\tb\r\nc' });
    expect(harmless._meta ?? {}).not.toHaveProperty('caisson/hidden-characters');
    const [listed, plain] = await served.client.list();
    expect(listed).toMatchObject({
      description: 'Gives\u200b colours',
      _meta: { 'caisson/hidden-characters': ['U+200B'] },
    });
    expect(plain).not.toHaveProperty('_meta');
  });

  it('gives failures with their kind, as text and under _meta', async () => {
    const host = createToolHost({ tools: [add, fail] });
    await using served = await serveTo(kind, host);
    const invalid = errorOf(await served.client.call('add', { a: 1, b: 'x' }));
    expect(invalid).toMatchObject({ kind: 'validation', toolName: 'add', issues: [{ path: 'b' }] });
    const failed = errorOf(await served.client.call('fail', { how: 'plainly' }));
    expect(failed).toMatchObject({ kind: 'execution', error: 'Error', message: 'no such luck' });
  });

  it('gives a denied call as an error of kind denied, with the reason', async () => {
    const permissions = [{ effect: 'deny', tool: 'say', args: { text: 'no' }, reason: 'not that word' }] as const;
    const host = createToolHost({ tools: [say], permissions });
    await using served = await serveTo(kind, host);
    expect(errorOf(await served.client.call('say', { text: 'no' }))).toMatchObject({
      kind: 'denied',
      reason: 'not that word',
    });
  });

  it('gives a sandboxed tool without a sandbox as an error of kind sandbox', async () => {
    const boxed = defineTool({
      name: 'boxed',
      description: 'Runs in a sandbox',
      input: z.object({}),
      requiresSandbox: true,
      execute: () => 'on the host',
      sandboxExecute: () => 'in the sandbox',
    });
    const host = createToolHost({ tools: [boxed] });
    await using served = await serveTo(kind, host);
    expect(errorOf(await served.client.call('boxed')).kind).toBe('sandbox');
    expect((await served.client.list())[0]).toMatchObject({ _meta: { 'caisson/sandbox': { required: true } } });
  });

  it('answers an unknown tool, and names that every object has, with -32602', async () => {
    const host = createToolHost({ tools: [add] });
    await using served = await serveTo(kind, host);
    for (const name of ['ad', 'constructor', 'toString', 'hasOwnProperty']) {
      await expect(served.client.call(name)).rejects.toMatchObject({ code: -32602 });
    }
    await expect(served.client.call('ad')).rejects.toThrow(/did you mean 'add'/);
  });

  it('answers a PropagatingToolError with -32603 and keeps its reason to the log', async () => {
    const host = createToolHost({ tools: [fail, say] });
    const lines: string[] = [];
    await using served = await serveTo(kind, host, { serve: { log: (line) => lines.push(line) } });
    const error = await served.client.call('fail', { how: 'propagate' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32603 });
    expect(String(error)).not.toContain('secret');
    expect(lines.join('\n')).toContain('the secret reason');
    expect((await served.client.call('say', { text: 'still here' })).content[0]?.text).toBe('still here');
  });

  it('tells snapshots of a streaming tool as progress, each within 1 KiB, to whoever asked', async () => {
    const count = defineTool({
      name: 'count',
      description: 'Counts',
      input: z.object({}),
      execute: async function* () {
        yield 'one';
        yield '€'.repeat(2_000);
        await new Promise((resolve) => setTimeout(resolve, 20));
        yield 'three';
      },
    });
    const host = createToolHost({ tools: [count] });
    await using served = await serveTo(kind, host);
    const heard: { progress: number; message?: string }[] = [];
    const result = await served.client.call('count', {}, { onprogress: (progress) => heard.push(progress) });
    expect(result.content[0]?.text).toBe('three');
    expect(heard.slice(0, 2).map(({ progress }) => progress)).toEqual([1, 2]);
    expect(heard[0]?.message).toBe('one');
    expect(Buffer.byteLength(heard[1]?.message ?? '')).toBeLessThanOrEqual(1_024);
    expect(heard[1]?.message).toMatch(/^€+…$/);
    expect((await served.client.call('count')).content[0]?.text).toBe('three');
  });

  it('tells the latest of many snapshots instead of flooding the client', async () => {
    const flood = defineTool({
      name: 'flood',
      description: 'Yields without end',
      input: z.object({}),
      execute: async function* () {
        for (let index = 0; index < 20_000; index += 1) yield index;
      },
    });
    const host = createToolHost({ tools: [flood] });
    await using served = await serveTo(kind, host);
    let heard = 0;
    await served.client.call('flood', {}, { onprogress: () => (heard += 1) });
    expect(heard).toBeGreaterThan(0);
    expect(heard).toBeLessThan(200);
  });

  it('aborts the call when the client cancels, and goes on serving', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const wait = defineTool({
      name: 'wait',
      description: 'Waits',
      input: z.object({}),
      execute: (_, { abortSignal }) =>
        new Promise((_resolve, reject) =>
          abortSignal?.addEventListener('abort', () => {
            resolve();
            reject(abortSignal.reason);
          }),
        ),
    });
    const host = createToolHost({ tools: [wait, say] });
    await using served = await serveTo(kind, host);
    const controller = new AbortController();
    const call = served.client.call('wait', {}, { signal: controller.signal });
    setTimeout(() => controller.abort('enough'), 50);
    await expect(call).rejects.toThrow();
    await aborted;
    expect((await served.client.call('say', { text: 'next' })).content[0]?.text).toBe('next');
  });

  it('tells when the list of tools changed', async () => {
    const host = createToolHost({ tools: [say] });
    await using served = await serveTo(kind, host);
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    await served.client.onToolsChanged(resolve);
    host.registry.register(add);
    await changed;
    expect((await served.client.list()).map(({ name }) => name)).toEqual(['say', 'add']);
  });

  it('answers calls over its limit at once with an error of kind not-run', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<string>();
    const slow = defineTool({ name: 'slow', description: 'Waits', input: z.object({}), execute: () => gate });
    const host = createToolHost({ tools: [slow] });
    await using served = await serveTo(kind, host, { serve: { maxConcurrentCalls: 2 } });
    const running = [served.client.call('slow'), served.client.call('slow')];
    await new Promise((later) => setTimeout(later, 20));
    expect(errorOf(await served.client.call('slow')).kind).toBe('not-run');
    resolve('done');
    expect((await Promise.all(running)).map(({ content }) => content[0]?.text)).toEqual(['done', 'done']);
    expect((await served.client.call('slow')).content[0]?.text).toBe('done');
  });

  it('aborts what runs when the connection closes, and resolves closed', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const wait = defineTool({
      name: 'wait',
      description: 'Waits',
      input: fromJsonSchema({ type: 'object' }),
      execute: (_, { abortSignal }) => new Promise(() => abortSignal?.addEventListener('abort', () => resolve())),
    });
    const host = createToolHost({ tools: [wait] });
    const served = await serveTo(kind, host);
    served.client.call('wait').catch(() => {});
    await new Promise((later) => setTimeout(later, 20));
    await served.client.close();
    await served.handle.closed;
    await aborted;
  });
});

describe('serveMcp() options', () => {
  it.each([
    [{ approvals: 'maybe' }, /'approvals' must be one of elicit, deny, allow/],
    [{ approvalTimeoutMs: 0 }, /'approvalTimeoutMs'/],
    [{ maxConcurrentCalls: 1.5 }, /'maxConcurrentCalls'/],
  ])('refuses %j', async (options, message) => {
    await expect(serveTo('v1', createToolHost(), { serve: options as never })).rejects.toThrow(message);
  });
});
