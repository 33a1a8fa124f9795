import type ivm from 'isolated-vm';

type Crossing = string | number | boolean | undefined;
export type HostFunction = (...values: never[]) => Crossing;

/** Calls from the isolate to the worker in one guest call; honest work stays far below. */
const MAX_CALLS = 50_000_000;

/** Counts what an isolate asks of the worker. */
export class CallMeter {
  #calls = 0;

  reset(): void {
    this.#calls = 0;
  }

  count(): boolean {
    this.#calls += 1;
    return this.#calls <= MAX_CALLS;
  }
}

/**
 * The one way a function of ours gets into an isolate. It only ever gives back a primitive: an error thrown here would
 * cross with its stack, an object could carry more than was meant. What fails is `undefined` in there.
 */
export function createCallback(
  { Callback }: Pick<typeof ivm, 'Callback'>,
  meter: CallMeter,
  work: HostFunction,
): ivm.Callback<(...values: Crossing[]) => Crossing> {
  return new Callback((...values: Crossing[]): Crossing => {
    if (!meter.count()) return undefined;
    try {
      return work(...(values as never[]));
    } catch {
      return undefined;
    }
  });
}
