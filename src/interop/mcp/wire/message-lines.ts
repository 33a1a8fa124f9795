/** One line without its end, or the fact that one was dropped because it was too long. */
export type Line = { text: string } | { tooLong: true };

const LINE_FEED = 10;

/**
 * Splits bytes into lines and keeps at most one unfinished line of `maxBytes`: of a longer one nothing is kept, it is
 * told once and skipped up to its end.
 */
export class MessageLines {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *push(chunk: Uint8Array): Generator<Line> {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      const wasSkipping = this.#skipping;
      if (!wasSkipping) yield* this.#keep(rest.subarray(0, end));
      if (!this.#skipping) yield { text: this.#take() };
      this.#skipping = false;
      rest = rest.subarray(end + 1);
    }
    if (!this.#skipping) yield* this.#keep(rest);
  }

  #keep(piece: Uint8Array): Line[] {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) {
      if (piece.length > 0) this.#chunks.push(piece);
      return [];
    }
    this.#skipping = true;
    this.#take();
    return [{ tooLong: true }];
  }

  #take(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    this.#chunks = [];
    this.#bytes = 0;
    return text;
  }
}
