/** The last bytes of a stream, and how many came before them. */
export class TailBuffer {
  readonly #budget: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #dropped = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get dropped(): number {
    return this.#dropped;
  }

  push(data: Uint8Array): void {
    this.#chunks.push(data);
    this.#bytes += data.length;
    while (this.#bytes > this.#budget) {
      const first = this.#chunks[0];
      if (first === undefined) return;
      const excess = Math.min(first.length, this.#bytes - this.#budget);
      if (excess === first.length) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(excess);
      this.#bytes -= excess;
      this.#dropped += excess;
    }
  }

  chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }
}
