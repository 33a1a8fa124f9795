/**
 * A channel for JSON-RPC messages, as the official MCP SDKs (v1 and v2) define it: any of their transports is one.
 * Declared here so that these types need no SDK.
 */
export interface McpTransport {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** `never`: each SDK has a message type of its own, and a listener must take what comes. */
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  sessionId?: string | undefined;
  setProtocolVersion?: ((version: string) => void) | undefined;
}
