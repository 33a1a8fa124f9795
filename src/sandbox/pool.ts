import { object, whole } from '../checks/kinds.js';
import { mustBe } from '../checks/options.js';
import { show } from '../checks/show.js';
import type { SandboxSession } from './contract.js';
import { DockerSession } from './docker/docker-session.js';
import { type DockerSandboxOptions, readOptions as readDockerOptions } from './docker/options.js';
import { SandboxCrashedError, SandboxUnavailableError } from './errors.js';
import { IsolateSession } from './isolate/isolate-session.js';
import { type IsolateSandboxOptions, readOptions as readIsolateOptions } from './isolate/options.js';
import { SETUP_TIMEOUT_MS } from './limits.js';
import { MAX_TIMER_MS } from './session-options.js';
import { keepSecrets } from './session-secrets.js';

/** Warm sessions, all made alike. */
export interface SandboxPool extends AsyncDisposable {
  /** Sessions kept ready. */
  readonly size: number;
  /**
   * A started session that nobody has used; dispose it when done. The pool makes another in its place. One that died
   * while it waited, or could not be started, is not handed out: another is started, which takes as long as that does.
   * @throws SandboxUnavailableError when none could be started, or not within `acquireTimeoutMs`; what is ready later is
   * disposed. SandboxCrashedError `sandbox_disposed` after `dispose()`
   */
  acquire(): Promise<SandboxSession>;
  /** Ends the sessions nobody acquired, those that still start within `acquireTimeoutMs`. Idempotent. */
  dispose(): Promise<void>;
}

interface PoolOptions {
  /** How many are kept ready, 1 to 100. Default 1. */
  size?: number;
  /**
   * Milliseconds that `acquire()` takes at most, also where an engine stalls. Default 60,000, and in Docker what `setup`
   * may take on top.
   */
  acquireTimeoutMs?: number;
}

/** Those of the pool; everything else is an option of the backend's sessions. */
export type SandboxPoolOptions =
  | ({ backend: 'isolate' } & PoolOptions & IsolateSandboxOptions)
  | ({ backend: 'docker' } & PoolOptions & DockerSandboxOptions);

const SIZE = whole(1, 100);
const ACQUIRE_TIMEOUT = whole(1, MAX_TIMER_MS);
const ACQUIRE_TIMEOUT_MS = 60_000;
const REFILL_DELAY_MS = 100;
/** How often it is looked whether those that wait still live; oftener where they live for a shorter time than that. */
const LOOK_EVERY_MS = 30_000;
const LOOK_MOST_OFTEN_MS = 250;
const ANSWER_PATIENCE_MS = 3_000;

/**
 * Keeps sessions started, so that acquiring one takes milliseconds. What a session copies when it starts (an
 * `overlay` in Docker that is no volume) is as old as the session.
 * @throws TypeError for an unknown backend, a bad `size` or `acquireTimeoutMs`, or a bad session option
 * @example
 * await using pool = createSandboxPool({ backend: 'docker', size: 2 });
 * await using sandbox = await pool.acquire();
 * console.log((await sandbox.exec('uname')).stdout); // Linux
 */
export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  if (!object.test(options)) throw new TypeError(`createSandboxPool: ${mustBe('options', object, options)}`);
  const { size = 1 } = options;
  if (!SIZE.test(size)) throw new TypeError(`createSandboxPool: ${mustBe("'size'", SIZE, size)}`);
  const create = readCreator(options);
  const { acquireTimeoutMs = ACQUIRE_TIMEOUT_MS + setupMs(options), idleLifeMs = Number.POSITIVE_INFINITY } = options;
  if (!ACQUIRE_TIMEOUT.test(acquireTimeoutMs))
    throw new TypeError(`createSandboxPool: ${mustBe("'acquireTimeoutMs'", ACQUIRE_TIMEOUT, acquireTimeoutMs)}`);
  const pool = new WarmPool(create, { size, acquireTimeoutMs, lifeMs: idleLifeMs });
  // A host is told of its first call before it has a session.
  keepSecrets(pool, options.env ?? {});
  return pool;
}

/** Options are read once, so that what is wrong with them is said at once. */
function readCreator(options: SandboxPoolOptions): () => SandboxSession {
  const asked = { where: 'createSandboxPool', more: ['backend', 'size', 'acquireTimeoutMs'] };
  switch (options.backend) {
    case 'isolate': {
      const { backend, size, acquireTimeoutMs, ...session } = options;
      const settings = readIsolateOptions(session, asked);
      return () => new IsolateSession(settings);
    }
    case 'docker': {
      const { backend, size, acquireTimeoutMs, ...session } = options;
      const settings = readDockerOptions(session, asked);
      return () => new DockerSession(settings);
    }
    default: {
      const { backend } = options as { backend?: unknown };
      throw new TypeError(`createSandboxPool: 'backend' must be 'isolate' or 'docker', not ${show(backend)}`);
    }
  }
}

function setupMs(options: SandboxPoolOptions): number {
  if (options.backend !== 'docker' || options.setup === undefined) return 0;
  return options.setup.timeoutMs ?? SETUP_TIMEOUT_MS;
}

interface WarmPoolSettings {
  size: number;
  acquireTimeoutMs: number;
  lifeMs: number;
}

class WarmPool implements SandboxPool {
  readonly size: number;
  readonly #create: () => SandboxSession;
  readonly #warm: Promise<SandboxSession>[] = [];
  /** Those that end, or will when they have started: nobody waits for them but `dispose()`. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #acquireTimeoutMs: number;
  readonly #look: NodeJS.Timeout;
  #disposed = false;
  #refill: NodeJS.Timeout | undefined;

  constructor(create: () => SandboxSession, { size, acquireTimeoutMs, lifeMs }: WarmPoolSettings) {
    this.size = size;
    this.#acquireTimeoutMs = acquireTimeoutMs;
    this.#create = create;
    while (this.#warm.length < size) this.#warm.push(this.#startOne());
    const every = Math.max(LOOK_MOST_OFTEN_MS, Math.min(LOOK_EVERY_MS, lifeMs / 4));
    this.#look = setInterval(() => void this.#replaceDead(), every).unref();
  }

  async acquire(): Promise<SandboxSession> {
    if (this.#disposed) throw new SandboxCrashedError('The pool was disposed', 'sandbox_disposed');
    const warm = this.#warm.shift();
    this.#refillSoon();
    const coming = this.#next(warm);
    const session = await inTime(coming, this.#acquireTimeoutMs);
    if (session !== undefined) return session;
    this.#leave(coming);
    throw new SandboxUnavailableError(
      `Cannot hand out a sandbox: none was ready within ${this.#acquireTimeoutMs} ms. Look whether the backend answers (\`npx caisson doctor\`), or raise 'acquireTimeoutMs'`,
    );
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#refill);
    clearInterval(this.#look);
    for (const warm of this.#warm.splice(0)) this.#leave(warm);
    await inTime(Promise.all(this.#leaving), this.#acquireTimeoutMs);
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

  async #next(warm: Promise<SandboxSession> | undefined): Promise<SandboxSession> {
    return (await this.#stillAlive(warm)) ?? (await this.#startOne());
  }

  async #replaceDead(): Promise<void> {
    for (const warm of [...this.#warm]) {
      const alive = await this.#stillAlive(warm);
      const place = this.#warm.indexOf(warm);
      if (alive === undefined && place !== -1) this.#warm[place] = this.#startOne();
    }
  }

  #startOne(): Promise<SandboxSession> {
    const started = startWarm(this.#create());
    // Whoever acquires it hears of the failure.
    started.catch(() => {});
    return started;
  }

  /** It may have reached the end of its life, or its engine that of its own, while it waited. */
  async #stillAlive(warm: Promise<SandboxSession> | undefined): Promise<SandboxSession | undefined> {
    const session = await warm?.catch(() => undefined);
    if (session === undefined || (await answers(session))) return session;
    this.#leave(session);
    return undefined;
  }

  #leave(session: SandboxSession | Promise<SandboxSession>): void {
    const gone = Promise.resolve(session)
      .then((started) => started.dispose())
      // It never started, or is put away by the reaper.
      .catch(() => {})
      .finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }
}

/** One that takes longer than another needs to start, as in a paused container, is as good as dead. */
async function answers(session: SandboxSession): Promise<boolean> {
  const started = session.start().then(
    () => true,
    () => false,
  );
  return (await inTime(started, ANSWER_PATIENCE_MS)) ?? false;
}

/** `undefined` when it takes longer. */
async function inTime<T>(coming: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
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
