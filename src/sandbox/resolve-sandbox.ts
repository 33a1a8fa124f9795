import { adaptSandbox } from './adapted-sandbox.js';
import type {
  Sandbox,
  SandboxAdapter,
  SandboxCapabilities,
  SandboxNotice,
  SandboxSession,
  WorkspaceMode,
} from './contract.js';
import { isSandboxError, SandboxCrashedError, SandboxUnavailableError } from './errors.js';
import { createLazySandbox } from './lazy-sandbox.js';
import { openNamedSession, type PassedOver, startAutoSession, startOrDispose } from './named-session.js';
import type { EnforcementPlan } from './plan.js';
import type { SandboxPool } from './pool.js';

export type SandboxOption = SandboxSession | Sandbox | SandboxAdapter | SandboxPool | 'isolate' | 'docker' | 'auto';

export interface SandboxStarted {
  sandbox: { name: string; id: string };
  /** What keeps it from the host. */
  isolation: SandboxCapabilities['isolation'];
  network: SandboxCapabilities['network'];
  workspaceMode: WorkspaceMode;
  /** Of a container. */
  image?: string;
  /** How calls reach a container. */
  transport?: SandboxCapabilities['transport'];
  /** Backends that `auto` did not take. */
  passedOver?: PassedOver[];
  /** Path rules that the sandbox itself does not hold: only tool calls and commands that name the path are refused. */
  unenforced?: string[];
}

export interface SandboxLost {
  sandbox: { name: string; id: string };
  reason: string;
}

export interface SandboxSettings {
  /** Host directory, for the named backends. */
  workspace?: string;
  workspaceMode?: WorkspaceMode;
  /** What the sandbox is asked to hold by mechanism. */
  plan: EnforcementPlan;
  /** The sandbox itself, before it is told of: only this side knows what it was given. */
  onOpened: (sandbox: Sandbox) => void;
  onStarted: (started: SandboxStarted) => void;
  onNotice: (notice: SandboxNotice, sandbox: { name: string; id: string }) => void;
  onLost: (lost: SandboxLost) => void;
}

/** One host's sandbox, whatever form it was given in. */
export interface SandboxSource {
  /** What tools may be shown before anything has started. */
  readonly sandbox: Sandbox;
  /** Path rules that it is asked to hold and does not. */
  readonly unenforced: readonly string[];
  /** Starts it, once. A failed start is tried again by the next call. @throws SandboxError */
  start(): Promise<Sandbox>;
  /** A call failed for the sandbox's sake: says so, and lets a sandbox whose life is over be replaced. */
  noticeFailure(failure: { code?: string; message: string }): void;
  /** Ends what was made here; never what was handed in. Idempotent. */
  dispose(): Promise<void>;
}

/** How one kind of option becomes a running sandbox. */
interface Backend {
  name: string;
  open(): Promise<Opened>;
  /** Known before it starts. */
  sandbox?: Sandbox;
  session?: SandboxSession;
}

interface Opened {
  sandbox: Sandbox;
  owned?: SandboxSession;
  /** What takes rules: the session, owned or handed in. */
  session?: SandboxSession;
  passedOver?: PassedOver[];
}

/**
 * Reads the `sandbox` option. Nothing starts yet.
 * @throws TypeError for a value that is no sandbox
 */
export function resolveSandbox(option: SandboxOption, settings: SandboxSettings): SandboxSource {
  return new Source(toBackend(option, settings), settings);
}

function toBackend(option: unknown, settings: SandboxSettings): Backend {
  if (typeof option === 'string') return namedBackend(option, settings);
  if (typeof option !== 'object' || option === null) throw notASandbox(option);
  if (hasMethods(option, ['acquire'])) return poolBackend(option as SandboxPool, settings);
  if (!hasMethods(option, ['run', 'writeFile']) || typeof (option as SandboxAdapter).name !== 'string')
    throw notASandbox(option);
  if (hasMethods(option, ['start', 'dispose', 'exec'])) return sessionBackend(option as SandboxSession, settings);
  const sandbox = hasMethods(option, ['exec', 'spawn']) ? (option as Sandbox) : adaptSandbox(option as SandboxAdapter);
  return { name: sandbox.name, sandbox, open: async () => ({ sandbox }) };
}

function namedBackend(name: string, { workspace, workspaceMode, plan }: SandboxSettings): Backend {
  const options = {
    plan,
    ...(workspace === undefined ? {} : { workspace }),
    ...(workspaceMode === undefined ? {} : { workspaceMode }),
  };
  switch (name) {
    case 'isolate':
    case 'docker':
      return { name, open: async () => startOwned(await openNamedSession(name, options)) };
    case 'auto':
      return {
        name,
        async open() {
          const { session, passedOver } = await startAutoSession(options);
          return { sandbox: session, owned: session, session, passedOver };
        },
      };
    default:
      throw new TypeError(`Unknown sandbox '${name}': name 'isolate', 'docker' or 'auto', or pass a sandbox`);
  }
}

function poolBackend(pool: SandboxPool, { plan }: SandboxSettings): Backend {
  return {
    name: 'pool',
    async open() {
      const owned = await pool.acquire();
      owned.enforce(plan);
      return startOwned(owned);
    },
  };
}

async function startOwned(owned: SandboxSession): Promise<Opened> {
  const session = await startOrDispose(owned);
  return { sandbox: session, owned, session };
}

/** Rules hold from the beginning, for whoever else uses the session too. */
function sessionBackend(session: SandboxSession, { plan }: SandboxSettings): Backend {
  session.enforce(plan);
  return {
    name: session.name,
    sandbox: session,
    session,
    async open() {
      await session.start();
      return { sandbox: session, session };
    },
  };
}

class Source implements SandboxSource {
  readonly sandbox: Sandbox;
  readonly #backend: Backend;
  readonly #settings: SandboxSettings;
  #opening: Promise<Sandbox> | undefined;
  #current: Sandbox | undefined;
  #owned: SandboxSession | undefined;
  #session: SandboxSession | undefined;
  #disposing: Promise<void> | undefined;

  constructor(backend: Backend, settings: SandboxSettings) {
    this.#backend = backend;
    this.#settings = settings;
    this.#session = backend.session;
    this.sandbox =
      backend.sandbox ??
      createLazySandbox({ name: backend.name, current: () => this.#current, start: () => this.start() });
  }

  get unenforced(): readonly string[] {
    return this.#session?.unenforced ?? [];
  }

  start(): Promise<Sandbox> {
    if (this.#disposing !== undefined) {
      return Promise.reject(
        new SandboxCrashedError('The host was disposed: make a new one to run tools in a sandbox', 'sandbox_disposed'),
      );
    }
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw isSandboxError(error) ? error : startFailed(this.#backend.name, error);
    });
    return this.#opening;
  }

  noticeFailure({ code, message }: { code?: string; message: string }): void {
    const { name, id } = this.#current ?? this.sandbox;
    if (this.#current !== undefined) this.#settings.onLost({ sandbox: { name, id }, reason: message });
    // A worker that crashed is replaced by its session; a session whose life is over is replaced here.
    if (code !== 'sandbox_expired' || this.#owned === undefined) return;
    const expired = this.#owned;
    this.#forget();
    expired.dispose().catch(() => {});
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#end();
    return this.#disposing;
  }

  async #open(): Promise<Sandbox> {
    const { sandbox, owned, session, passedOver } = await this.#backend.open();
    this.#current = sandbox;
    this.#owned = owned;
    this.#session = session;
    const { plan, onOpened, onStarted, onNotice } = this.#settings;
    const { name, id } = sandbox;
    onOpened(sandbox);
    session?.onNotice?.((notice) => onNotice(notice, { name, id }));
    const unenforced =
      session === undefined
        ? [...plan.denyRead, ...plan.denyWrite].map(({ rule }) => rule)
        : (session.unenforced ?? []);
    onStarted({
      sandbox: { name, id },
      ...factsOf(sandbox),
      ...(passedOver === undefined ? {} : { passedOver }),
      ...(unenforced.length === 0 ? {} : { unenforced: [...new Set(unenforced)] }),
    });
    return sandbox;
  }

  async #end(): Promise<void> {
    await this.#opening?.catch(() => {});
    const owned = this.#owned;
    this.#forget();
    await owned?.dispose();
  }

  #forget(): void {
    this.#opening = undefined;
    this.#current = undefined;
    this.#owned = undefined;
    this.#session = this.#backend.session;
  }
}

function factsOf(
  sandbox: Sandbox & Partial<Pick<SandboxSession, 'image'>>,
): Omit<SandboxStarted, 'sandbox' | 'passedOver' | 'unenforced'> {
  const { isolation, network, workspaceMode, transport } = sandbox.capabilities;
  const { image } = sandbox;
  return {
    isolation,
    network,
    workspaceMode,
    ...(image === undefined ? {} : { image }),
    ...(transport === undefined ? {} : { transport }),
  };
}

function startFailed(name: string, error: unknown): SandboxUnavailableError {
  const message = error instanceof Error ? error.message : String(error);
  return new SandboxUnavailableError(`Cannot start the sandbox '${name}': ${message}`, {
    code: 'sandbox_start_failed',
    cause: error,
  });
}

function hasMethods(value: object, names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}

function notASandbox(value: unknown): TypeError {
  const shown = value === null ? 'null' : typeof value;
  return new TypeError(
    `createToolHost: 'sandbox' is ${shown} and must be a sandbox (at least name, run and writeFile), a pool, 'isolate', 'docker' or 'auto'`,
  );
}
