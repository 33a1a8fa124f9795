/** Keeps the beginning and the end of a stream within a number of bytes, and counts what fell out of the middle. */
export class OutputKeeper {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  #head: Uint8Array[] = [];
  #headKept = 0;
  #tail: Uint8Array[] = [];
  #tailKept = 0;
  #dropped = 0;

  constructor(maxBytes: number) {
    this.#tailBytes = Math.floor(maxBytes / 2);
    this.#headBytes = maxBytes - this.#tailBytes;
  }

  add(bytes: Uint8Array): void {
    const forHead = Math.min(bytes.length, this.#headBytes - this.#headKept);
    if (forHead > 0) {
      this.#head.push(bytes.subarray(0, forHead));
      this.#headKept += forHead;
    }
    if (forHead < bytes.length) this.#addToTail(bytes.subarray(forHead));
  }

  get dropped(): number {
    return this.#dropped;
  }

  get kept(): Buffer {
    return Buffer.concat([...this.#head, ...this.#tail], this.#headKept + this.#tailKept);
  }

  #addToTail(bytes: Uint8Array): void {
    this.#tail.push(bytes);
    this.#tailKept += bytes.length;
    while (this.#tailKept > this.#tailBytes) {
      const [first] = this.#tail;
      if (first === undefined) return;
      const over = Math.min(first.length, this.#tailKept - this.#tailBytes);
      // A piece that is cut is copied, so that the rest of it does not stay in memory.
      if (over === first.length) this.#tail.shift();
      else this.#tail[0] = first.slice(over);
      this.#tailKept -= over;
      this.#dropped += over;
    }
  }
}
