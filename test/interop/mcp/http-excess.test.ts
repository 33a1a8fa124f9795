import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost, defineTool } from '../../../src/index.js';
import { connectMcp } from '../../../src/interop/mcp/index.js';

const MiB = 1024 * 1024;
const NOTE = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
const event = (message: object) => `event: message\r\ndata: ${JSON.stringify(message)}\r\n\r\n`;
const answer = (id: unknown, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

/** Writes for as long as somebody reads. */
function pour(response: ServerResponse, text: string): void {
  const write = () => {
    while (!response.destroyed) if (!response.write(text)) return void response.once('drain', write);
  };
  write();
}

/** What a call of the tool is answered with. */
const CALLS: Record<string, (response: ServerResponse, id: unknown) => void> = {
  'an endless message': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0","result":"');
    pour(response, 'x'.repeat(MiB));
  },
  'an endless event': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
    pour(response, 'x'.repeat(MiB));
  },
  'endless events': (response) => {
    pour(response.writeHead(200, { 'content-type': 'text/event-stream' }), event(NOTE).repeat(100));
  },
  'long events, a few of them': (response, id) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const long = { ...NOTE, params: { ...NOTE.params, data: 'x'.repeat(6 * MiB) } };
    response.end(`: alive\n\n${event(long).repeat(4)}${event(answer(id, 'done'))}`);
  },
};

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server of the 2025 revisions with one tool. */
async function startServer(onCall: (response: ServerResponse, id: unknown) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    if (text === '') return response.writeHead(405).end();
    const { id, method } = JSON.parse(text);
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'tools/call') return onCall(response, id);
    const tools = [{ name: 'pour', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
    const serverInfo = { name: 'excess', version: '1' };
    const results: Record<string, object> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function callTwice(kind: string) {
  const url = await startServer(CALLS[kind] ?? (() => {}));
  await using connected = await connectMcp({ servers: { far: { url, protocol: 'legacy' } }, timeoutMs: 30_000 });
  const near = defineTool({ name: 'near', description: 'Is here', input: z.object({}), execute: () => 'here' });
  await using host = createToolHost({ tools: [connected, near] });
  const first = await host.call({ toolName: 'far__pour', args: {} });
  return { first, second: await host.call({ toolName: 'near', args: {} }) };
}

describe('an MCP server over HTTP', () => {
  it.each([
    ['an endless message', 'it sent a message of more than 16 MiB'],
    ['an endless event', 'it sent a message of more than 16 MiB'],
    ['endless events', 'it sent more than 2000 messages at once'],
  ])('that sends %s is cut off and named, and other tools go on', { timeout: 30_000 }, async (kind, reason) => {
    const startedAt = performance.now();
    const { first, second } = await callTwice(kind);
    expect(first).toMatchObject({
      status: 'error',
      error: { kind: 'mcp', message: expect.stringContaining(`MCP server 'far' is gone: ${reason}`) },
    });
    expect(second).toMatchObject({ status: 'ok', output: 'here' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('may send more than one message may hold, in several', { timeout: 30_000 }, async () => {
    const { first } = await callTwice('long events, a few of them');
    expect(first).toMatchObject({ status: 'ok', output: 'done' });
  });
});
