import { monotonicMs } from '../monotonic-ms.js';

/** Between the polite end of a call and the kill, milliseconds. */
export const KILL_GRACE_MS = 300;

const CALL = 0;
const ACTIVE = 1;
const CANCELLED = 2;
const ASLEEP = 3;
const DEADLINE = 0;
const MEMORY = 1;

export const WATCH_STATE_BYTES = 32;

/**
 * What the main thread and the watchdog thread tell each other, in shared memory: the main thread may be stuck in guest
 * code and unable to answer a message.
 */
export class WatchState {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #numbers: Float64Array<SharedArrayBuffer>;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared, 0, 4);
    this.#numbers = new Float64Array(shared, 16, 2);
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
    Atomics.store(this.#words, CANCELLED, 0);
    Atomics.store(this.#words, CALL, id);
    Atomics.store(this.#words, ACTIVE, 1);
    if (Atomics.exchange(this.#words, ASLEEP, 0) === 1) Atomics.notify(this.#words, ASLEEP);
  }

  /** Main thread: the call is over. */
  end(): void {
    Atomics.store(this.#words, ACTIVE, 0);
  }

  get active(): boolean {
    return Atomics.load(this.#words, ACTIVE) === 1;
  }

  /** The call that runs, or ran last. */
  get call(): number {
    return Atomics.load(this.#words, CALL);
  }

  get deadline(): number {
    return this.#numbers[DEADLINE] ?? 0;
  }

  get cancelled(): boolean {
    return Atomics.load(this.#words, CANCELLED) === 1;
  }

  cancel(): void {
    Atomics.store(this.#words, CANCELLED, 1);
  }

  /** Watchdog: resolves when the next call starts, so that an idle worker costs no wake-ups. */
  async sleepUntilCall(): Promise<void> {
    Atomics.store(this.#words, ASLEEP, 1);
    // A call that began in between saw no sleeper and will not notify.
    if (this.active) return;
    await Atomics.waitAsync(this.#words, ASLEEP, 1).value;
  }
}
