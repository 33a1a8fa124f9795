import { request as httpRequest } from 'node:http';
import { StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost, defineTool } from '../../../src/index.js';
import { type McpHttpServerHandle, serveMcpHttp } from '../../../src/interop/mcp/index.js';
import { CLIENT_KINDS, type ClientKind, connectClient, errorOf } from './clients.js';
import { CLI, startRawServer } from './stdio.js';

const { promise: aborted, resolve: tellAborted } = Promise.withResolvers<void>();
const ran: string[] = [];

function createHost() {
  return createToolHost({
    tools: [
      defineTool({
        name: 'say',
        description: 'Says',
        input: z.object({ text: z.string() }),
        execute: ({ text }) => text,
      }),
      defineTool({
        name: 'gated',
        description: 'Asks',
        input: z.object({ to: z.string() }),
        needsApproval: true,
        execute: ({ to }) => {
          ran.push(to);
          return `went to ${to}`;
        },
      }),
      defineTool({
        name: 'count',
        description: 'Counts',
        input: z.object({}),
        execute: async function* () {
          yield 'one';
          await new Promise((resolve) => setTimeout(resolve, 50));
          yield 'two';
        },
      }),
      defineTool({
        name: 'wait',
        description: 'Waits',
        input: z.object({}),
        execute: (_, { abortSignal }) => new Promise(() => abortSignal?.addEventListener('abort', () => tellAborted())),
      }),
    ],
  });
}

const host = createHost();
let served: McpHttpServerHandle;
beforeAll(async () => {
  served = await serveMcpHttp(host, { log: () => {}, maxMessageBytes: 100_000 });
});
afterAll(() => served.close());
afterEach(() => {
  ran.length = 0;
});

function transportOf(kind: ClientKind, { url, token }: { url: string; token: string }) {
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  return kind === 'v1' ? new HttpV1(new URL(url), options) : new HttpV2(new URL(url), options);
}

describe.each(CLIENT_KINDS)('serveMcpHttp() to a %s client', (kind) => {
  it('lists and calls tools', async () => {
    const client = await connectClient(kind, transportOf(kind, served));
    expect((await client.list()).map(({ name }) => name)).toEqual(['say', 'gated', 'count', 'wait']);
    expect((await client.call('say', { text: 'hi' })).content).toEqual([{ type: 'text', text: 'hi' }]);
    await expect(client.call('none')).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('asks at the client and runs on accept; rejects where it cannot ask', async () => {
    const asking = await connectClient(kind, transportOf(kind, served), {
      elicit: () => ({ action: 'accept', content: {} }),
    });
    expect((await asking.call('gated', { to: 'sea' })).content[0]?.text).toBe('went to sea');
    await asking.close();
    const silent = await connectClient(kind, transportOf(kind, served));
    expect(errorOf(await silent.call('gated', { to: 'sky' })).kind).toBe('rejected');
    expect(ran).toEqual(['sea']);
    expect(host.approvals.list()).toEqual([]);
    await silent.close();
  });

  it('tells progress while a call runs', async () => {
    const client = await connectClient(kind, transportOf(kind, served));
    const heard: unknown[] = [];
    const result = await client.call('count', {}, { onprogress: ({ message }) => heard.push(message) });
    expect(result.content[0]?.text).toBe('two');
    expect(heard[0]).toBe('one');
    await client.close();
  });

  it('tells when the list of tools changed', async () => {
    const client = await connectClient(kind, transportOf(kind, served));
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    await client.onToolsChanged(resolve);
    // Its stream for notifications is opened after it has connected.
    await new Promise((later) => setTimeout(later, 200));
    host.registry.register(
      defineTool({ name: 'extra', description: 'Extra', input: z.object({}), execute: () => 'extra' }),
    );
    await changed;
    host.registry.unregister('extra');
    await client.close();
  });

  it('aborts the call when the client cancels', async () => {
    const client = await connectClient(kind, transportOf(kind, served));
    const controller = new AbortController();
    const call = client.call('wait', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(call).rejects.toThrow();
    await aborted;
    expect((await client.call('say', { text: 'next' })).content[0]?.text).toBe('next');
    await client.close();
  });

  it('is closed to a client with another token', async () => {
    const transport = transportOf(kind, { url: served.url, token: 'another-token-of-some-length' });
    await expect(connectClient(kind, transport)).rejects.toThrow();
  });
});

interface RawAnswer {
  status: number;
  body: string;
  headers: Record<string, unknown>;
}

/** By hand: fetch sends no other Host than the address. */
function post(
  headers: Record<string, string>,
  body = '{}',
  options: { method?: string; path?: string } = {},
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const url = new URL(options.path ?? '/mcp', served.url);
  const request = httpRequest(url, { method: options.method ?? 'POST', headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
  });
  request.on('error', reject);
  request.end(options.method === 'GET' ? undefined : body);
  return promise;
}

describe('the HTTP server', () => {
  const right = () => ({
    authorization: `Bearer ${served.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

  it('listens on the loopback interface, with a token of its own', () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(served.token.length).toBeGreaterThanOrEqual(32);
  });

  it('refuses a Host that is another machine, even with the token', async () => {
    for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      expect((await post({ ...right(), host: name }, list)).status).toBe(403);
    }
    expect((await post({ ...right(), host: 'localhost:1' }, list)).status).not.toBe(403);
  });

  it('refuses a web page of another machine, even with the token', async () => {
    for (const origin of ['https://evil.example', 'null', 'file://', 'http://localhost.evil.example']) {
      expect((await post({ ...right(), origin }, list)).status).toBe(403);
    }
    expect((await post({ ...right(), origin: 'http://localhost:3000' }, list)).status).not.toBe(403);
  });

  it('refuses a missing or wrong token with 401', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${served.token}`, `Bearer ${served.token}x`]) {
      const answer = await post({ ...right(), authorization }, list);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).not.toContain(served.token);
    }
  });

  it('answers other paths, methods and types with 404, 405 and 415', async () => {
    expect((await post(right(), list, { path: '/' })).status).toBe(404);
    expect((await post(right(), list, { method: 'PUT' })).status).toBe(405);
    expect((await post(right(), list, { method: 'OPTIONS' })).status).toBe(405);
    expect((await post({ ...right(), 'content-type': 'text/plain' }, list)).status).toBe(415);
  });

  it.each([
    ['no JSON', 'hello', 400, -32700],
    ['a batch', `[${list}]`, 400, -32600],
    ['deep nesting', '['.repeat(100_000 - 10), 400, -32600],
    [
      '__proto__',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"__proto__":{}}}}',
      400,
      -32602,
    ],
    ['too much', `"${'x'.repeat(200_000)}"`, 413, -32000],
  ])('HOST-017: answers a body that is %s with an error', async (_, body, status, code) => {
    const answer = await post(right(), body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).error.code).toBe(code);
  });

  it('answers a session that does not exist with 404, and a start without initialize with 400', async () => {
    expect((await post(right(), list)).status).toBe(400);
    expect((await post({ ...right(), 'mcp-session-id': 'made-up' }, list)).status).toBe(404);
    expect((await post({ ...right(), 'mcp-session-id': 'made-up' }, '', { method: 'GET' })).status).toBe(404);
  });

  it('keeps a bounded number of sessions: the one used longest ago ends', { timeout: 60_000 }, async () => {
    const open = async () => {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      return String((await post(right(), body)).headers['mcp-session-id']);
    };
    const first = await open();
    for (let index = 0; index < 64; index += 1) await open();
    expect((await post({ ...right(), 'mcp-session-id': first }, list)).status).toBe(404);
    expect((await post({ ...right(), 'mcp-session-id': await open() }, list)).status).toBe(200);
  });

  it('refuses a short token, and a port that is taken', async () => {
    await expect(serveMcpHttp(host, { token: 'short' })).rejects.toThrow(/'token' must have at least 16 characters/);
    const port = Number(new URL(served.url).port);
    await expect(serveMcpHttp(host, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('ends calls, sessions and connections when it closes', async () => {
    const own = createHost();
    const server = await serveMcpHttp(own, { log: () => {} });
    const client = await connectClient('v1', transportOf('v1', server));
    const call = client.call('wait').catch(() => 'ended');
    await new Promise((later) => setTimeout(later, 50));
    await server.close();
    await server.closed;
    await client.close();
    expect(await call).toBe('ended');
  });
});

describe('caisson mcp --http', () => {
  it('prints address and token to stderr, serves, and ends at SIGTERM', { timeout: 60_000 }, async () => {
    await using server = startRawServer([CLI, 'mcp', '--http', '0']);
    const url = await vi.waitFor(() => match(server.stderr(), /at (http:\/\/127\.0\.0\.1:\d+\/mcp)/), {
      timeout: 10_000,
    });
    const token = match(server.stderr(), /Bearer (\S+)/);
    const client = await connectClient('v2 modern', transportOf('v2 modern', { url, token }));
    expect((await client.call('shell', { command: 'echo over http' })).content[0]?.text).toContain('over http');
    await client.close();
    expect(server.lines).toEqual([]);
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(143);
  });
});

function match(text: string, pattern: RegExp): string {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`${pattern} is not in ${text}`);
  return found;
}
