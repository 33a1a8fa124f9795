/** Takes the line out of a stream by which a command's parent says how it ended, however it was cut into pieces. */
export class EndRecord {
  readonly #token: Buffer;
  readonly #pass: (chunk: Uint8Array) => void;
  readonly #found: (word: string) => void;
  #held: Uint8Array = new Uint8Array(0);

  /** @param found with the word after the token: an exit code, or why nothing was started */
  constructor(token: string, { pass, found }: { pass(chunk: Uint8Array): void; found(word: string): void }) {
    this.#token = Buffer.from(`${token} `, 'latin1');
    this.#pass = pass;
    this.#found = found;
  }

  push(chunk: Uint8Array): void {
    const bytes =
      this.#held.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : Buffer.concat([this.#held, chunk]);
    this.#held = new Uint8Array(0);
    const at = bytes.indexOf(this.#token);
    if (at === -1) return this.#passAllBut(bytes, partialToken(bytes, this.#token));
    const end = bytes.indexOf(10, at);
    if (end === -1) return this.#passAllBut(bytes, bytes.length - at);
    this.#passAllBut(bytes.subarray(0, at), 0);
    this.#found(bytes.toString('latin1', at + this.#token.length, end));
    if (end + 1 < bytes.length) this.push(bytes.subarray(end + 1));
  }

  /** Nothing more comes: what looked like the start of the line was not. */
  flush(): void {
    if (this.#held.length > 0) this.#pass(this.#held);
    this.#held = new Uint8Array(0);
  }

  #passAllBut(bytes: Buffer, last: number): void {
    const keep = last > MAX_HELD_BYTES ? 0 : last;
    if (bytes.length > keep) this.#pass(bytes.subarray(0, bytes.length - keep));
    if (keep > 0) this.#held = new Uint8Array(bytes.subarray(bytes.length - keep));
  }
}

const MAX_HELD_BYTES = 128;

/** How many of the last bytes could be the token's first. */
function partialToken(bytes: Buffer, token: Buffer): number {
  for (let length = Math.min(bytes.length, token.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(token.subarray(0, length))) return length;
  }
  return 0;
}
