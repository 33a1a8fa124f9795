import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost, defineTool, type ToolHost } from '../../../src/index.js';
import {
  type ConnectMcpOptions,
  connectMcp,
  type McpConnections,
  type McpEvent,
  serveMcpHttp,
} from '../../../src/interop/mcp/index.js';
import { FIXTURES } from './stdio.js';

const SERVERS = [
  ['v1', 'legacy'],
  ['v2', 'legacy'],
  ['v2', 'auto'],
] as const;

describe.each(SERVERS)('a server of the SDK %s, spoken to as %s', (sdk, protocol) => {
  let directory: string;
  let starts: string;
  let events: McpEvent[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'caisson-mcp-'));
    starts = join(directory, 'starts');
    events = [];
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const changing = (more: string[] = []) => ({
    command: process.execPath,
    args: [join(FIXTURES, 'changing.mjs'), sdk, ...more],
    protocol,
  });
  const connect = (options: Partial<ConnectMcpOptions> = {}) =>
    connectMcp({
      servers: { far: changing(), other: changing() },
      onProblem: () => {},
      onEvent: (event) => events.push(event),
      timeoutMs: 5_000,
      ...options,
    });
  const typesOf = () => events.map(({ type }) => type);

  it('whose tools change has them changed in the registry, and says so', async () => {
    await using mcp = await connect();
    await using host = createToolHost({ tools: [mcp] });
    const before = host.registry.get('far__pid');
    expect(await textOf(host, 'far__add')).toBe('added');
    await vi.waitFor(() => expect(host.registry.has('far__extra')).toBe(true));
    expect(await textOf(host, 'far__extra')).toBe('extra');
    expect(host.registry.get('far__pid')).toBe(before);
    expect(mcp.tools.map(({ name }) => name)).toContain('far__extra');
    await vi.waitFor(async () => {
      await textOf(host, 'far__remove');
      expect(host.registry.has('far__extra')).toBe(false);
    }, 5_000);
    expect(events.filter(({ type }) => type === 'tools.changed')).toMatchObject([
      { server: 'far', added: ['far__extra'], removed: [], changed: [] },
      { server: 'far', added: [], removed: ['far__extra'], changed: [] },
    ]);
  });

  it('that changes a description has it changed, with what hides spelled out and flagged', async () => {
    await using mcp = await connect();
    await using host = createToolHost({ tools: [mcp] });
    await textOf(host, 'far__change');
    const described = () => host.tools().find(({ name }) => name === 'far__pid')?.description;
    await vi.waitFor(() => expect(described()).toBe('The number\\u{202e} of the process'));
    await vi.waitFor(() =>
      expect(events).toMatchObject([
        { type: 'text.flagged', tool: 'far__pid', where: 'description', characters: ['U+202E'] },
        { type: 'tools.changed', changed: ['far__pid'] },
      ]),
    );
  });

  it('never takes a name that somebody else has', async () => {
    await using mcp = await connect();
    await using host = createToolHost({ tools: [mcp] });
    const mine = defineTool({ name: 'far__extra', description: 'Mine', input: z.object({}), execute: () => 'mine' });
    host.registry.register(mine);
    await textOf(host, 'far__add');
    await vi.waitFor(() => expect(typesOf()).toContain('tools.changed'));
    expect(host.registry.get('far__extra')).toBe(mine);
  });

  it('that says so all the time is asked once a second at most', async () => {
    await using mcp = await connect();
    await using host = createToolHost({ tools: [mcp] });
    expect(Number(await textOf(host, 'far__storm'))).toBeLessThanOrEqual(3);
  });

  it('that died is started again by the next call, and its tools stay what they were', async () => {
    await using mcp = await connect({ servers: { far: changing([starts]) } });
    await using host = createToolHost({ tools: [mcp] });
    const tool = host.registry.get('far__pid');
    const first = await textOf(host, 'far__pid');
    expect(await messageOf(host, 'far__die')).toBe(
      "MCP server 'far' is gone: it exited with code 7. It is started again by the next call",
    );
    const second = await textOf(host, 'far__pid');
    expect(second).not.toBe(first);
    expect(readFileSync(starts, 'utf8')).toContain(second);
    expect(host.registry.get('far__pid')).toBe(tool);
    expect(events).toMatchObject([
      { type: 'server.lost', server: 'far', reason: 'it exited with code 7', willRestart: true },
      { type: 'server.restarted', server: 'far', restarts: 1 },
    ]);
  });

  it('that died is started once for many calls at once', async () => {
    await using mcp = await connect({ servers: { far: changing([starts]) } });
    await using host = createToolHost({ tools: [mcp] });
    await messageOf(host, 'far__die');
    const before = readFileSync(starts, 'utf8').split('\n').length;
    const pids = await Promise.all(Array.from({ length: 8 }, () => textOf(host, 'far__pid')));
    expect(new Set(pids).size).toBe(1);
    const perStart = protocol === 'auto' ? 2 : 1;
    expect(readFileSync(starts, 'utf8').split('\n').length - before).toBeLessThanOrEqual(perStart);
  });

  it('that dies again and again is given ever more time, and then given up, while other tools go on', {
    timeout: 30_000,
  }, async () => {
    await using mcp = await connect({ servers: { far: changing([starts]), other: changing() }, maxRestarts: 2 });
    await using host = createToolHost({ tools: [mcp] });
    await messageOf(host, 'far__die');
    expect(await messageOf(host, 'far__die')).toMatch(/gone: it exited with code 7. .* next call after 0\.[1-5] s$/);
    expect(await messageOf(host, 'far__pid')).toMatch(/is gone: it exited with code 7. .* next call after 0\.[1-5] s$/);
    await vi.waitFor(async () => expect(await textOf(host, 'far__pid')).toMatch(/^\d+$/), { timeout: 5_000 });
    expect(await messageOf(host, 'far__die')).toMatch(/It died 3 times and is not started again$/);
    expect(await messageOf(host, 'far__pid')).toMatch(/It died 3 times and is not started again$/);
    expect(events.at(-1)).toMatchObject({ type: 'server.lost', willRestart: false });
    expect(await textOf(host, 'other__pid')).toMatch(/^\d+$/);
  });

  it('that cannot be started again says why', async () => {
    await using mcp = await connect({ servers: { far: changing([starts]) } });
    await using host = createToolHost({ tools: [mcp] });
    await messageOf(host, 'far__die');
    appendFileSync(starts, 'stop\n');
    expect(await messageOf(host, 'far__pid')).toMatch(
      /^Cannot connect MCP server 'far': it exited with code 4. It wrote: told to stop$/,
    );
    expect(typesOf()).toEqual(['server.lost', 'server.lost']);
  });

  it.each([
    ['garbage', /^MCP server 'far' is gone: it wrote 101 lines that are no MCP messages/],
    ['flood', /^MCP server 'far' is gone: it sent more than 2000 messages at once/],
    ['never', /^MCP server 'far' did not answer the request for tool 'never' within 600 ms$/],
  ])(
    'that answers a call with %s is an error of kind mcp that names it, and its next call works',
    async (tool, said) => {
      await using mcp = await connect({ timeoutMs: 600 });
      await using host = createToolHost({ tools: [mcp] });
      const [outcome, other] = await Promise.all([
        host.call({ toolName: `far__${tool}`, args: {} }),
        host.call({ toolName: 'other__pid', args: {} }),
      ]);
      expect(outcome).toMatchObject({ status: 'error', error: { kind: 'mcp', message: expect.stringMatching(said) } });
      expect(other.status).toBe('ok');
      expect(await textOf(host, 'far__pid')).toMatch(/^\d+$/);
    },
  );

  it('RUN-005: text that a terminal would obey comes as it is, and is flagged', async () => {
    await using mcp = await connect();
    await using host = createToolHost({ tools: [mcp] });
    expect(await textOf(host, 'far__colour')).toBe('\u001b[31mred\u001b]52;c;aGk=\u0007\u202e');
    expect(events).toMatchObject([
      { type: 'text.flagged', tool: 'far__colour', where: 'result', characters: ['U+001B', 'U+0007', 'U+202E'] },
    ]);
  });

  it('that was closed is not started again, and its tools leave the registry', async () => {
    const mcp: McpConnections = await connect();
    await using host = createToolHost({ tools: [mcp] });
    const [tool] = mcp.tools;
    await mcp.close();
    expect(host.registry.list()).toEqual([]);
    await using later = createToolHost({ tools: tool === undefined ? [] : [tool] });
    expect(await messageOf(later, 'far__pid')).toBe("MCP server 'far' is gone: it was closed here");
  });
});

describe('a server over HTTP', () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds a tool',
    input: z.object({}),
    annotations: { readOnlyHint: true },
    execute: () => 'added',
  });
  const late = { ...add, name: 'late' };

  it.each(['legacy', 'auto'] as const)('tells that its tools changed, to a client that speaks %s', async (protocol) => {
    const origin = createToolHost({ tools: [add] });
    await using served = await serveMcpHttp(origin, { log: () => {} });
    const headers = { authorization: `Bearer ${served.token}` };
    await using mcp = await connectMcp({ servers: { far: { url: served.url, headers, protocol } } });
    await using host = createToolHost({ tools: [mcp] });
    // The stream for what a server says by itself opens beside the first requests.
    await vi.waitFor(
      () => {
        origin.registry.unregister('late');
        origin.registry.register(late);
        expect(host.registry.list()).toEqual(['far__add', 'far__late']);
      },
      { timeout: 10_000, interval: 300 },
    );
    expect(await textOf(host, 'far__late')).toBe('added');
  });

  it('that forgot the session of a legacy client is given a new one within the call', async () => {
    const origin = createToolHost({ tools: [add] });
    const token = 'a token of the test';
    const first = await serveMcpHttp(origin, { log: () => {}, token });
    const events: McpEvent[] = [];
    const servers = {
      far: { url: first.url, headers: { authorization: `Bearer ${token}` }, protocol: 'legacy' },
    } as const;
    await using mcp = await connectMcp({ servers, onEvent: (event) => events.push(event) });
    await using host = createToolHost({ tools: [mcp] });
    expect(await textOf(host, 'far__add')).toBe('added');
    await first.close();
    expect(await messageOf(host, 'far__add')).toMatch(/MCP server 'far'/);
    await using _second = await serveMcpHttp(origin, { log: () => {}, token, port: Number(new URL(first.url).port) });
    expect(await textOf(host, 'far__add')).toBe('added');
    expect(events.map(({ type }) => type)).toEqual(['server.lost', 'server.restarted']);
  });
});

async function textOf(host: ToolHost, toolName: string): Promise<string> {
  const outcome = await host.call({ toolName, args: {} });
  if (outcome.status !== 'ok') throw new Error(`Not a result: ${JSON.stringify(outcome)}`);
  return String(outcome.output);
}

async function messageOf(host: ToolHost, toolName: string): Promise<string> {
  const outcome = await host.call({ toolName, args: {} });
  if (outcome.status !== 'error') throw new Error(`Not an error: ${JSON.stringify(outcome)}`);
  expect(outcome.error.kind).toBe('mcp');
  return outcome.error.message;
}
