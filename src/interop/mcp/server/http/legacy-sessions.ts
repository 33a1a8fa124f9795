import { randomUUID } from 'node:crypto';
import type { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { HostService } from '../host-service.js';

interface Session {
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
}

const MAX_SESSIONS = 64;
const IDLE_MS = 60 * 60 * 1_000;

/**
 * Clients of the 2025 revisions over HTTP. Each has a session, because only a session can ask (elicitation) and tell
 * (list changes). The one used longest ago makes room for a new one.
 */
export class LegacySessions {
  readonly #service: HostService;
  readonly #sessions = new Map<string, Session>();

  constructor(service: HostService) {
    this.#service = service;
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const session = id === null ? await this.#open(body) : this.#sessions.get(id);
    if (session === undefined) {
      return id === null
        ? refuse(400, 'Start with an initialize request')
        : refuse(404, 'The session is over: start a new one with an initialize request');
    }
    session.lastUsed = Date.now();
    const response = await session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    if (session.transport.sessionId === undefined) await session.server.close();
    return response;
  }

  async close(): Promise<void> {
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ server }) => server.close()));
  }

  async #open(body: unknown): Promise<Session | undefined> {
    if ((body as { method?: unknown } | undefined)?.method !== 'initialize') return undefined;
    await this.#makeRoom();
    const server = this.#service.createServer('legacy');
    const transport = new this.#service.sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const session: Session = { server, transport, lastUsed: Date.now() };
    const stop = this.#service.onToolsChanged(() => void server.sendToolListChanged().catch(() => {}));
    server.onclose = () => {
      stop();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    return session;
  }

  async #makeRoom(): Promise<void> {
    const byAge = [...this.#sessions.values()].sort((left, right) => left.lastUsed - right.lastUsed);
    const surplus = byAge.length - MAX_SESSIONS + 1;
    const ended = byAge.filter(({ lastUsed }, index) => index < surplus || lastUsed < Date.now() - IDLE_MS);
    await Promise.all(ended.map(({ server }) => server.close()));
  }
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status });
}
