import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ContentPart,
  createToolHost,
  defineTool,
  fromJsonSchema,
  type ToolErrorResult,
  type ToolHost,
} from '../../../src/index.js';
import { loadMcpTools, type McpToolClient } from '../../../src/interop/mcp/index.js';
import { CLIENT_KINDS, type ClientKind, type ClientOptions, serveTo } from './clients.js';

const annotations = { readOnlyHint: true };

async function importOver(kind: ClientKind, origin: ToolHost, options: ClientOptions = {}) {
  const served = await serveTo(kind, origin, options);
  const tools = await loadMcpTools(served.client.raw as McpToolClient, 'far', { approvals: 'never' });
  return Object.assign(served, { host: createToolHost({ tools }) });
}

async function errorOf(host: ToolHost, toolName: string, args: unknown = {}): Promise<ToolErrorResult> {
  const outcome = await host.call({ toolName, args });
  if (outcome.status !== 'error') throw new Error(`Not an error: ${JSON.stringify(outcome)}`);
  return outcome.error;
}

const PARTS: ContentPart[] = [
  { type: 'text', text: 'look', meta: { mcp: { annotations: { audience: ['user'] } } } },
  { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  { type: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
  { type: 'file', mimeType: 'text/csv', data: 'YQ==', name: 'file:///a.csv' },
  {
    type: 'source',
    source: 'https://example.org/x',
    title: 'https://example.org/x',
    mimeType: 'text/markdown',
    content: [{ type: 'text', text: '# body' }],
  },
  {
    type: 'link',
    uri: 'https://example.org/y',
    name: 'y',
    title: 'The Y',
    description: 'What Y is',
    mimeType: 'application/pdf',
    size: 12,
    meta: { mcp: { _meta: { 'example.org/kept': 1 } } },
  },
];

describe.each(CLIENT_KINDS)('a host served over MCP to a %s client and imported again', (kind) => {
  it('S19: every part comes back as it was, with MIME type, size, and what MCP alone has a word for', async () => {
    const parts = defineTool({
      name: 'parts',
      description: 'Gives parts',
      input: z.object({}),
      annotations,
      execute: () => ({ content: PARTS }),
    });
    await using far = await importOver(kind, createToolHost({ tools: [parts] }));
    const outcome = await far.host.call({ toolName: 'far__parts', args: {} });
    expect(outcome).toMatchObject({ status: 'ok', output: { content: PARTS } });
  });

  it('an error comes back with its name, message, kind, code and issues, and under the name the tool has here', async () => {
    const input = fromJsonSchema({ type: 'object', properties: { id: { type: 'string', pattern: '^[0-9]+$' } } });
    const strict = defineTool({ name: 'strict', description: 'Strict', input, annotations, execute: () => 'ok' });
    const boxed = defineTool({
      name: 'boxed',
      description: 'Needs a sandbox',
      input: z.object({}),
      requiresSandbox: true,
      annotations,
      execute: () => 'no',
    });
    const origin = createToolHost({ tools: [strict, boxed] });
    await using far = await importOver(kind, origin);
    for (const [toolName, args, told] of [
      ['strict', { id: 'x' }, { kind: 'validation', issues: [{ path: 'id', message: expect.any(String) }] }],
      ['boxed', {}, { kind: 'sandbox', error: 'SandboxRequiredError' }],
    ] as const) {
      const before = await errorOf(origin, toolName, args);
      expect(before).toMatchObject(told);
      expect(await errorOf(far.host, `far__${toolName}`, args)).toEqual({ ...before, toolName: `far__${toolName}` });
    }
  });

  it('a tool that is gone is not found, and so is what a tool did not find', async () => {
    const tool = (name: string, execute: () => unknown) =>
      defineTool({ name, description: 'May be gone', input: z.object({}), annotations, execute });
    const missing = Object.assign(new RangeError('no such page'), { toolErrorKind: 'not-found' });
    const origin = createToolHost({
      tools: [tool('gone', () => 'here'), tool('pages', () => Promise.reject(missing))],
    });
    await using far = await importOver(kind, origin);
    origin.registry.unregister('gone');
    for (const name of ['gone', 'pages']) {
      const before = await errorOf(origin, name);
      expect(before.kind).toBe('not-found');
      expect(await errorOf(far.host, `far__${name}`)).toEqual({ ...before, toolName: `far__${name}` });
    }
    expect((await far.client.call('pages')).isError).toBe(true);
  });

  it('a denied call comes back with the reason, a rejected one with the note', async () => {
    const say = (name: string) =>
      defineTool({
        name,
        description: 'Says',
        input: z.object({ text: z.string().optional() }),
        annotations,
        execute: () => 'said',
      });
    const permissions = [
      { effect: 'deny', tool: 'never', args: { text: 'no' }, reason: 'not on Sundays' },
      { effect: 'ask', tool: 'maybe' },
    ] as const;
    const origin = createToolHost({ tools: [say('never'), say('maybe')], permissions });
    const elicit = () => ({ action: 'decline' as const, content: { note: 'ask me tomorrow' } });
    await using far = await importOver(kind, origin, { elicit });
    expect(await errorOf(far.host, 'far__maybe')).toMatchObject({ kind: 'rejected', note: 'ask me tomorrow' });
    const denied = await errorOf(far.host, 'far__never', { text: 'no' });
    expect(denied).toMatchObject({ kind: 'denied', reason: 'not on Sundays' });
  });
});

describe('what another host says of a failure', () => {
  const failing = async (error: object, content: object[] = [{ type: 'text', text: 'text' }]) => {
    const client = {
      listTools: async () => ({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] }),
      callTool: async () => ({ isError: true, content, _meta: { 'caisson/error': error } }),
    };
    const host = createToolHost({ tools: await loadMcpTools(client, 'far', { approvals: 'never' }) });
    return host.call({ toolName: 'far__x', args: {} });
  };
  const told = { error: 'TypeError', toolName: 'x', message: 'no', kind: 'execution' };

  it('is bounded, and only what errors of ours have is read', async () => {
    const outcome = await failing({
      ...told,
      kind: 'validation',
      message: 'm'.repeat(9_000),
      issues: Array.from({ length: 500 }, () => ({ path: 7, message: 'i'.repeat(9_000), more: 'y' })),
      code: 'made_up',
      stack: 'at /home/somebody/secret.js',
      extra: { anything: true },
    });
    if (outcome.status !== 'error') throw new Error('Not an error');
    expect(Object.keys(outcome.error).sort()).toEqual(['error', 'issues', 'kind', 'message', 'toolName']);
    expect(outcome.error.message.length).toBeLessThan(2_100);
    expect(outcome.error.issues).toHaveLength(100);
    expect(outcome.error.issues?.[0]).toEqual({ path: '(root)', message: 'i'.repeat(2_000) });
  });

  it('is not taken for one of ours when it is none: the text of the server is the message, of kind mcp', async () => {
    for (const error of [{ ...told, kind: 'fine' }, { kind: 'denied' }, { ...told, message: 1 }]) {
      expect(await failing(error)).toMatchObject({ error: { kind: 'mcp', error: 'McpToolError', message: 'text' } });
    }
  });

  it('keeps the parts that came with it', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const outcome = await failing({}, [{ type: 'text', text: 'look' }, image]);
    expect(outcome).toMatchObject({
      error: { kind: 'mcp', message: 'look' },
      content: [{ type: 'text', text: 'look' }, image],
    });
    expect(await failing(told, [{ type: 'text', text: '{}' }, image])).toMatchObject({
      error: { kind: 'execution', error: 'TypeError', message: 'no' },
      content: [image],
    });
  });
});
