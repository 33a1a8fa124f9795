/** Keeps the first and the last half of a byte stream within a budget and counts what fell out between them. */
export class HeadTailBuffer {
  readonly #headBudget: number;
  readonly #tailBudget: number;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #droppedBytes = 0;

  constructor(budget: number) {
    this.#headBudget = Math.ceil(budget / 2);
    this.#tailBudget = budget - this.#headBudget;
  }

  get droppedBytes(): number {
    return this.#droppedBytes;
  }

  push(chunk: Uint8Array): void {
    const forHead = chunk.subarray(0, Math.max(0, this.#headBudget - this.#headBytes));
    if (forHead.length > 0) {
      // A copy: `slice()` of a Buffer shares its memory.
      this.#head.push(new Uint8Array(forHead));
      this.#headBytes += forHead.length;
    }
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0) return;
    this.#tail.push(new Uint8Array(forTail));
    this.#tailBytes += forTail.length;
    this.#trimTail();
  }

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat([...this.#head, ...this.#tail]));
  }

  #trimTail(): void {
    while (this.#tailBytes > this.#tailBudget) {
      const [first] = this.#tail;
      if (first === undefined) return;
      const excess = this.#tailBytes - this.#tailBudget;
      if (first.length <= excess) this.#tail.shift();
      else this.#tail[0] = first.subarray(excess);
      const dropped = Math.min(first.length, excess);
      this.#tailBytes -= dropped;
      this.#droppedBytes += dropped;
    }
  }
}
