import type { McpTransport } from '../wire/transport.js';

/** A transport that also tells us when it closes: the SDK keeps the one `onclose` there is for itself. */
export class ObservedTransport implements McpTransport {
  readonly #inner: McpTransport;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;

  constructor(inner: McpTransport, onClosed: () => void) {
    this.#inner = inner;
    let isClosed = false;
    inner.onclose = () => {
      if (isClosed) return;
      isClosed = true;
      this.onclose?.();
      onClosed();
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message: unknown, extra?: unknown) => this.onmessage?.(message, extra);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: unknown, options?: unknown): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }
}
