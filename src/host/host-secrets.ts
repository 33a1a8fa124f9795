import { type SessionSecrets, secretsOf } from '../sandbox/session-secrets.js';

/** Sandboxes that calls bring with them; of the oldest the values are forgotten. */
const MAX_SOURCES = 1_000;

/** The secrets of every sandbox that a host has had to do with. */
export class HostSecrets {
  readonly #sources = new Set<SessionSecrets>();

  /** Its values are redacted from now on. */
  watch(sandbox: unknown): void {
    if (typeof sandbox !== 'object' || sandbox === null) return;
    const secrets = secretsOf(sandbox);
    if (secrets === undefined) return;
    this.#sources.add(secrets);
    for (const oldest of this.#sources) {
      if (this.#sources.size <= MAX_SOURCES) return;
      this.#sources.delete(oldest);
    }
  }

  /** Takes every value out of a text; `undefined` when there is none. */
  get clean(): ((text: string) => string) | undefined {
    const sources = [...this.#sources].filter(({ isEmpty }) => !isEmpty);
    if (sources.length === 0) return undefined;
    return (text) => sources.reduce((cleaned, source) => source.clean(cleaned), text);
  }
}
