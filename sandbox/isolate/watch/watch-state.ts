import { monotonicMs } from '../monotonic-ms.js';

/** Between the polite end of a call and the kill, milliseconds. */
export const KILL_GRACE_MS = 300;

const CALL = 0;
const LAST_CALL = 1;
const CANCELLED = 2;
const ASLEEP = 3;
/** In the place of the running call: the watchdog is about to end the process. */
const CLAIMED = -1;
const DEADLINE = 0;
const MEMORY = 1;

export const WATCH_STATE_BYTES = 40;

/**
 * What the main thread and the watchdog thread tell each other, in shared memory: the main thread may be stuck in guest
 * code and unable to answer a message.
 */
export class WatchState {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #numbers: Float64Array<SharedArrayBuffer>;

  constructor(shared: SharedArrayBuffer) {
    this.#numbers = new Float64Array(shared, 0, 2);
    this.#words = new Int32Array(shared, 16, 6);
  }

  setMemoryLimit(bytes: number): void {
    this.#numbers[MEMORY] = bytes;
  }

  get memoryLimit(): number {
    return this.#numbers[MEMORY] ?? 0;
  }

  /** Main thread: a call starts. */
  begin(id: number, timeoutMs: number): void {
    this.#numbers[DEADLINE] = monotonicMs() + timeoutMs;
    Atomics.store(this.#words, LAST_CALL, id);
    this.#change(0, id);
    if (Atomics.exchange(this.#words, ASLEEP, 0) === 1) Atomics.notify(this.#words, ASLEEP);
  }

  /** Main thread: the call is over. */
  end(): void {
    this.#change(this.call, 0);
  }

  /** The call that runs; 0 when none does. */
  get call(): number {
    return Atomics.load(this.#words, CALL);
  }

  /** The call that runs, or ran last. */
  get lastCall(): number {
    return Atomics.load(this.#words, LAST_CALL);
  }

  /**
   * Watchdog: the process will be ended over `call`, or, when that is 0, between calls. False when that is no longer
   * what runs. From then on the main thread neither ends this call nor starts another, so that no other can be blamed.
   */
  claim(call: number): boolean {
    return Atomics.compareExchange(this.#words, CALL, call, CLAIMED) === call;
  }

  get deadline(): number {
    return this.#numbers[DEADLINE] ?? 0;
  }

  /** Whether the running call was cancelled. */
  get cancelled(): boolean {
    const { call } = this;
    return call > 0 && Atomics.load(this.#words, CANCELLED) === call;
  }

  /** Of no effect on any other call, whenever it comes. */
  cancel(call: number): void {
    Atomics.store(this.#words, CANCELLED, call);
  }

  /** Watchdog: resolves when the next call starts, so that an idle worker costs no wake-ups. */
  async sleepUntilCall(): Promise<void> {
    Atomics.store(this.#words, ASLEEP, 1);
    // A call that began in between saw no sleeper and will not notify.
    if (this.call > 0) return;
    await Atomics.waitAsync(this.#words, ASLEEP, 1).value;
  }

  #change(from: number, to: number): void {
    if (Atomics.compareExchange(this.#words, CALL, from, to) === from && from !== CLAIMED) return;
    // The process has an instant to live.
    for (;;) Atomics.wait(this.#words, CALL, CLAIMED);
  }
}
