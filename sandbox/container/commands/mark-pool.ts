/** Within the 65,536 ids that a user namespace usually maps, above what images use. */
const FIRST = 30_000;
const LAST = 64_999;

/** Group ids that mark calls. One is used again only after all others, and not while something still carries it. */
export class MarkPool {
  readonly #kept = new Set<number>();
  #next = FIRST;

  take(): number {
    while (this.#kept.has(this.#next)) this.#advance();
    const mark = this.#next;
    this.#advance();
    return mark;
  }

  /** Something of the call goes on after it. */
  keep(mark: number): void {
    if (this.#kept.size < (LAST - FIRST) / 2) this.#kept.add(mark);
  }

  #advance(): void {
    this.#next = this.#next >= LAST ? FIRST : this.#next + 1;
  }
}
