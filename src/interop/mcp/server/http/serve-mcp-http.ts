import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolHost } from '../../../../host/types.js';
import { readMessage } from '../../wire/read-message.js';
import { HostService } from '../host-service.js';
import type { ServeMcpOptions } from '../options.js';
import type { McpServerHandle } from '../serve-mcp.js';
import { LegacySessions } from './legacy-sessions.js';
import { createRequestGuard } from './request-guard.js';
import { readBody, sendRefusal, sendWebResponse, toWebRequest } from './web-exchange.js';

export interface ServeMcpHttpOptions extends ServeMcpOptions {
  /** Default 0: a free one. */
  port?: number;
  /** What clients must send as `Authorization: Bearer …`; at least 16 characters. Default a random one. */
  token?: string;
  /** Bytes of one request's body. Default 16 MiB. */
  maxMessageBytes?: number;
}

export interface McpHttpServerHandle extends McpServerHandle {
  /** `http://127.0.0.1:<port>/mcp` */
  readonly url: string;
  readonly token: string;
}

const PATH = '/mcp';
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_CONNECTIONS = 256;

/**
 * Serves a host's tools over Streamable HTTP, on the loopback interface only, to clients that know the token and do
 * not come from a web page of another machine. All clients share the host, and so its sandbox.
 *
 * @throws TypeError for options that cannot be; the system's error when the port cannot be had
 * @example
 * const { url, token, close } = await serveMcpHttp(host, { port: 7411 });
 */
export async function serveMcpHttp(host: ToolHost, options: ServeMcpHttpOptions = {}): Promise<McpHttpServerHandle> {
  const {
    port = 0,
    token = randomBytes(24).toString('base64url'),
    maxMessageBytes = MAX_MESSAGE_BYTES,
    ...rest
  } = options;
  if (token.length < 16) throw new TypeError("Cannot serve MCP: 'token' must have at least 16 characters");
  const service = await HostService.open(host, rest);
  const sessions = new LegacySessions(service);
  const modern = service.sdk.createMcpHandler(({ era }) => service.createServer(era), {
    legacy: 'reject',
    onerror: (error) => service.logError(error),
  });
  service.onToolsChanged(() => modern.notify.toolsChanged());
  const guard = createRequestGuard(token, PATH);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = guard(request);
    if (refusal !== undefined) return sendRefusal(response, refusal.status, refusal);
    let body: unknown;
    if (request.method === 'POST') {
      const text = await readBody(request, maxMessageBytes);
      if (text === undefined) return sendRefusal(response, 413, { reason: 'The message is too long' });
      const read = readMessage(text);
      if (!read.ok) return sendRefusal(response, 400, read);
      body = read.message;
    }
    const web = toWebRequest(request, response, `http://127.0.0.1:${port}`);
    const isLegacy = await service.sdk.isLegacyRequest(web, body);
    const answer = isLegacy
      ? await sessions.handle(web, body)
      : await modern.fetch(web, body === undefined ? {} : { parsedBody: body });
    await sendWebResponse(answer, response);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      // A client that goes away in the middle is no news.
      if (response.destroyed) return;
      service.settings.log(`caisson mcp: ${error instanceof Error ? error.message : String(error)}`);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, 500, { code: -32603, reason: 'Internal error' });
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, port);

  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.once('close', resolve);
  const close = async (): Promise<void> => {
    service.close();
    server.close();
    await Promise.all([modern.close(), sessions.close()]);
    server.closeAllConnections();
    await closed;
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  return { url, token, closed, close, [Symbol.asyncDispose]: close };
}

function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}
