import type { SandboxSession } from './contract.js';
import { SandboxCrashedError } from './errors.js';
import { createIsolateSandbox } from './isolate/create-isolate-sandbox.js';
import type { IsolateSandboxOptions } from './isolate/options.js';

/** Warm sessions, all made alike. */
export interface SandboxPool extends AsyncDisposable {
  /** Sessions kept ready. */
  readonly size: number;
  /**
   * A started session that nobody has used; dispose it when done. The pool makes another in its place.
   * @throws SandboxUnavailableError when none could be started, SandboxCrashedError `sandbox_disposed` after `dispose()`
   */
  acquire(): Promise<SandboxSession>;
  /** Ends the sessions nobody acquired. Idempotent. */
  dispose(): Promise<void>;
}

export type SandboxPoolOptions = { backend: 'isolate'; size?: number } & IsolateSandboxOptions;

const MAX_SIZE = 100;
const REFILL_DELAY_MS = 100;

/**
 * Keeps sessions started, so that acquiring one takes milliseconds.
 * @throws TypeError for an unknown backend, a size that is not an integer from 1 to 100, or a bad session option
 */
export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  const { backend, size = 1, ...session } = options;
  if (backend !== 'isolate')
    throw new TypeError(`createSandboxPool: unknown backend '${String(backend)}'. Use 'isolate'`);
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new TypeError(`createSandboxPool: 'size' must be an integer from 1 to ${MAX_SIZE}`);
  }
  return new WarmPool(size, () => createIsolateSandbox(session));
}

class WarmPool implements SandboxPool {
  readonly size: number;
  readonly #create: () => SandboxSession;
  readonly #warm: Promise<SandboxSession>[] = [];
  #disposed = false;
  #refill: NodeJS.Timeout | undefined;

  constructor(size: number, create: () => SandboxSession) {
    this.size = size;
    this.#create = create;
    while (this.#warm.length < size) this.#warm.push(this.#startOne());
  }

  async acquire(): Promise<SandboxSession> {
    if (this.#disposed) throw new SandboxCrashedError('The pool was disposed', 'sandbox_disposed');
    const session = this.#warm.shift() ?? this.#startOne();
    this.#refillSoon();
    return await session;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#refill);
    const sessions = await Promise.allSettled(this.#warm.splice(0));
    await Promise.all(
      sessions.map((settled) => (settled.status === 'fulfilled' ? settled.value.dispose() : undefined)),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Not at once: starting a process takes from the first call of the session that was just handed out. */
  #refillSoon(): void {
    clearTimeout(this.#refill);
    this.#refill = setTimeout(() => {
      while (this.#warm.length < this.size) this.#warm.push(this.#startOne());
    }, REFILL_DELAY_MS).unref();
  }

  #startOne(): Promise<SandboxSession> {
    const started = startWarm(this.#create());
    // Whoever acquires it hears of the failure.
    started.catch(() => {});
    return started;
  }
}

/** The first command of a shell compiles what the later ones use: a warm session has that behind it. */
async function startWarm(session: SandboxSession): Promise<SandboxSession> {
  try {
    await session.start();
    await session.exec('echo ready | cat');
    return session;
  } catch (error) {
    await session.dispose();
    throw error;
  }
}
