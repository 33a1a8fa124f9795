/** Lets one call in at a time, in the order they came. */
export class CallQueue {
  #busy = false;
  #closed: Error | undefined;
  readonly #waiting: { enter: () => void; refuse: (error: Error) => void }[] = [];

  get busy(): boolean {
    return this.#busy;
  }

  /**
   * Waits for its turn; call what it returns when done.
   * @throws the signal's reason when it aborts first, the error of `close()` when that comes first
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    if (this.#closed !== undefined) throw this.#closed;
    signal?.throwIfAborted();
    if (this.#busy) await this.#turn(signal);
    this.#busy = true;
    return () => this.#leave();
  }

  /** Refuses everyone who waits and everyone who comes. */
  close(error: Error): void {
    this.#closed ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(error);
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        enter: () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
        refuse: (error: Error) => {
          signal?.removeEventListener('abort', giveUp);
          reject(error);
        },
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    // The place stays taken when it is handed on, so that nobody slips in between.
    if (next === undefined) this.#busy = false;
    else next.enter();
  }
}
