import { SessionSecrets, secretsOf } from '../sandbox/session-secrets.js';
import { secretsInContext } from './context-secrets.js';

/** Sandboxes that calls bring with them; of the oldest the values are forgotten. */
const MAX_SOURCES = 1_000;

/** The secrets of every sandbox, tool and context that a host has had to do with. */
export class HostSecrets {
  readonly #contexts = new SessionSecrets({});
  readonly #sources = new Set<SessionSecrets>([this.#contexts]);

  /** The values that a sandbox or a tool was given as `env` are redacted from now on. */
  watch(given: unknown): void {
    if (typeof given !== 'object' || given === null) return;
    const secrets = secretsOf(given);
    if (secrets === undefined) return;
    this.#sources.add(secrets);
    for (const oldest of this.#sources) {
      if (this.#sources.size <= MAX_SOURCES) return;
      if (oldest !== this.#contexts) this.#sources.delete(oldest);
    }
  }

  /** What a context holds under the name of a secret is redacted from now on. */
  watchContext(context: unknown): void {
    if (typeof context === 'object' && context !== null) this.#contexts.add(secretsInContext(context));
  }

  /** Takes every value out of a text; `undefined` when there is none. */
  get clean(): ((text: string) => string) | undefined {
    const sources = [...this.#sources].filter(({ isEmpty }) => !isEmpty);
    if (sources.length === 0) return undefined;
    return (text) => sources.reduce((cleaned, source) => source.clean(cleaned), text);
  }
}
