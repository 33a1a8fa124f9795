import { object, whole } from '../../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../../checks/options.js';
import type { Sandbox } from '../../../sandbox/contract.js';
import type { DefinedTool } from '../../../tool/define-tool.js';
import type { ToolRegistry } from '../../../tool/registry.js';
import { loadClientSdk } from './client-sdk.js';
import { LOAD_KINDS, type LoadMcpToolsOptions, warnOfMcp } from './load-mcp-tools.js';
import type { McpToolError } from './mcp-tool-error.js';
import { checkServerConfig, type McpServerConfig } from './server-config.js';
import { ServerConnection } from './server-connection.js';

export interface ConnectMcpOptions extends LoadMcpToolsOptions {
  /** By name; the name starts the names of the server's tools. */
  servers: Readonly<Record<string, McpServerConfig>>;
  /** Where stdio servers run that name no sandbox of their own. */
  sandbox?: Sandbox;
  /** Milliseconds a server may take to start. Default 30,000. */
  connectTimeoutMs?: number;
  /**
   * How often a program that dies soon after its start is started again, by the next call of one of its tools: at once,
   * then with growing waits. Default 5; 0 never.
   */
  maxRestarts?: number;
}

/** Servers that are connected. */
export interface McpConnections extends AsyncDisposable {
  /** Of all servers that could be connected, now. */
  readonly tools: DefinedTool[];
  /** Servers and tools that could not; the others work. */
  readonly problems: readonly McpToolError[];
  /**
   * Registers the tools, and keeps them up to date when a server says that its tools changed. `createToolHost({ tools:
   * [mcp] })` does it too.
   * @throws TypeError when a name is taken
   * @returns a function that takes them out again
   */
  attach(registry: ToolRegistry): () => void;
  /** Disconnects, and ends the servers that were started. Idempotent. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 30_000;
const MAX_RESTARTS = 5;
const MAX_PROBLEMS = 1_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

const OPTIONS = shapeOf<ConnectMcpOptions>({
  ...LOAD_KINDS,
  servers: object,
  sandbox: object,
  connectTimeoutMs: whole(1, MAX_TIMER_MS),
  maxRestarts: whole(0),
});

/**
 * Starts and connects MCP servers, and gives their tools as tools of ours. A server that cannot be connected is a
 * problem of its own: it is told, and the others are used. Needs the package `@modelcontextprotocol/client`.
 *
 * @throws TypeError for an unknown option, a name or a configuration that cannot be; Error when the client package is not installed
 * @example
 * await using mcp = await connectMcp({ servers: { files: { command: 'npx', args: ['-y', 'some-mcp-server'], sandbox } } });
 * await using host = createToolHost({ sandbox, tools: [codingTools(), mcp] });
 */
export async function connectMcp(options: ConnectMcpOptions): Promise<McpConnections> {
  checkOptions('connectMcp', options, OPTIONS);
  const { servers, onProblem = warnOfMcp, maxRestarts = MAX_RESTARTS } = options;
  for (const [name, config] of Object.entries(servers)) checkServerConfig(name, config);
  await loadClientSdk();
  const problems: McpToolError[] = [];
  const report = (problem: McpToolError) => {
    // A tool that cannot be used is listed again with each change of the others.
    if (problems.length >= MAX_PROBLEMS || problems.some(({ message }) => message === problem.message)) return;
    problems.push(problem);
    onProblem(problem);
  };
  const settings = {
    ...options,
    sandbox: options.sandbox,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    maxRestarts,
    onProblem: report,
  };
  const opened = await Promise.all(
    Object.entries(servers).map(([name, config]) =>
      ServerConnection.open(name, config, settings).catch((error: McpToolError) => {
        report(error);
        return undefined;
      }),
    ),
  );
  return connected(
    opened.filter((connection) => connection !== undefined),
    problems,
  );
}

function connected(connections: readonly ServerConnection[], problems: readonly McpToolError[]): McpConnections {
  const detachers = new Set<() => void>();
  const close = async () => {
    for (const detach of detachers) detach();
    await Promise.all(connections.map((connection) => connection.close()));
  };
  return {
    get tools() {
      return connections.flatMap(({ tools }) => tools);
    },
    problems,
    attach: (registry) => {
      const done: (() => void)[] = [];
      const detach = () => {
        for (const end of done) end();
        detachers.delete(detach);
      };
      try {
        for (const connection of connections) done.push(connection.attach(registry));
      } catch (error) {
        detach();
        throw error;
      }
      detachers.add(detach);
      return detach;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
