/** Keeps the first and the last half of a byte stream within a budget and counts what fell out between them. */
export class HeadTailBuffer {
  readonly #headBudget: number;
  readonly #tail: TailRing;
  #head: Uint8Array[] = [];
  #headBytes = 0;

  constructor(budget: number) {
    this.#headBudget = Math.ceil(budget / 2);
    this.#tail = new TailRing(budget - this.#headBudget);
  }

  get droppedBytes(): number {
    return this.#tail.droppedBytes;
  }

  push(chunk: Uint8Array): void {
    const forHead = chunk.subarray(0, Math.max(0, this.#headBudget - this.#headBytes));
    if (forHead.length > 0) {
      // A copy: `slice()` of a Buffer shares its memory.
      this.#head.push(new Uint8Array(forHead));
      this.#headBytes += forHead.length;
    }
    this.#tail.push(chunk.subarray(forHead.length));
  }

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat([...this.#head, ...this.#tail.parts()]));
  }
}

const FIRST_CAPACITY = 16 * 1024;

/** The last bytes of a stream in memory that is written over: a flood leaves nothing to be collected. */
class TailRing {
  readonly #budget: number;
  #ring = new Uint8Array(0);
  #start = 0;
  #length = 0;
  #total = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get droppedBytes(): number {
    return this.#total - this.#length;
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const last = chunk.subarray(Math.max(0, chunk.length - this.#budget));
    if (last.length === 0) return;
    this.#makeRoom(last.length);
    const at = (this.#start + this.#length) % this.#ring.length;
    const first = last.subarray(0, this.#ring.length - at);
    this.#ring.set(first, at);
    this.#ring.set(last.subarray(first.length), 0);
    const overwritten = Math.max(0, this.#length + last.length - this.#ring.length);
    this.#start = (this.#start + overwritten) % this.#ring.length;
    this.#length += last.length - overwritten;
  }

  /** In order. */
  parts(): Uint8Array[] {
    const end = this.#start + this.#length;
    if (end <= this.#ring.length) return [this.#ring.subarray(this.#start, end)];
    return [this.#ring.subarray(this.#start), this.#ring.subarray(0, end - this.#ring.length)];
  }

  #makeRoom(more: number): void {
    const wanted = Math.min(this.#budget, this.#length + more);
    if (wanted <= this.#ring.length) return;
    const larger = new Uint8Array(Math.min(this.#budget, Math.max(wanted, this.#ring.length * 2, FIRST_CAPACITY)));
    let at = 0;
    for (const part of this.parts()) {
      larger.set(part, at);
      at += part.length;
    }
    this.#ring = larger;
    this.#start = 0;
  }
}
