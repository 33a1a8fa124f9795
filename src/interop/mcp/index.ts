/** The MCP entry: a table of contents. Importing it loads no SDK. */

export { type ConnectMcpOptions, connectMcp, type McpConnections } from './client/connect-mcp.js';
export { type LoadMcpToolsOptions, loadMcpTools, type McpToolClient } from './client/load-mcp-tools.js';
export type { McpEvent } from './client/mcp-event.js';
export { McpToolError } from './client/mcp-tool-error.js';
export type { McpHttpServer, McpServerConfig, McpStdioServer } from './client/server-config.js';
export {
  type McpHttpServerHandle,
  type ServeMcpHttpOptions,
  serveMcpHttp,
} from './server/http/serve-mcp-http.js';
export type { ServeMcpOptions } from './server/options.js';
export { type McpServerHandle, serveMcp } from './server/serve-mcp.js';
export type { McpTransport } from './wire/transport.js';
