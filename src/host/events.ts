import type { HostSecrets } from './host-secrets.js';
import { redactRecord } from './redact.js';
import type { HostEvent } from './types.js';

type WithoutTime<Event> = Event extends HostEvent ? Omit<Event, 'time'> : never;

/** An event without its time, which is added when there is someone to tell. */
export type Happening = WithoutTime<HostEvent>;

/**
 * Tells the host's listener what happens, without the values of environment variables that its sandboxes were given.
 * Building an event costs nothing when nobody listens.
 */
export class Events {
  readonly #listener: ((event: HostEvent) => void) | undefined;
  readonly #secrets: HostSecrets;

  constructor(listener: ((event: HostEvent) => void) | undefined, secrets: HostSecrets) {
    this.#listener = listener;
    this.#secrets = secrets;
  }

  /** `build` is called only when there is a listener. A listener that throws, or rejects, never breaks a call. */
  emit(build: () => Happening): void {
    if (this.#listener === undefined) return;
    try {
      const event = { ...build(), time: new Date().toISOString() } as HostEvent;
      const { clean } = this.#secrets;
      const returned: unknown = this.#listener(clean === undefined ? event : redactRecord(event, clean));
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // What a listener does wrong is not the call's fault.
    }
  }

  get hasListener(): boolean {
    return this.#listener !== undefined;
  }
}
