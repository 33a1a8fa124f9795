import type { DefinedTool } from '../../../tool/define-tool.js';
import type { ToolRegistry } from '../../../tool/registry.js';
import { AttachedTools } from '../../attached-tools.js';
import { type LoadMcpToolsOptions, type McpToolClient, readMcpTools } from './load-mcp-tools.js';
import { type TellMcp, tellMcp } from './mcp-event.js';
import { McpToolError } from './mcp-tool-error.js';
import { cannotConnect, type OpenClient, type OpenClientOptions, openClient } from './open-client.js';
import { Restarts } from './restarts.js';
import type { McpServerConfig } from './server-config.js';

export interface ServerConnectionOptions
  extends LoadMcpToolsOptions,
    Pick<OpenClientOptions, 'sandbox' | 'connectTimeoutMs'> {
  maxRestarts: number;
}

/** However often a server says that its tools changed. */
const REFRESH_INTERVAL_MS = 1_000;

/**
 * One server, over all its lives: a program that died is started again by the next call, and its list of tools is read
 * again whenever it says that it changed.
 */
export class ServerConnection {
  readonly #name: string;
  readonly #config: McpServerConfig;
  readonly #options: ServerConnectionOptions;
  readonly #tell: TellMcp;
  readonly #restarts: Restarts;
  readonly #attached = new Set<AttachedTools>();
  #tools: DefinedTool[] = [];
  #live: OpenClient | undefined;
  #opening: Promise<OpenClient> | undefined;
  #lostBecause = '';
  #restarted = 0;
  #refreshing: Promise<void> | undefined;
  #mustRefresh = false;
  #mustListen = false;
  #closed = false;

  /** @throws McpToolError naming the server */
  static async open(
    name: string,
    config: McpServerConfig,
    options: ServerConnectionOptions,
  ): Promise<ServerConnection> {
    const connection = new ServerConnection(name, config, options);
    let live: OpenClient | undefined;
    try {
      live = await connection.#open();
      connection.#live = live;
      connection.#tools = await connection.#read([]);
      return connection;
    } catch (error) {
      const reason = live?.failure;
      await connection.close();
      throw cannotConnect(name, reason === undefined ? error : new Error(reason, { cause: error }), live?.errorTail);
    }
  }

  private constructor(name: string, config: McpServerConfig, options: ServerConnectionOptions) {
    this.#name = name;
    this.#config = config;
    this.#options = options;
    this.#tell = tellMcp(name, options.onEvent);
    this.#restarts = new Restarts(options.maxRestarts);
  }

  get tools(): DefinedTool[] {
    return this.#tools;
  }

  /** @throws TypeError when a name is taken. @returns a function that takes the tools out again */
  attach(registry: ToolRegistry): () => void {
    const attached = new AttachedTools(registry, this.#tools);
    this.#attached.add(attached);
    return () => {
      attached.end();
      this.#attached.delete(attached);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => {});
    await this.#live?.close();
  }

  /** What the tools ask: whichever client is the living one. */
  readonly #client: McpToolClient & { getProtocolEra(): string | undefined } = {
    getProtocolEra: () => this.#live?.client.getProtocolEra(),
    listTools: async (params, options) => (await this.#alive()).client.listTools(params as never, options as never),
    callTool: async (params, options) => {
      const live = await this.#alive();
      try {
        return await this.#ask(live, params, options);
      } catch (error) {
        if (!isSessionOver(error, live)) throw error;
        // The server refused the request without running it: a session it no longer knows is begun anew.
        await this.#lose(live, 'its session is over');
        return this.#ask(await this.#alive(), params, options);
      }
    },
  };

  async #ask(live: OpenClient, params: unknown, options: unknown): Promise<unknown> {
    try {
      return await live.client.callTool(params as never, options as never);
    } catch (error) {
      if (live.reason === undefined || isAborted(options)) throw error;
      throw this.#gone(live.reason, error);
    }
  }

  /** @throws McpToolError where the server is gone, and when it may be started again */
  async #alive(): Promise<OpenClient> {
    if (this.#closed) throw new McpToolError(this.#name, `MCP server '${this.#name}' is gone: it was closed here`);
    if (this.#live === undefined) return this.#revive();
    if (this.#mustListen) this.#listenAgain(this.#live);
    return this.#live;
  }

  #revive(): Promise<OpenClient> {
    if (this.#opening !== undefined) return this.#opening;
    if (this.#restarts.isOver || this.#restarts.waitMs > 0) return Promise.reject(this.#gone(this.#lostBecause));
    this.#opening = this.#open()
      .then(
        (live) => {
          this.#live = live;
          this.#restarted += 1;
          this.#tell({ type: 'server.restarted', restarts: this.#restarted });
          this.#refresh();
          return live;
        },
        (error: unknown) => {
          this.#noticeDeath(error instanceof Error ? error.message : String(error));
          throw error;
        },
      )
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  async #open(): Promise<OpenClient> {
    const { sandbox, connectTimeoutMs } = this.#options;
    this.#restarts.noticeStart();
    const live = await openClient(this.#name, this.#config, {
      sandbox,
      connectTimeoutMs,
      onToolsChanged: () => this.#refresh(),
    });
    live.client.onclose = () => void this.#lose(live, live.reason ?? 'the connection was closed');
    if (live.reason !== undefined) throw new Error(live.reason);
    this.#watchSubscription(live);
    return live;
  }

  async #lose(live: OpenClient, reason: string): Promise<void> {
    if (this.#live !== live || this.#closed) return;
    this.#live = undefined;
    this.#noticeDeath(reason);
    await live.close();
  }

  #noticeDeath(reason: string): void {
    this.#lostBecause = reason;
    // A session of HTTP that ends costs nothing to begin again.
    if ('command' in this.#config) this.#restarts.noticeDeath();
    this.#tell({ type: 'server.lost', reason, willRestart: !this.#restarts.isOver });
  }

  #gone(reason: string, cause?: unknown): McpToolError {
    const { isOver, deaths, waitMs } = this.#restarts;
    const next = isOver
      ? `It died ${deaths} times and is not started again`
      : `It is started again by the next call${waitMs === 0 ? '' : ` after ${Math.ceil(waitMs / 100) / 10} s`}`;
    return new McpToolError(this.#name, `MCP server '${this.#name}' is gone: ${reason}. ${next}`, { cause });
  }

  /** A modern server tells changes in a subscription; one that ended is opened again by the next call. */
  #watchSubscription(live: OpenClient, subscription = live.client.autoOpenedSubscription): void {
    void subscription?.closed.then((how) => {
      if (how !== 'local' && this.#live === live) this.#mustListen = true;
    });
  }

  #listenAgain(live: OpenClient): void {
    this.#mustListen = false;
    live.client
      .listen({ toolsListChanged: true })
      .then((subscription) => this.#watchSubscription(live, subscription))
      .catch(() => {});
    this.#refresh();
  }

  #refresh(): void {
    this.#mustRefresh = true;
    this.#refreshing ??= this.#refreshAll().finally(() => {
      this.#refreshing = undefined;
    });
  }

  async #refreshAll(): Promise<void> {
    while (this.#mustRefresh && !this.#closed) {
      this.#mustRefresh = false;
      await this.#refreshOnce();
      await new Promise<void>((resolve) => void setTimeout(resolve, REFRESH_INTERVAL_MS).unref());
    }
  }

  #read(known: readonly DefinedTool[]): Promise<DefinedTool[]> {
    const options = { ...this.#options, listTimeoutMs: this.#options.connectTimeoutMs, known };
    return readMcpTools(this.#client, this.#name, options);
  }

  async #refreshOnce(): Promise<void> {
    // A server that is gone is asked once it is back.
    if (this.#live === undefined && this.#opening === undefined) return;
    const before = new Map(this.#tools.map((tool) => [tool.name, tool]));
    try {
      this.#tools = await this.#read(this.#tools);
    } catch (error) {
      if (!this.#closed) this.#options.onProblem?.(cannotConnect(this.#name, error));
      return;
    }
    const names = this.#tools.map(({ name }) => name);
    const added = names.filter((name) => !before.has(name));
    const changed = this.#tools.filter((tool) => before.has(tool.name) && before.get(tool.name) !== tool);
    const removed = [...before.keys()].filter((name) => !names.includes(name));
    if (added.length + changed.length + removed.length === 0) return;
    for (const attached of this.#attached) attached.update(this.#tools);
    this.#tell({ type: 'tools.changed', added, removed, changed: changed.map(({ name }) => name) });
  }
}

function isAborted(options: unknown): boolean {
  return (options as { signal?: AbortSignal } | undefined)?.signal?.aborted === true;
}

/** As the protocol says it: 404 to a request that named its session. */
function isSessionOver(error: unknown, { sessionId }: OpenClient): boolean {
  return sessionId !== undefined && (error as { status?: unknown } | undefined)?.status === 404;
}
