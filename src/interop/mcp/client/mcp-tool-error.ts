import type { ErrorCode } from '../../../sandbox/errors.js';
import type { ToolErrorKind } from '../../../tool/result.js';

/** A tool of an MCP server failed, or the server did. In the host it is an error of kind `mcp`. */
export class McpToolError extends Error {
  /** The server's name, as it was given to `connectMcp` or `loadMcpTools`. */
  readonly server: string;
  readonly toolErrorKind: ToolErrorKind;
  readonly code?: ErrorCode;

  static {
    McpToolError.prototype.name = 'McpToolError';
  }

  constructor(
    server: string,
    message: string,
    options: { kind?: ToolErrorKind; code?: ErrorCode; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.server = server;
    this.toolErrorKind = options.kind ?? 'mcp';
    if (options.code !== undefined) this.code = options.code;
  }
}
