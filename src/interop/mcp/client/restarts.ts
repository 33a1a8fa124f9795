const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** A server that lived for so long has not failed at starting. */
const STEADY_MS = 60_000;

/**
 * When a server that died may be started again: at once the first time, then after ever longer waits, and no more after
 * `max` deaths that came soon after a start.
 */
export class Restarts {
  readonly #max: number;
  #startedAt = performance.now();
  #deaths = 0;
  #notBefore = 0;

  constructor(max: number) {
    this.#max = max;
  }

  noticeStart(): void {
    this.#startedAt = performance.now();
  }

  noticeDeath(): void {
    const now = performance.now();
    if (now - this.#startedAt >= STEADY_MS) this.#deaths = 0;
    this.#deaths += 1;
    this.#startedAt = now;
    this.#notBefore = this.#deaths === 1 ? now : now + Math.min(FIRST_DELAY_MS * 2 ** (this.#deaths - 2), MAX_DELAY_MS);
  }

  get isOver(): boolean {
    return this.#deaths > this.#max;
  }

  /** Milliseconds until it may be started. */
  get waitMs(): number {
    return Math.max(0, Math.ceil(this.#notBefore - performance.now()));
  }

  get deaths(): number {
    return this.#deaths;
  }
}
