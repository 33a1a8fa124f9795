import { FrameError } from '../../../../sandbox/protocol/frame.js';

const HEADER_BYTES = 8;

/**
 * Takes an attached stream apart: the engine puts `[stream][0][0][0][length]` before each piece. Pieces are handed on as
 * they come, so their announced length costs no memory.
 */
export class Demultiplexer {
  readonly #take: (stream: 'stdout' | 'stderr', data: Uint8Array) => void;
  #header = Buffer.alloc(0);
  #stream: 'stdout' | 'stderr' = 'stdout';
  #left = 0;

  constructor(take: (stream: 'stdout' | 'stderr', data: Uint8Array) => void) {
    this.#take = take;
  }

  /** @throws FrameError when the stream is none of an engine's */
  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left === 0) {
        const needed = HEADER_BYTES - this.#header.length;
        this.#header = Buffer.concat([this.#header, rest.subarray(0, needed)]);
        rest = rest.subarray(needed);
        if (this.#header.length < HEADER_BYTES) return;
        this.#open(this.#header);
        this.#header = Buffer.alloc(0);
        continue;
      }
      const data = rest.subarray(0, this.#left);
      this.#left -= data.length;
      rest = rest.subarray(data.length);
      this.#take(this.#stream, data);
    }
  }

  #open(header: Buffer): void {
    const type = header[0];
    if ((type !== 1 && type !== 2) || header[1] !== 0 || header[2] !== 0 || header[3] !== 0) {
      throw new FrameError("The attached stream is not in the engine's format");
    }
    this.#stream = type === 1 ? 'stdout' : 'stderr';
    this.#left = header.readUInt32BE(4);
  }
}
