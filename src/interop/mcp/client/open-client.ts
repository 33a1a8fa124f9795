import type { Client, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { Sandbox } from '../../../sandbox/contract.js';
import { boundedFetch } from './bounded-fetch.js';
import { loadClientSdk } from './client-sdk.js';
import { startHostProcess } from './host-process.js';
import { McpToolError } from './mcp-tool-error.js';
import { ProcessTransport } from './process-transport.js';
import { startSandboxedProcess } from './sandboxed-process.js';
import type { McpServerConfig } from './server-config.js';

export interface OpenClientOptions {
  sandbox: Sandbox | undefined;
  connectTimeoutMs: number;
  onToolsChanged: () => void;
}

/** A connection to a server, while it lasts. */
export interface OpenClient {
  readonly client: Client;
  /** Why it is over, where it is a process that ended, or a server that sent too much. */
  readonly reason: string | undefined;
  /** The same, unless it was closed from this side. */
  readonly failure: string | undefined;
  /** The end of what a process wrote to stderr. */
  readonly errorTail: string | undefined;
  /** The session of a server over HTTP that has them. */
  readonly sessionId: string | undefined;
  close(): Promise<void>;
}

/** Starts and connects a server. @throws McpToolError naming it, with the end of what it wrote to stderr */
export async function openClient(
  name: string,
  config: McpServerConfig,
  options: OpenClientOptions,
): Promise<OpenClient> {
  const { Client } = await loadClientSdk();
  const mode = config.protocol ?? ('url' in config ? 'auto' : 'legacy');
  const onChanged = options.onToolsChanged;
  const client = new Client(
    { name: 'caisson', version: packageJson.version },
    {
      versionNegotiation: { mode },
      // A server that says so ever again would put a debounced listener off for ever.
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
      // Outputs are checked by the host. The SDK would check them with the server's own regular expressions.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  // What the server does wrong is said by the request that fails of it.
  client.onerror = () => {};
  let excess: string | undefined;
  const onExcess = (reason: string) => {
    excess ??= reason;
    void client.close().catch(() => {});
  };
  const transport = await openTransport(name, config, { ofAll: options.sandbox, onExcess });
  const process = transport instanceof ProcessTransport ? transport : undefined;
  const close = async () => {
    await client.close().catch(() => {});
    await transport.close();
  };
  try {
    await client.connect(transport as unknown as Transport, { timeout: options.connectTimeoutMs });
  } catch (error) {
    const failure = process?.failure ?? excess;
    await close();
    throw cannotConnect(name, failure === undefined ? error : new Error(failure, { cause: error }), process?.errorTail);
  }
  return {
    client,
    close,
    get reason() {
      return process?.reason ?? excess;
    },
    get failure() {
      return process?.failure ?? excess;
    },
    get errorTail() {
      return process?.errorTail;
    },
    get sessionId() {
      return 'sessionId' in transport ? transport.sessionId : undefined;
    },
  };
}

export function cannotConnect(name: string, error: unknown, stderr = ''): McpToolError {
  if (error instanceof McpToolError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const said = stderr === '' ? '' : `. It wrote: ${stderr}`;
  return new McpToolError(name, `Cannot connect MCP server '${name}': ${reason}${said}`, { cause: error });
}

async function openTransport(
  name: string,
  config: McpServerConfig,
  { ofAll, onExcess }: { ofAll: Sandbox | undefined; onExcess: (reason: string) => void },
): Promise<ProcessTransport | StreamableHTTPClientTransport> {
  if ('url' in config) {
    const { StreamableHTTPClientTransport } = await loadClientSdk();
    return new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: { ...config.headers } },
      fetch: boundedFetch(onExcess),
    });
  }
  const { command, args = [], env = {}, cwd, sandbox = ofAll } = config;
  const start = { command, args, env, cwd };
  try {
    return new ProcessTransport(
      await (sandbox === undefined ? startHostProcess(start) : startSandboxedProcess(sandbox, start)),
    );
  } catch (error) {
    throw cannotConnect(name, error);
  }
}
