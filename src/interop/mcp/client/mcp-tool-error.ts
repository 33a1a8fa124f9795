import { CarriedToolError } from '../../../tool/carried-error.js';
import type { ContentPart } from '../../../tool/content.js';
import type { ToolErrorResult } from '../../../tool/result.js';

interface McpToolErrorOptions {
  /** What another host of our kind said of the failure. */
  toolError?: ToolErrorResult;
  /** The parts that came with it. */
  content?: ContentPart[];
  cause?: unknown;
}

/**
 * A tool of an MCP server failed, or the server did. In the host it is an error of kind `mcp`; where the server is a
 * host of our kind, the very error it told.
 */
export class McpToolError extends CarriedToolError {
  /** The server's name, as it was given to `connectMcp` or `loadMcpTools`. */
  readonly server: string;

  static {
    McpToolError.prototype.name = 'McpToolError';
  }

  constructor(server: string, message: string, { toolError, content, cause }: McpToolErrorOptions = {}) {
    super(toolError ?? { error: 'McpToolError', toolName: server, message, kind: 'mcp' }, content);
    this.server = server;
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause, configurable: true, writable: true });
  }
}
