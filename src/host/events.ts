import type { HostEvent } from './types.js';

type WithoutTime<Event> = Event extends HostEvent ? Omit<Event, 'time'> : never;

/** An event without its time, which is added when there is someone to tell. */
export type Happening = WithoutTime<HostEvent>;

/** Tells the host's listener what happens. Building an event costs nothing when nobody listens. */
export class Events {
  readonly #listener: ((event: HostEvent) => void) | undefined;

  constructor(listener: ((event: HostEvent) => void) | undefined) {
    this.#listener = listener;
  }

  /** `build` is called only when there is a listener. A listener that throws, or rejects, never breaks a call. */
  emit(build: () => Happening): void {
    if (this.#listener === undefined) return;
    try {
      const event = { ...build(), time: new Date().toISOString() } as HostEvent;
      const returned: unknown = this.#listener(event);
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // What a listener does wrong is not the call's fault.
    }
  }

  get hasListener(): boolean {
    return this.#listener !== undefined;
  }
}
