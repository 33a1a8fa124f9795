import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost, defineTool, type ToolHost, type ToolOutcome } from '../../../src/index.js';
import {
  connectMcp,
  loadMcpTools,
  type McpConnections,
  type McpToolClient,
  type McpToolError,
  serveMcpHttp,
} from '../../../src/interop/mcp/index.js';
import { serveTo } from './clients.js';
import { spawningSandbox } from './spawning-sandbox.js';
import { FIXTURES } from './stdio.js';

const remote = (mode: string, more = {}) => ({
  command: process.execPath,
  args: [join(FIXTURES, 'remote.mjs'), mode],
  ...more,
});
const quiet = { onProblem: () => {}, timeoutMs: 5_000 };

async function failureOf(host: ToolHost, toolName: string, args: unknown = {}) {
  const outcome = await host.call({ toolName, args });
  if (outcome.status !== 'error') throw new Error(`Not an error: ${JSON.stringify(outcome)}`);
  return outcome.error;
}

function outputOf(outcome: ToolOutcome): unknown {
  if (outcome.status !== 'ok') throw new Error(`Not a result: ${JSON.stringify(outcome)}`);
  return outcome.output;
}

describe('connectMcp()', () => {
  let mcp: McpConnections;
  let host: ToolHost;
  beforeAll(async () => {
    mcp = await connectMcp({ servers: { far: remote('good', { env: { GIVEN: 'yes' } }) }, ...quiet });
    host = createToolHost({ tools: mcp.tools });
  });
  afterAll(() => mcp.close());

  it('L106: names tools <server>__<tool>, and makes of other names valid and different ones', () => {
    const names = mcp.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['far__echo', 'far__refuse']));
    expect(names).toEqual(expect.arrayContaining([expect.stringMatching(/^far__with_dots_and_spaces_[0-9a-f]{8}$/)]));
    expect(names).toEqual(expect.arrayContaining([expect.stringMatching(/^far__long_x+_[0-9a-f]{8}$/)]));
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it('calls a tool under its own name, whatever it is called here', async () => {
    const permissive = createToolHost({ tools: mcp.tools, permissions: { allow: ['*'] } });
    const odd = mcp.tools.find(({ name }) => name.startsWith('far__with_dots'))?.name ?? '';
    expect(outputOf(await permissive.call({ toolName: odd, args: {} }))).toBe('odd name');
  });

  it('keeps description, title and schema, and validates arguments here', async () => {
    const listed = host.tools().find(({ name }) => name === 'far__echo');
    expect(listed).toMatchObject({
      displayName: 'Echo',
      description: 'Says it again',
      inputSchema: { type: 'object', required: ['text'] },
      annotations: { readOnlyHint: true },
    });
    expect(await failureOf(host, 'far__echo', {})).toMatchObject({ kind: 'validation', issues: [{ path: 'text' }] });
    expect(outputOf(await host.call({ toolName: 'far__echo', args: { text: 'hi' } }))).toBe('hi');
  });

  it('L106: an isError answer is an error of kind mcp with the text of the server', async () => {
    expect(await failureOf(host, 'far__refuse')).toMatchObject({
      error: 'McpToolError',
      kind: 'mcp',
      message: 'The quota is used up',
    });
  });

  it('L106: asks before tools that may destroy or do not say, and runs those that are read-only or harmless', async () => {
    const statuses = await Promise.all(
      mcp.tools
        .filter(({ name }) => /echo|structured|dots|long/.test(name))
        .map(async ({ name }) => [name.slice(0, 12), (await host.call({ toolName: name, args: { text: '' } })).status]),
    );
    expect(Object.fromEntries(statuses)).toEqual({
      far__echo: 'ok',
      far__structu: 'ok',
      far__with_do: 'awaiting-approval',
      far__long_xx: 'awaiting-approval',
    });
  });

  it('S19: keeps every part of a rich answer: images, audio, resources and links', async () => {
    expect(outputOf(await host.call({ toolName: 'far__rich', args: {} }))).toEqual({
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
        {
          type: 'source',
          source: 'file:///a.txt',
          title: 'file:///a.txt',
          mimeType: 'text/plain',
          content: [{ type: 'text', text: 'inside' }],
        },
        { type: 'file', data: 'Q0M=', mimeType: 'application/x', name: 'file:///a.bin' },
        { type: 'link', uri: 'https://example.org/x', name: 'x', description: 'The x' },
      ],
    });
  });

  it('gives structured content as the output, checked against the output schema', async () => {
    expect(outputOf(await host.call({ toolName: 'far__structured', args: {} }))).toEqual({ sum: 3 });
    expect((await failureOf(host, 'far__lies')).kind).toBe('execution');
  });

  it('leaves out a tool whose schema is not valid, says which, and keeps the others', () => {
    expect(mcp.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Cannot use tool 'bad_schema' of MCP server 'far': .*not valid JSON Schema/),
    ]);
    expect(mcp.tools).toHaveLength(12);
  });

  it('never runs a regular expression of a server, and lists it all the same', async () => {
    const startedAt = performance.now();
    const args = { a: `${'a'.repeat(40)}!` };
    expect(outputOf(await host.call({ toolName: 'far__greedy', args }))).toBe('greedy');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    const listed = host.tools().find(({ name }) => name === 'far__greedy');
    expect(listed?.inputSchema).toHaveProperty('properties.a.pattern', '^(a+)+$');
  });

  it('gives a server a small environment and what it was given, not the secrets of this process', async () => {
    process.env.CAISSON_TEST_SECRET = 'hush';
    const env = JSON.parse(String(outputOf(await host.call({ toolName: 'far__env', args: {} }))));
    delete process.env.CAISSON_TEST_SECRET;
    expect(env).toMatchObject({ GIVEN: 'yes', PATH: expect.any(String) });
    expect(env).not.toHaveProperty('CAISSON_TEST_SECRET');
  });

  it('says which server did not answer, and aborts with the call', async () => {
    await using hasty = await connectMcp({ servers: { far: remote('good') }, onProblem: () => {}, timeoutMs: 300 });
    const own = createToolHost({ tools: hasty.tools });
    expect(await failureOf(own, 'far__never')).toMatchObject({
      kind: 'mcp',
      message: "MCP server 'far' did not answer the request for tool 'never' within 300 ms",
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const outcome = await host.call({ toolName: 'far__never', args: {} }, { signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'execution', code: 'aborted' } });
  });

  it('says that a server died, in the call it died in and in those after, while other tools go on', async () => {
    const servers = { one: remote('good'), two: remote('good') };
    await using two = await connectMcp({ servers, ...quiet, maxRestarts: 0 });
    const own = createToolHost({ tools: two.tools });
    const died = await failureOf(own, 'one__die');
    expect(died).toMatchObject({
      kind: 'mcp',
      message: expect.stringContaining("MCP server 'one' is gone: it exited with code 7"),
    });
    expect((await failureOf(own, 'one__echo', { text: 'x' })).message).toContain("MCP server 'one' is gone");
    expect(outputOf(await own.call({ toolName: 'two__echo', args: { text: 'x' } }))).toBe('x');
  });

  it.each([
    ['dead', /^Cannot connect MCP server 'bad': it exited with code 3. It wrote: cannot find my configuration$/],
    ['silent', /^Cannot connect MCP server 'bad': .*timed out/i],
    ['garbage', /^Cannot connect MCP server 'bad': it wrote 101 lines that are no MCP messages/],
    ['huge', /^Cannot connect MCP server 'bad': it sent a message of more than 16 MiB/],
    ['flood', /^Cannot connect MCP server 'bad': it sent more than 2000 messages at once/],
    ['endless-pages', /^MCP server 'bad' failed the request for its tools: .*64/],
  ])('names a server that is %s, and uses the others', { timeout: 60_000 }, async (mode, message) => {
    const servers = { bad: remote(mode), good: remote('good') };
    await using connected = await connectMcp({
      servers,
      ...quiet,
      connectTimeoutMs: mode === 'silent' ? 5_000 : 30_000,
    });
    const problem = connected.problems.find(({ server }) => server === 'bad');
    expect(problem?.message).toMatch(message);
    expect(connected.tools.some(({ name }) => name === 'good__echo')).toBe(true);
  });

  it('names a program that does not exist, and an address where nobody listens', async () => {
    await using connected = await connectMcp({
      servers: { missing: { command: '/no/such/program' }, closed: { url: 'http://127.0.0.1:9/mcp' } },
      ...quiet,
    });
    expect(connected.tools).toEqual([]);
    const messages = Object.fromEntries(connected.problems.map(({ server, message }) => [server, message]));
    expect(messages.missing).toMatch(/^Cannot connect MCP server 'missing': .*ENOENT/);
    expect(messages.closed).toMatch(/^Cannot connect MCP server 'closed': /);
  });

  it('refuses names and configurations that cannot be', async () => {
    const connect = (servers: object) => connectMcp({ servers: servers as never });
    await expect(connect({ 'a b': remote('good') })).rejects.toThrow(/Cannot use 'a b' as the name/);
    await expect(connect({ a__b: remote('good') })).rejects.toThrow(/single '_'/);
    const misspelt = connectMcp({ servers: {}, timeoutsMs: 5 } as never);
    await expect(misspelt).rejects.toThrow("connectMcp: unknown option 'timeoutsMs'; did you mean 'timeoutMs'?");
    await expect(connectMcp({ servers: {}, maxRestarts: -1 })).rejects.toThrow(/'maxRestarts' must be a whole number/);
    await expect(connect({ a: {} })).rejects.toThrow(/Cannot connect MCP server 'a': give either 'command' or/);
    await expect(connect({ a: { url: 'file:///etc/passwd' } })).rejects.toThrow(/http\(s\) 'url'/);
  });

  it('ends the servers it started, with what they started', async () => {
    const marker = `caisson-mcp-test-${process.pid}`;
    const script = `sleep 300 & exec "$0" "$1" good # ${marker}`;
    const connected = await connectMcp({
      servers: { far: { command: 'sh', args: ['-c', script, process.execPath, join(FIXTURES, 'remote.mjs'), marker] } },
      ...quiet,
    });
    expect(processesWith('sleep 300')).not.toEqual([]);
    await connected.close();
    await connected.close();
    await vi.waitFor(() => expect(processesWith('sleep 300')).toEqual([]));
  });

  it('runs a stdio server inside a sandbox', async () => {
    const sandbox = spawningSandbox();
    await using connected = await connectMcp({ servers: { far: remote('good') }, sandbox, ...quiet });
    const own = createToolHost({ tools: connected.tools });
    expect(outputOf(await own.call({ toolName: 'far__echo', args: { text: 'from inside' } }))).toBe('from inside');
    expect(sandbox.spawned).toEqual([[process.execPath, join(FIXTURES, 'remote.mjs'), 'good']]);
    await connected.close();
    expect(sandbox.running()).toBe(0);
  });

  it('says that a server cannot run in a sandbox without long-lived programs, and runs it nowhere else', async () => {
    const sandbox = spawningSandbox({ unsupported: true });
    await using connected = await connectMcp({ servers: { far: remote('good', { sandbox }) }, ...quiet });
    expect(connected.tools).toEqual([]);
    expect(connected.problems[0]?.message).toMatch(/^Cannot connect MCP server 'far': .*long-lived/);
  });

  it('connects over HTTP, with headers', async () => {
    const say = defineTool({
      name: 'say',
      description: 'Says',
      input: z.object({ text: z.string() }),
      annotations: { readOnlyHint: true },
      execute: ({ text }) => text,
    });
    await using served = await serveMcpHttp(createToolHost({ tools: [say] }), { log: () => {} });
    const headers = { authorization: `Bearer ${served.token}` };
    for (const protocol of ['auto', 'legacy'] as const) {
      await using connected = await connectMcp({ servers: { far: { url: served.url, headers, protocol } }, ...quiet });
      const own = createToolHost({ tools: connected.tools });
      expect(outputOf(await own.call({ toolName: 'far__say', args: { text: protocol } }))).toBe(protocol);
    }
  });
});

describe.each(['v1', 'v2'])('loadMcpTools() with a client of the SDK %s', (version) => {
  it('gives tools that a host can run, with progress-independent time limits', async () => {
    const client =
      version === 'v1' ? new ClientV1({ name: 't', version: '1' }) : new ClientV2({ name: 't', version: '1' });
    const parameters = { command: process.execPath, args: [join(FIXTURES, 'remote.mjs'), 'good'] };
    await client.connect((version === 'v1' ? new StdioV1(parameters) : new StdioV2(parameters)) as never);
    const problems: McpToolError[] = [];
    const tools = await loadMcpTools(client as McpToolClient, 'far', {
      onProblem: (problem) => problems.push(problem),
      timeoutMs: 150,
    });
    const host = createToolHost({ tools });
    expect(outputOf(await host.call({ toolName: 'far__echo', args: { text: 'hi' } }))).toBe('hi');
    expect((await failureOf(host, 'far__slow')).message).toContain('within 150 ms');
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("'bad_schema'")]);
    await client.close();
    expect(await failureOf(host, 'far__echo', { text: 'hi' })).toMatchObject({
      kind: 'mcp',
      message: expect.stringContaining("MCP server 'far'"),
    });
  });

  it('asks always or never when told so', async () => {
    const client = {
      listTools: async () => ({
        tools: [{ name: 'x', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
      }),
      callTool: async () => ({ content: [] }),
    };
    const [always] = await loadMcpTools(client, 'far', { approvals: 'always' });
    const [never] = await loadMcpTools(client, 'far', { approvals: 'never' });
    expect([always?.needsApproval, never?.needsApproval]).toEqual([true, false]);
  });

  it('believes no good that a server says of its tools when told to ask always, in plan mode too', async () => {
    const claims = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    const client = {
      listTools: async () => ({
        tools: [
          { name: 'good', inputSchema: { type: 'object' }, annotations: claims },
          { name: 'bad', inputSchema: { type: 'object' }, annotations: { readOnlyHint: false, destructiveHint: true } },
        ],
      }),
      callTool: async () => ({ content: [] }),
    };
    const tools = await loadMcpTools(client, 'far', { approvals: 'always' });
    expect(tools.map(({ annotations }) => annotations)).toEqual([
      { idempotentHint: true },
      { readOnlyHint: false, destructiveHint: true },
    ]);
    const host = createToolHost({ tools, permissionMode: 'plan', approve: () => ({ decision: 'approve' }) });
    expect(await failureOf(host, 'far__good')).toMatchObject({ kind: 'denied' });
  });
});

describe('a host served over MCP and imported again', () => {
  it('gives the same tools and results, and failures keep their kind', async () => {
    const add = defineTool({
      name: 'add',
      displayName: 'Add numbers',
      description: 'Adds two numbers',
      input: z.object({ a: z.number(), b: z.number() }),
      output: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      execute: ({ a, b }) => ({ sum: a + b }),
    });
    const boxed = defineTool({
      name: 'boxed',
      description: 'Needs a sandbox',
      input: z.object({}),
      requiresSandbox: true,
      annotations: { readOnlyHint: true },
      execute: () => 'no',
    });
    const origin = createToolHost({ tools: [add, boxed] });
    await using served = await serveTo('v2 modern', origin);
    const tools = await loadMcpTools(served.client.raw as McpToolClient, 'far');
    const again = createToolHost({ tools });
    const [before] = origin.tools();
    const [after] = again.tools();
    expect(after).toEqual({ ...before, name: 'far__add' });
    expect(outputOf(await again.call({ toolName: 'far__add', args: { a: 1, b: 2 } }))).toEqual({ sum: 3 });
    const before2 = await failureOf(origin, 'boxed');
    expect(await failureOf(again, 'far__boxed')).toMatchObject({
      kind: 'sandbox',
      message: before2.message,
      code: before2.code,
    });
  });
});

function processesWith(text: string): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line === text);
}
