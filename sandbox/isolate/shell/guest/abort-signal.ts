import { isInterrupted } from './interruption.js';

type Listener = () => void;

/** The part of the platform's `AbortSignal` that the interpreter uses. */
export class GuestAbortSignal {
  reason: unknown = undefined;
  readonly #listeners = new Set<Listener>();
  #aborted = false;

  /**
   * Asks the worker too, so that every signal the interpreter makes for itself also ends with the call: a busy loop
   * stops at its next statement though no event can reach it.
   */
  get aborted(): boolean {
    return this.#aborted || isInterrupted();
  }

  addEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason ?? new Error('The operation was aborted');
  }

  fire(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.reason = reason ?? new Error('The operation was aborted');
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }
}

export class GuestAbortController {
  readonly signal = new GuestAbortSignal();

  abort(reason?: unknown): void {
    this.signal.fire(reason);
  }
}
