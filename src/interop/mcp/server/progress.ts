import type { ServerContext } from '@modelcontextprotocol/server';

const MAX_MESSAGE_BYTES = 1_024;
const BURST = 32;
const REFILL_MS = 50;

/** Clients give up after a minute or so unless they hear something. */
const HEARTBEAT_MS = 10_000;

/** Progress of one request, for a client that asked for it: every snapshot while there are few, the latest when there are many. */
export class Progress {
  readonly #ctx: ServerContext;
  readonly #token: string | number;
  readonly #startedAt = performance.now();
  readonly #heartbeat: NodeJS.Timeout;
  #refill: NodeJS.Timeout | undefined;
  #allowance = BURST;
  #latest: string | undefined;
  #count = 0;

  /** `undefined` when the client did not ask. */
  static of(ctx: ServerContext): Progress | undefined {
    const token = ctx.mcpReq._meta?.progressToken;
    return token === undefined ? undefined : new Progress(ctx, token);
  }

  private constructor(ctx: ServerContext, token: string | number) {
    this.#ctx = ctx;
    this.#token = token;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  report(text: string): void {
    this.#heartbeat.refresh();
    if (this.#allowance === 0) {
      this.#latest = text;
      return;
    }
    this.#allowance -= 1;
    this.#refill ??= setInterval(() => this.#onRefill(), REFILL_MS).unref();
    this.#send(text);
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    clearInterval(this.#refill);
  }

  #onRefill(): void {
    this.#allowance = Math.min(BURST, this.#allowance + 1);
    if (this.#latest === undefined) return;
    this.#allowance -= 1;
    this.#send(this.#latest);
    this.#latest = undefined;
  }

  #beat(): void {
    this.#send(`still running after ${Math.round((performance.now() - this.#startedAt) / 1_000)} s`);
  }

  #send(text: string): void {
    this.#count += 1;
    const params = { progressToken: this.#token, progress: this.#count, message: shorten(text) };
    // Whoever does not get it is gone, and is told nothing more.
    this.#ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => this.stop());
  }
}

function shorten(text: string): string {
  if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  const kept = Buffer.from(text)
    .subarray(0, MAX_MESSAGE_BYTES - 4)
    .toString('utf8');
  return `${kept.replace(/\ufffd+$/, '')}…`;
}
