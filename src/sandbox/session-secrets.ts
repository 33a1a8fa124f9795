import { isSandboxError } from './errors.js';
import { createTextRedactor } from './redact.js';

/** A shorter value is found in too much that is no secret. */
export const MIN_SECRET_LENGTH = 6;
/** Values that calls brought with them; the oldest are forgotten. */
const MAX_CALL_VALUES = 1_000;
/** Settings that half of all environments hold, and that hide nothing. */
const NO_SECRETS: ReadonlySet<string> = new Set(['production', 'development', '/workspace']);

/** The values of environment variables that a session was given. Nothing but the host that owns it is told of them. */
export class SessionSecrets {
  readonly #own: ReadonlySet<string>;
  readonly #fromCalls = new Set<string>();
  #redact: ((text: string) => string) | undefined;

  constructor(env: Record<string, string>) {
    this.#own = new Set(Object.values(env).filter(isSecret));
  }

  /** A call brings these with it. */
  add(env: Record<string, string> | undefined): void {
    for (const value of Object.values(env ?? {})) {
      if (!isSecret(value) || this.#own.has(value)) continue;
      const isNew = !this.#fromCalls.delete(value);
      this.#fromCalls.add(value);
      if (isNew) this.#redact = undefined;
    }
    for (const value of this.#fromCalls) {
      if (this.#fromCalls.size <= MAX_CALL_VALUES) break;
      this.#fromCalls.delete(value);
    }
  }

  get isEmpty(): boolean {
    return this.#own.size === 0 && this.#fromCalls.size === 0;
  }

  /** Takes the values out of a text. */
  readonly clean = (text: string): string => {
    if (this.isEmpty) return text;
    this.#redact ??= createTextRedactor([...this.#own, ...this.#fromCalls]);
    return this.#redact(text);
  };

  /** Takes the values out of what an error of the sandbox says; the output it carries is the command's own. */
  async guard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!this.isEmpty && isSandboxError(error)) {
        error.message = this.clean(error.message);
        if (error.stack !== undefined) error.stack = this.clean(error.stack);
      }
      throw error;
    }
  }
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value.length >= MIN_SECRET_LENGTH && !NO_SECRETS.has(value);
}

const known = new WeakMap<object, SessionSecrets>();

/** Remembers what a session, or a tool, was given, for `secretsOf`. */
export function keepSecrets(owner: object, env: Record<string, string>): SessionSecrets {
  const secrets = new SessionSecrets(env);
  known.set(owner, secrets);
  return secrets;
}

/** What a session or a tool was given; `undefined` for one that is none of Caisson's own, or got nothing. */
export function secretsOf(owner: object): SessionSecrets | undefined {
  return known.get(owner);
}
