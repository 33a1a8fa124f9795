import type { Transport } from '@modelcontextprotocol/client';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { Sandbox } from '../../../sandbox/contract.js';
import type { DefinedTool } from '../../../tool/define-tool.js';
import { startHostProcess } from './host-process.js';
import { type LoadMcpToolsOptions, loadMcpTools } from './load-mcp-tools.js';
import { McpToolError } from './mcp-tool-error.js';
import { ProcessTransport } from './process-transport.js';
import { startSandboxedProcess } from './sandboxed-process.js';
import { checkServerName } from './tool-names.js';

/** One MCP server: a program to start, or an address. */
export type McpServerConfig = McpStdioServer | McpHttpServer;

export interface McpStdioServer {
  command: string;
  args?: readonly string[];
  /** Added to a small environment without secrets. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Where it runs. Absent: on this machine, with your rights. */
  sandbox?: Sandbox;
  /** `auto` looks for the 2026-07-28 protocol first, and starts the program twice for it. Default `legacy`. */
  protocol?: 'legacy' | 'auto';
}

export interface McpHttpServer {
  url: string | URL;
  headers?: Readonly<Record<string, string>>;
  /** `auto` looks for the 2026-07-28 protocol first. Default `auto`. */
  protocol?: 'legacy' | 'auto';
}

export interface ConnectMcpOptions extends Pick<LoadMcpToolsOptions, 'timeoutMs' | 'approvals'> {
  /** By name; the name starts the names of the server's tools. */
  servers: Readonly<Record<string, McpServerConfig>>;
  /** Where stdio servers run that name no sandbox of their own. */
  sandbox?: Sandbox;
  /** Milliseconds a server may take to start and to list its tools. Default 30,000. */
  connectTimeoutMs?: number;
  /** Gets each server or tool that cannot be used, as it happens. Default a process warning. */
  onProblem?: (problem: McpToolError) => void;
}

/** Servers that are connected. */
export interface McpConnections extends AsyncDisposable {
  /** Of all servers that could be connected. */
  readonly tools: DefinedTool[];
  /** Servers and tools that could not; the others work. */
  readonly problems: readonly McpToolError[];
  /** Disconnects, and ends the servers that were started. Idempotent. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Starts and connects MCP servers, and gives their tools as tools of ours. A server that cannot be connected is a
 * problem of its own: it is told, and the others are used. Needs the package `@modelcontextprotocol/client`.
 *
 * @throws TypeError for a name or a configuration that cannot be; Error when the client package is not installed
 * @example
 * await using mcp = await connectMcp({ servers: { files: { command: 'npx', args: ['-y', 'some-mcp-server'], sandbox } } });
 * await using host = createToolHost({ sandbox, tools: [codingTools(), mcp.tools] });
 */
export async function connectMcp(options: ConnectMcpOptions): Promise<McpConnections> {
  const { servers, onProblem = warn } = options;
  for (const [name, config] of Object.entries(servers)) checkConfig(name, config);
  await loadClientSdk();
  const problems: McpToolError[] = [];
  const report = (problem: McpToolError) => {
    problems.push(problem);
    onProblem(problem);
  };
  const opened = await Promise.all(
    Object.entries(servers).map(([name, config]) =>
      open(name, config, { ...options, onProblem: report }).catch((error: unknown) => {
        report(error instanceof McpToolError ? error : cannotConnect(name, error));
        return undefined;
      }),
    ),
  );
  const connections = opened.filter((connection) => connection !== undefined);
  const close = async () => {
    await Promise.all(connections.map((connection) => connection.close()));
  };
  return { tools: connections.flatMap(({ tools }) => tools), problems, close, [Symbol.asyncDispose]: close };
}

interface Connection {
  tools: DefinedTool[];
  close(): Promise<void>;
}

async function open(name: string, config: McpServerConfig, options: ConnectMcpOptions): Promise<Connection> {
  const { Client } = await loadClientSdk();
  const deadline = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const mode = config.protocol ?? ('url' in config ? 'auto' : 'legacy');
  const client = new Client(
    { name: 'caisson', version: packageJson.version },
    {
      versionNegotiation: { mode },
      // Outputs are checked by the host. The SDK would check them with the server's own regular expressions.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  // What the server does wrong is said by the request that fails of it.
  client.onerror = () => {};
  const transport = await openTransport(config, options);
  const process = transport instanceof ProcessTransport ? transport : undefined;
  const close = async () => {
    await client.close().catch(() => {});
    await transport.close();
  };
  try {
    await client.connect(transport as unknown as Transport, { timeout: deadline });
    const { timeoutMs, approvals, onProblem } = options;
    const tools = await loadMcpTools(client, name, {
      whyGone: () => process?.reason,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(approvals === undefined ? {} : { approvals }),
      ...(onProblem === undefined ? {} : { onProblem }),
    });
    return { tools, close };
  } catch (error) {
    const failure = process?.failure;
    await close();
    if (failure === undefined && error instanceof McpToolError) throw error;
    throw cannotConnect(name, failure === undefined ? error : new Error(failure, { cause: error }), process?.errorTail);
  }
}

async function openTransport(config: McpServerConfig, options: ConnectMcpOptions): Promise<{ close(): Promise<void> }> {
  if ('url' in config) {
    const { StreamableHTTPClientTransport } = await loadClientSdk();
    return new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers: { ...config.headers } } });
  }
  const { command, args = [], env = {}, cwd, sandbox = options.sandbox } = config;
  const start = { command, args, env, cwd };
  return new ProcessTransport(
    await (sandbox === undefined ? startHostProcess(start) : startSandboxedProcess(sandbox, start)),
  );
}

function cannotConnect(name: string, error: unknown, stderr = ''): McpToolError {
  const reason = error instanceof Error ? error.message : String(error);
  const said = stderr === '' ? '' : `. It wrote: ${stderr}`;
  return new McpToolError(name, `Cannot connect MCP server '${name}': ${reason}${said}`, { cause: error });
}

function checkConfig(name: string, config: McpServerConfig): void {
  checkServerName(name);
  const { command, url } = (config ?? {}) as { command?: unknown; url?: unknown };
  if (typeof command === 'string' && command !== '' && url === undefined) return;
  if (command === undefined && url !== undefined && URL.canParse(String(url)) && /^https?:/.test(String(url))) return;
  throw new TypeError(`Cannot connect MCP server '${name}': give either 'command' or an http(s) 'url'`);
}

type ClientSdk = typeof import('@modelcontextprotocol/client');

/** An optional peer: whoever only serves needs none of it. */
async function loadClientSdk(): Promise<ClientSdk> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('Cannot connect MCP servers without the client package: npm install @modelcontextprotocol/client', {
      cause: error,
    });
  }
}

function warn(problem: McpToolError): void {
  process.emitWarning(problem.message, 'CaissonMcpWarning');
}
