import type { Readable, Writable } from 'node:stream';
import { encodeFrame, FrameDecoder, FrameError } from '../protocol/frame.js';

export interface WireListener {
  frame(header: unknown, body: Uint8Array): void;
  /** Once; nothing comes after. `broken`: what came was no frame. */
  closed(broken: boolean): void;
}

/** Frames over a pair of byte streams. Never blocks: what the other side does not take yet waits in memory. */
export class Wire {
  readonly #output: Writable;
  #open = true;

  constructor(input: Readable, output: Writable, listener: WireListener) {
    this.#output = output;
    const decoder = new FrameDecoder();
    const close = (broken: boolean) => {
      if (!this.#open) return;
      this.#open = false;
      listener.closed(broken);
    };
    input.on('data', (chunk: Uint8Array) => {
      if (!this.#open) return;
      try {
        for (const { header, body } of decoder.push(chunk)) {
          listener.frame(header, body);
          if (!this.#open) return;
        }
      } catch (error) {
        close(true);
        if (!(error instanceof FrameError)) throw error;
      }
    });
    // The loader has paused it, and then a listener alone does not start it again.
    input.resume();
    input.once('end', () => close(false));
    input.once('close', () => close(false));
    input.once('error', () => close(false));
    output.on('error', () => close(false));
  }

  send(message: object, body?: Uint8Array): void {
    if (!this.#open) return;
    const pieces = encodeFrame(message, body);
    // One write for a small frame: each is a system call.
    if (body !== undefined && body.length > 0 && body.length <= 16 * 1024) this.#output.write(Buffer.concat(pieces));
    else for (const piece of pieces) this.#output.write(piece);
  }

  close(): void {
    this.#open = false;
  }
}
