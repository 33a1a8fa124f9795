import type { ClientCapabilities, Server } from '@modelcontextprotocol/server';
import type { ToolHost } from '../../../host/types.js';
import { listMcpTools } from './list-tools.js';
import { readServeOptions, type ServeMcpOptions, type ServeMcpSettings } from './options.js';
import { loadServerSdk, type ServerSdk } from './server-sdk.js';
import { type Caller, ToolCalls } from './tool-calls.js';

/** One host, served to any number of connections: they share calls under way, open questions, and the key of these. */
export class HostService {
  readonly sdk: ServerSdk;
  readonly settings: ServeMcpSettings;
  readonly #host: ToolHost;
  readonly #calls: ToolCalls;
  readonly #listeners = new Set<() => void>();
  readonly #logged = new WeakSet<Error>();
  readonly #stopWatching: () => void;

  static async open(host: ToolHost, options: ServeMcpOptions): Promise<HostService> {
    const settings = readServeOptions(options);
    return new HostService(host, settings, await loadServerSdk());
  }

  private constructor(host: ToolHost, settings: ServeMcpSettings, sdk: ServerSdk) {
    this.#host = host;
    this.settings = settings;
    this.sdk = sdk;
    this.#calls = new ToolCalls(host, settings, sdk);
    this.#stopWatching = host.registry.onChange(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  /** Calls back when the list of tools changed. @returns a function that ends it */
  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A server of the SDK for one connection, or, over modern HTTP, one request. */
  createServer(era: 'legacy' | 'modern'): Server {
    const { name, version } = this.settings;
    const instructions = this.settings.instructions ?? this.#host.sandbox?.description;
    const server = new this.sdk.Server(
      { name, version },
      {
        capabilities: { tools: { listChanged: true } },
        requestState: { verify: this.#calls.seal.verify },
        ...(instructions === undefined ? {} : { instructions }),
      },
    );
    server.onerror = (error) => this.logError(error);
    server.setRequestHandler('tools/list', () => ({ tools: listMcpTools(this.#host) }));
    const caller: Caller = {
      era,
      capabilities: ({ mcpReq }) => {
        const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
        return envelope?.[this.sdk.CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
      },
      // Clients of the 2025 revisions take only an object as structured content: the SDK wraps what is none.
      project: (result, outputSchema) => server.projectCallToolResult(result, outputSchema),
    };
    server.setRequestHandler('tools/call', ({ params }, ctx) => this.#calls.handle(params, ctx, caller));
    return server;
  }

  /** The SDK tells the same error of a connection and of the server on it: it is one line. */
  logError(error: Error): void {
    if (this.#logged.has(error)) return;
    this.#logged.add(error);
    this.settings.log(`caisson mcp: ${error.message.slice(0, 500)}`);
  }

  close(): void {
    this.#stopWatching();
    this.#listeners.clear();
    this.#calls.close();
  }
}
