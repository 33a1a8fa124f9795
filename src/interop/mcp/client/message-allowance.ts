/** Bytes of one message of a server. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export const TOO_LONG = 'it sent a message of more than 16 MiB';

/** Messages at once, and per second after that; a server that sends more is not talking to us. */
const MESSAGE_BURST = 2_000;
const MESSAGES_PER_SECOND = 500;

export const TOO_MANY = `it sent more than ${MESSAGE_BURST} messages at once`;

/** How many messages a server may still send. */
export class MessageAllowance {
  #messages = MESSAGE_BURST;
  #at = performance.now();

  /** Counts one. @returns false when it is one too many */
  take(): boolean {
    const now = performance.now();
    const refill = ((now - this.#at) / 1_000) * MESSAGES_PER_SECOND;
    this.#messages = Math.min(MESSAGE_BURST, this.#messages + refill) - 1;
    this.#at = now;
    return this.#messages >= 0;
  }
}
