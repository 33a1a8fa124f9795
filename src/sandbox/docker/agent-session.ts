import type { FileOperation } from '../../../sandbox/protocol/file-operations.js';
import type {
  Change,
  CommitResult,
  ExecOptions,
  ExecResult,
  RunResult,
  SandboxCapabilities,
  SandboxNotice,
  SandboxProcess,
  SandboxSession,
  SnapshotId,
  WorkspaceMode,
} from '../contract.js';
import { SandboxAbortError, SandboxCrashedError, SandboxError } from '../errors.js';
import { type ExecRequest, readExecRequest } from '../exec-request.js';
import { notStartedResult } from '../exec-result.js';
import type { FileReply } from '../file-replies.js';
import { DEFAULT_LIMITS, KILL_GRACE_MS, type SandboxLimits } from '../limits.js';
import type { EnforcementPlan } from '../plan.js';
import { toRunResult } from '../run-result.js';
import { type FileCallOptions, SessionFiles } from '../session-files.js';
import { checkPlan } from '../session-options.js';
import { keepSecrets, type SessionSecrets } from '../session-secrets.js';
import type { AgentConnection, ReadyMessage } from './agent-connection.js';
import type { AgentTransport } from './agent-transport.js';
import { AgentTree } from './agent-tree.js';
import { ExecCall } from './exec-call.js';
import { FileCall } from './file-call.js';
import type { TreeSource } from './overlay/transfer-entries.js';
import { maskLost, type PathGuard, whyOpen } from './path-guard.js';
import { SpawnedProcess } from './spawned-process.js';
import { type TreeInventory, TreeSnapshots } from './tree-snapshots.js';

export interface OpenAgent {
  connection: AgentConnection;
  transport: AgentTransport;
  ready: ReadyMessage;
  /** Where changes are kept apart from their origin. */
  overlay?: Overlay;
  /** Where rules hold for what is there at the start: knows what came since. */
  guard?: PathGuard;
  /** Path rules that its commands can go around. Default: none. */
  unenforced?: readonly string[];
}

/** The work of `changes()`, `commit()` and `discard()`. */
export interface Overlay {
  /** `volume`: the sandbox looks through to the origin; `copy`: it has one of its own. */
  readonly form: 'volume' | 'copy';
  changes(): Promise<Change[]>;
  /** @param beforeWriting called with what is about to change in the origin, once everything was checked */
  commit(plan: EnforcementPlan, beforeWriting: (paths: readonly string[]) => Promise<void>): Promise<CommitResult>;
  discard(): Promise<void>;
  /** For snapshots: all there is, and which of it the origin has too. */
  inventory(): Promise<TreeInventory>;
  readonly origin: TreeSource;
}

export interface AgentSessionOptions {
  name: string;
  id: string;
  mode: WorkspaceMode;
  env: Record<string, string>;
  limits: Required<SandboxLimits>;
  plan: EnforcementPlan;
  /** Whether path rules hold for commands, and not for file calls alone. */
  holdsRules: boolean;
  /** A new agent may take the place of one that died: nothing that must last was in it. */
  reopens: boolean;
  /** Starts an agent; `onLost` is called once when it is gone, for whatever reason. */
  open(plan: EnforcementPlan, onLost: (error: SandboxError) => void): Promise<OpenAgent>;
  describe(ready?: ReadyMessage): string;
  capabilities(ready?: ReadyMessage): SandboxCapabilities;
}

/** The agent comes first in ending what is late; it may need a while to verify it. This is for an agent that does not. */
const HOST_SLACK_MS = 8_000;
/** What runs may end by itself so soon that a call need not be refused for it. */
const IDLE_PATIENCE_MS = 1_000;
const MAX_RENEWALS = 5;

/**
 * A session whose work is done by a guest agent at the other end of a byte stream. Knows the contract and the agent's
 * protocol, and nothing of what the agent lives in. Above 400 lines because an agent's life (started, stale, renewed,
 * lost, over) and the calls that depend on it are read together, or a call is let through in the wrong state.
 */
export class AgentSession implements SandboxSession {
  readonly name: string;
  readonly id: string;
  readonly cwd = '/workspace';
  readonly fs: SessionFiles;
  readonly #options: AgentSessionOptions;
  readonly #secrets: SessionSecrets;
  readonly #snapshots = new TreeSnapshots();
  #plan: EnforcementPlan;
  #agent: Promise<OpenAgent> | undefined;
  /** The one of `#agent` that became ready. */
  #live: Promise<OpenAgent> | undefined;
  #ready: ReadyMessage | undefined;
  /** Rules came that the present agent's world does not hold against commands. */
  #stale = false;
  /** Rules that came too late for what has started and cannot be started anew. */
  #late: string[] = [];
  #unenforced: readonly string[] | undefined;
  #onNotice: (notice: SandboxNotice) => void = () => {};
  #over: SandboxError | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    this.#secrets = keepSecrets(this, options.env);
    this.name = options.name;
    this.id = options.id;
    this.#plan = options.plan;
    this.fs = new SessionFiles((operation, callOptions) =>
      this.#secrets.guard(this.#callFiles(operation, callOptions)),
    );
  }

  get description(): string {
    return this.#options.describe(this.#ready);
  }

  get capabilities(): SandboxCapabilities {
    return this.#options.capabilities(this.#ready);
  }

  get unenforced(): readonly string[] {
    if (!this.#options.holdsRules) return rulesOf(this.#plan);
    return [...new Set([...(this.#unenforced ?? []), ...this.#late])];
  }

  onNotice(listener: (notice: SandboxNotice) => void): void {
    this.#onNotice = listener;
  }

  async start(): Promise<void> {
    await this.#secrets.guard(this.#openAnswering());
  }

  async exec(command: string, opts: ExecOptions = {}): Promise<ExecResult> {
    const request = readExecRequest({ command }, opts, this.#defaults);
    this.#secrets.add(opts.env);
    return await this.#secrets.guard(this.#exec(request, opts.signal));
  }

  async run(cmd: string, args: string[], opts: ExecOptions = {}): Promise<RunResult> {
    const request = readExecRequest({ call: 'run', cmd, args }, opts, this.#defaults);
    this.#secrets.add(opts.env);
    return await this.#secrets.guard(this.#exec(request, opts.signal).then((result) => toRunResult(cmd, result)));
  }

  async spawn(cmd: string, args: string[], opts: ExecOptions = {}): Promise<SandboxProcess> {
    const request = readExecRequest({ call: 'spawn', cmd, args }, opts, this.#defaults);
    this.#secrets.add(opts.env);
    return await this.#secrets.guard(this.#spawn(cmd, request, opts));
  }

  async #spawn(cmd: string, request: ExecRequest, opts: ExecOptions): Promise<SandboxProcess> {
    const { argv, cwd, env, maxOutputBytes } = request;
    const { timeoutMs } = opts;
    if (opts.signal?.aborted) throw new SandboxAbortError(`'${cmd}' was aborted before it started`, NO_OUTPUT);
    const { connection } = await this.#openForCommands();
    const child = new SpawnedProcess(connection, { argv: argv ?? [cmd], cwd, env, timeoutMs, maxOutputBytes });
    const abort = () => child.cancel();
    opts.signal?.addEventListener('abort', abort, { once: true });
    const settled = () => opts.signal?.removeEventListener('abort', abort);
    child.wait().then(settled, settled);
    await child.started;
    if (opts.stdin !== undefined) void feed(child, opts.stdin);
    return child;
  }

  async writeFile(path: string, content: string): Promise<void> {
    await this.fs.writeFile(path, content);
  }

  enforce(plan: EnforcementPlan): void {
    checkPlan(plan);
    if (plan.denyRead.length === 0 && plan.denyWrite.length === 0) return;
    this.#plan = {
      denyRead: [...this.#plan.denyRead, ...plan.denyRead],
      denyWrite: [...this.#plan.denyWrite, ...plan.denyWrite],
    };
    // The file calls hold it at once; for commands a new agent is made as soon as nothing runs in this one.
    if (this.#agent !== undefined && this.#options.holdsRules && rulesOf(plan).length > 0) {
      if (this.#options.reopens) this.#stale = true;
      else this.#late.push(...rulesOf(plan));
    }
    void this.#agent?.then(
      ({ connection }) => connection.send({ type: 'enforce', plan }),
      () => {},
    );
  }

  async changes(): Promise<Change[]> {
    const { overlay } = await this.#open();
    return overlay === undefined ? this.fs.changes() : overlay.changes();
  }

  async commit(): Promise<CommitResult> {
    const { overlay } = await this.#open();
    if (overlay === undefined) return this.fs.commit();
    return overlay.commit(this.#plan, (paths) => this.#snapshots.keep(overlay.origin, paths));
  }

  async discard(): Promise<void> {
    const { overlay } = await this.#open();
    return overlay === undefined ? this.fs.discard() : overlay.discard();
  }

  /** Where files are kept apart from any origin: all of the workspace as it is now. */
  async snapshot(): Promise<SnapshotId> {
    const { connection, overlay } = await this.#openForSnapshots();
    return await this.#snapshots.take(new AgentTree(connection), overlay);
  }

  async restore(id: SnapshotId): Promise<void> {
    const { connection, overlay } = await this.#openForSnapshots();
    await this.#snapshots.restore(id, { tree: new AgentTree(connection), overlay });
  }

  dispose(): Promise<void> {
    this.#over ??= new SandboxCrashedError('The sandbox was disposed', 'sandbox_disposed');
    this.#ending ??= this.#shutDown(this.#over);
    return this.#ending;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  get #defaults() {
    // The agent has the session's environment already.
    return { env: {}, limits: this.#options.limits };
  }

  async #exec(request: ExecRequest, signal: AbortSignal | undefined): Promise<ExecResult> {
    this.#checkOpen();
    if (signal?.aborted) return notStartedResult();
    const agent = await this.#openForCommands();
    if (signal?.aborted) return notStartedResult();
    const call = new ExecCall(agent.connection, request);
    const late = (cause: 'timeout' | 'aborted') =>
      void this.#endUnresponsive(agent, (killed) => call.giveUp(cause, killed));
    return await supervise(call, { timeoutMs: request.timeoutMs, signal, late });
  }

  async #callFiles(
    operation: FileOperation,
    { body, signal, timeoutMs = DEFAULT_LIMITS.timeoutMs }: FileCallOptions = {},
  ): Promise<FileReply> {
    this.#checkOpen();
    if (signal?.aborted) throw fileAborted();
    const agent = await this.#open();
    if (signal?.aborted) throw fileAborted();
    const call = new FileCall(agent.connection, { type: 'file', operation, body, timeoutMs });
    const aborted = Promise.withResolvers<never>();
    const abort = () => {
      call.cancel();
      aborted.reject(fileAborted());
    };
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => void this.#endUnresponsive(agent, () => {}), timeoutMs + HOST_SLACK_MS);
    try {
      return await Promise.race([call.result, aborted.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      call.result.catch(() => {});
    }
  }

  async #open(): Promise<OpenAgent> {
    this.#checkOpen();
    if (this.#stale) {
      const opening = this.#agent;
      const agent = await opening?.catch(() => undefined);
      if (this.#agent === opening && agent?.connection.busy !== true) await this.#replace(opening, agent);
    }
    this.#agent ??= this.#start();
    const agent = await this.#agent;
    this.#checkOpen();
    return agent;
  }

  /** One that has been there for a while may be gone, and nobody has noticed yet. */
  async #openAnswering(): Promise<void> {
    const known = this.#agent;
    const { connection } = await this.#open();
    // Calls under way notice by themselves.
    if (this.#agent !== known || connection.busy) return;
    await connection.ping().catch(() => {});
    await this.#open();
  }

  /** An agent in whose world everything is closed that the rules name now. */
  async #openForCommands(): Promise<OpenAgent> {
    let why = '';
    for (let renewals = 0; renewals < MAX_RENEWALS; renewals += 1) {
      const agent = await this.#open();
      const opening = this.#agent;
      const open = await agent.guard?.check().catch(() => undefined);
      // It ended meanwhile, or another call had it made anew.
      if (this.#agent !== opening || (open === undefined && agent.guard !== undefined)) continue;
      const [first] = open?.toSorted((one, other) => one.kind.localeCompare(other.kind)) ?? [];
      if (first === undefined && !this.#stale) return agent;
      if (first !== undefined && !this.#options.reopens)
        throw maskLost(whyOpen(first), 'Remove it there, or commit what shall be kept and start a new session');
      why = first === undefined ? 'rules were added since it started' : whyOpen(first);
      if (agent.connection.busy) {
        if (first?.kind === 'denyWrite' && !this.#stale) return agent;
        await becomesIdle(agent.connection);
        if (agent.connection.busy)
          throw maskLost(
            why,
            'A new one is made as soon as nothing runs in it: end what runs, or wait for it, and make the call again',
          );
      } else if (this.#agent === opening) {
        await this.#replace(opening, agent);
        this.#onNotice({ type: 'renewed', reason: why });
      }
    }
    throw maskLost(why, 'This happened again and again: make the call when the workspace has come to rest');
  }

  async #openForSnapshots(): Promise<OpenAgent> {
    if (this.#options.mode === 'direct') {
      throw new SandboxError(
        'unsupported',
        "Cannot take snapshots of a 'direct' workspace: use version control, or workspaceMode 'overlay'",
      );
    }
    return await this.#open();
  }

  async #replace(opening: Promise<OpenAgent> | undefined, agent: OpenAgent | undefined): Promise<void> {
    if (this.#agent !== opening) return;
    this.#stale = false;
    this.#agent = undefined;
    await agent?.transport.destroy();
  }

  #start(): Promise<OpenAgent> {
    const plan = this.#plan;
    const opening: Promise<OpenAgent> = this.#options
      .open(plan, (error) => this.#lost(opening, error))
      .then((agent) => {
        this.#ready = agent.ready;
        this.#live = opening;
        this.#unenforced = agent.unenforced;
        agent.guard?.onBroken((broken) => void this.#endOpened(agent, whyOpen(broken)));
        agent.guard?.onAppeared(({ path, rule }) => this.#onNotice({ type: 'written', path, rule }));
        // Rules that came while it started.
        if (this.#plan !== plan) {
          const { denyRead, denyWrite } = this.#plan;
          const late = {
            denyRead: denyRead.slice(plan.denyRead.length),
            denyWrite: denyWrite.slice(plan.denyWrite.length),
          };
          agent.connection.send({ type: 'enforce', plan: late });
        }
        return agent;
      });
    // The next call may find what was missing there.
    opening.catch(() => {
      if (this.#agent === opening) this.#agent = undefined;
    });
    return opening;
  }

  #lost(opening: Promise<OpenAgent>, error: SandboxError): void {
    // One that never came to be is the failure of who waits for it; the next call may have more luck.
    if (this.#live !== opening || this.#agent !== opening) return;
    const mayReopen = this.#options.reopens && error.code !== 'sandbox_expired';
    if (mayReopen) this.#agent = undefined;
    else this.#over ??= error;
    void opening.then(
      ({ transport }) => transport.destroy(),
      () => {},
    );
  }

  /** What commands must not read came open to them: they end, with what they have read. */
  async #endOpened({ connection, transport }: OpenAgent, why: string): Promise<void> {
    connection.end(maskLost(why, 'It was ended with everything in it. Make the call again: the sandbox is made anew'));
    await transport.destroy();
    this.#onNotice({ type: 'renewed', reason: why });
  }

  /** Neither the deadline nor an abort was answered: the agent is stopped or taken over, and its whole world goes. */
  async #endUnresponsive(
    { connection, transport }: OpenAgent,
    done: (killed: 'verified' | 'unverified') => void,
  ): Promise<void> {
    connection.ignoreEnd();
    const gone = transport.destroy().then(
      () => 'verified' as const,
      () => 'unverified' as const,
    );
    const killed = await Promise.race([gone, pause(5_000).then(() => 'unverified' as const)]);
    done(killed);
    connection.end(new SandboxCrashedError('The sandbox did not answer any more and was ended. Make the call again'));
  }

  #checkOpen(): void {
    if (this.#over === undefined) return;
    const { message, code } = this.#over;
    throw this.#over instanceof SandboxCrashedError
      ? new SandboxCrashedError(message, code as 'sandbox_crashed')
      : this.#over;
  }

  async #shutDown(reason: SandboxError): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    if (agent === undefined) return;
    agent.connection.end(reason);
    await agent.transport.destroy();
  }
}

async function becomesIdle(connection: AgentConnection): Promise<void> {
  const until = performance.now() + IDLE_PATIENCE_MS;
  while (connection.busy && performance.now() < until) await pause(10);
}

function rulesOf({ denyRead, denyWrite }: EnforcementPlan): string[] {
  return [...new Set([...denyRead, ...denyWrite].map(({ rule }) => rule))];
}

const NO_OUTPUT = { stdout: '', stderr: '' };

/** Runs a call under its caller's signal, and under the host's own deadline, which comes after the agent's. */
async function supervise(
  call: ExecCall,
  {
    timeoutMs,
    signal,
    late,
  }: { timeoutMs: number; signal: AbortSignal | undefined; late(cause: 'timeout' | 'aborted'): void },
): Promise<ExecResult> {
  const timers = [setTimeout(() => late('timeout'), timeoutMs + KILL_GRACE_MS + HOST_SLACK_MS)];
  const abort = () => {
    call.cancel();
    timers.push(setTimeout(() => late('aborted'), KILL_GRACE_MS + HOST_SLACK_MS));
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await call.result;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function feed(child: SpawnedProcess, stdin: string | Uint8Array): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin);
    await writer.close();
  } catch {
    // The process has ended; its result says how.
  }
}

function fileAborted(): SandboxError {
  return new SandboxError('aborted', 'The file call was aborted');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
