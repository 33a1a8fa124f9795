import { object, whole } from '../checks/kinds.js';
import { mustBe } from '../checks/options.js';
import { show } from '../checks/show.js';
import type { SandboxSession } from './contract.js';
import { SandboxCrashedError } from './errors.js';
import { IsolateSession } from './isolate/isolate-session.js';
import { type IsolateSandboxOptions, readOptions } from './isolate/options.js';

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

const SIZE = whole(1, 100);
const REFILL_DELAY_MS = 100;

/**
 * Keeps sessions started, so that acquiring one takes milliseconds.
 * @throws TypeError for an unknown backend, a size that is not an integer from 1 to 100, or a bad session option
 */
export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  if (!object.test(options)) throw new TypeError(`createSandboxPool: ${mustBe('options', object, options)}`);
  const { backend, size = 1, ...session } = options;
  if (backend !== 'isolate')
    throw new TypeError(`createSandboxPool: 'backend' must be 'isolate', not ${show(backend)}`);
  if (!SIZE.test(size)) throw new TypeError(`createSandboxPool: ${mustBe("'size'", SIZE, size)}`);
  const settings = readOptions(session, { where: 'createSandboxPool', more: ['backend', 'size'] });
  return new WarmPool(size, () => new IsolateSession(settings));
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
