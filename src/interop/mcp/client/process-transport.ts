import { MessageLines } from '../wire/message-lines.js';
import { readMessage } from '../wire/read-message.js';
import type { McpTransport } from '../wire/transport.js';
import { MAX_MESSAGE_BYTES, MessageAllowance, TOO_LONG, TOO_MANY } from './message-allowance.js';
import type { ServerProcess } from './server-process.js';

/** Lines that are no messages: some servers print a greeting, none prints a hundred. */
const MAX_OTHER_LINES = 100;

const KEPT_ERROR_CHARACTERS = 2_000;

/** JSON-RPC messages over a server's stdin and stdout, with an end to what it may send. */
export class ProcessTransport implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown) => void) | undefined;
  readonly #process: ServerProcess;
  readonly #lines = new MessageLines(MAX_MESSAGE_BYTES);
  #otherLines = 0;
  readonly #allowance = new MessageAllowance();
  #errorTail = '';
  #reason: string | undefined;
  #closedHere = false;
  #ending: Promise<void> | undefined;

  constructor(process: ServerProcess) {
    this.#process = process;
  }

  /** Why the connection is over; `undefined` while it is not. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** The same, unless the connection was closed from this side. */
  get failure(): string | undefined {
    return this.#closedHere ? undefined : this.#reason;
  }

  /** The end of what the server wrote to stderr. */
  get errorTail(): string {
    return this.#errorTail.trim();
  }

  async start(): Promise<void> {
    void this.#readOutput();
    void this.#readErrors();
    void this.#process.ended.then((how) => this.#end(how));
  }

  async send(message: unknown): Promise<void> {
    if (this.#reason !== undefined) throw new Error(`The server is gone: ${this.#reason}`);
    await this.#process.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#closedHere ||= this.#reason === undefined;
    await this.#end('it was closed here');
  }

  async #readOutput(): Promise<void> {
    try {
      for await (const chunk of this.#process.output) {
        for (const line of this.#lines.push(chunk)) this.#receive('tooLong' in line ? undefined : line.text);
        if (this.#reason !== undefined) return;
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #receive(text: string | undefined): void {
    if (this.#reason !== undefined) return;
    if (text === undefined) return void this.#end(TOO_LONG);
    if (text.trim() === '') return;
    if (!this.#allowance.take()) return void this.#end(TOO_MANY);
    const read = readMessage(text);
    if (read.ok) return this.onmessage?.(read.message);
    this.#otherLines += 1;
    this.onerror?.(new Error(read.reason));
    if (this.#otherLines > MAX_OTHER_LINES)
      void this.#end(`it wrote ${this.#otherLines} lines that are no MCP messages`);
  }

  async #readErrors(): Promise<void> {
    try {
      for await (const chunk of this.#process.errors) {
        this.#errorTail = (this.#errorTail + Buffer.from(chunk).toString('utf8')).slice(-KEPT_ERROR_CHARACTERS);
      }
    } catch {
      // Its stderr is only read to be shown.
    }
  }

  #end(reason: string): Promise<void> {
    if (this.#ending === undefined) {
      this.#reason = reason;
      this.#ending = this.#process.end();
      this.onclose?.();
    }
    return this.#ending;
  }
}
