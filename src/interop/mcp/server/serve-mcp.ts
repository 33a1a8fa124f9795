import type { Transport } from '@modelcontextprotocol/server';
import type { ToolHost } from '../../../host/types.js';
import type { McpTransport } from '../wire/transport.js';
import { HostService } from './host-service.js';
import { ObservedTransport } from './observed-transport.js';
import type { ServeMcpOptions } from './options.js';
import { StdioTransport } from './stdio-transport.js';

/** A host that is being served. */
export interface McpServerHandle extends AsyncDisposable {
  /** Resolves when the connection is over, whoever ended it. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends the connection: calls under way are aborted, open questions rejected. The host stays as it is. Idempotent. */
  close(): Promise<void>;
}

/**
 * Serves a host's tools to one MCP client: over stdio, or over any transport of the official SDKs. Clients of the
 * 2025 revisions and of 2026-07-28 are served alike. Every call goes through `host.call`, so rules, hooks, approvals
 * and the sandbox hold as they do for any other caller.
 *
 * Over stdio, stdout is kept for messages while it is served: what else is written to it, `console.log` included,
 * goes to stderr.
 *
 * @throws TypeError for options that cannot be
 * @example
 * await using host = createToolHost({ sandbox: 'isolate', workspace: '.', tools: codingTools() });
 * const served = await serveMcp(host, 'stdio');
 * await served.closed;
 */
export async function serveMcp(
  host: ToolHost,
  transport: McpTransport | 'stdio' = 'stdio',
  options: ServeMcpOptions = {},
): Promise<McpServerHandle> {
  const service = await HostService.open(host, options);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const wire = new ObservedTransport(transport === 'stdio' ? new StdioTransport() : transport, () => {
    service.close();
    resolve();
  });
  const connection = service.sdk.serveStdio(
    ({ era }) => {
      const server = service.createServer(era);
      const stop = service.onToolsChanged(() => void server.sendToolListChanged().catch(() => {}));
      server.onclose = stop;
      return server;
    },
    {
      transport: wire as unknown as Transport,
      onerror: (error) => service.logError(error),
    },
  );
  const close = async () => {
    await connection.close();
    await closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}
