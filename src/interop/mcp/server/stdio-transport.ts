import type { Readable, Writable } from 'node:stream';
import { MessageLines } from '../wire/message-lines.js';
import { INVALID_REQUEST, type RpcMessage, readMessage } from '../wire/read-message.js';
import type { McpTransport } from '../wire/transport.js';
import { claimStdout } from './claim-stdout.js';

export interface StdioTransportOptions {
  /** Default `process.stdin`. */
  input?: Readable;
  /** Default `process.stdout`, which is then kept for messages: whatever else writes to it goes to stderr. */
  output?: Writable;
  /** Bytes of one message; of a longer one nothing is kept and an error is answered. Default 16 MiB. */
  maxMessageBytes?: number;
}

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** With this much unread output nothing more is read: a client that does not listen is not worked for. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** How long requests may still be answered when stdin is at its end. */
const ANSWER_GRACE_MS = 2_000;

type CancelledParams = { requestId?: string | number } | undefined;

/**
 * JSON-RPC messages as lines. The SDK's own transport drops what is no message without an answer and reads on while
 * its output is not read; this one answers with an error, and stops reading until the client does.
 */
export class StdioTransport implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown) => void) | undefined;
  readonly #input: Readable;
  readonly #givenOutput: Writable | undefined;
  readonly #lines: MessageLines;
  readonly #unanswered = new Set<string | number>();
  #output: Writable | undefined;
  #release: () => void = () => {};
  #inputEnded = false;
  #closed = false;

  constructor(options: StdioTransportOptions = {}) {
    this.#input = options.input ?? process.stdin;
    this.#givenOutput = options.output;
    this.#lines = new MessageLines(options.maxMessageBytes ?? MAX_MESSAGE_BYTES);
  }

  async start(): Promise<void> {
    if (this.#output !== undefined) throw new Error('Cannot start the stdio transport twice');
    const claimed = this.#givenOutput === undefined ? claimStdout() : undefined;
    this.#release = claimed?.release ?? this.#release;
    this.#output = this.#givenOutput ?? claimed?.output;
    this.#output?.on('error', this.#end);
    this.#input.on('data', this.#onData).on('end', this.#onInputEnd).on('close', this.#onInputEnd);
    this.#input.on('error', this.#end);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onInputEnd);
  }

  send(message: RpcMessage): Promise<void> {
    const output = this.#output;
    if (this.#closed || output === undefined) return Promise.reject(new Error('The client is gone'));
    // Progress is worth nothing late, and the one kind of message a busy tool makes without end.
    if (message.method === 'notifications/progress' && output.writableNeedDrain) return Promise.resolve();
    if (message.method === undefined) this.#forget(message.id);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    if (output.writableLength > MAX_UNREAD_BYTES) this.#waitForReader(output);
    return promise;
  }

  async close(): Promise<void> {
    this.#end();
  }

  #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (const line of this.#lines.push(bytes)) {
      if (this.#closed) return;
      if ('tooLong' in line) this.#refuse(INVALID_REQUEST, 'Invalid request: the message is too long');
      else this.#receive(line.text);
    }
  };

  #receive(text: string): void {
    if (text.trim() === '') return;
    const read = readMessage(text);
    if (!read.ok) return this.#refuse(read.code, read.reason, read.id);
    const { message } = read;
    // A cancelled request is never answered, and its id is free again.
    if (message.method === 'notifications/cancelled') this.#forget((message.params as CancelledParams)?.requestId);
    if (message.method !== undefined && message.id !== undefined) {
      if (this.#unanswered.has(message.id)) {
        return this.#refuse(INVALID_REQUEST, `Invalid request: the id ${JSON.stringify(message.id)} is in use`);
      }
      this.#unanswered.add(message.id);
    }
    this.onmessage?.(message);
  }

  #forget(id: string | number | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    if (this.#inputEnded && this.#unanswered.size === 0) setImmediate(this.#end);
  }

  /** Where it is not known whose request it was, JSON-RPC answers with the id null. */
  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.onerror?.(new Error(message));
    this.#output?.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
    if (this.#output !== undefined && this.#output.writableLength > MAX_UNREAD_BYTES) this.#waitForReader(this.#output);
  }

  #waitForReader(output: Writable): void {
    if (this.#input.isPaused()) return;
    this.#input.pause();
    output.once('drain', () => {
      if (!this.#closed) this.#input.resume();
    });
  }

  /** Whoever closes stdin behind the last request (`printf … | caisson mcp`) still gets quick answers. */
  #onInputEnd = (): void => {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    if (this.#unanswered.size === 0) this.#end();
    else setTimeout(this.#end, ANSWER_GRACE_MS).unref();
  };

  #end = (error?: unknown): void => {
    if (this.#closed) return;
    this.#closed = true;
    if (error instanceof Error) this.onerror?.(error);
    this.#input.off('data', this.#onData).off('end', this.#onInputEnd).off('close', this.#onInputEnd);
    this.#input.pause();
    this.#release();
    this.onclose?.();
  };
}
