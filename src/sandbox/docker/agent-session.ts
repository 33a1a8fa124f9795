import type { FileOperation } from '../../../sandbox/protocol/file-operations.js';
import { abortableFileCall, requireNotAborted } from '../abortable-file-call.js';
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
import { SandboxAbortError, SandboxError } from '../errors.js';
import { type ExecRequest, readExecRequest } from '../exec-request.js';
import { notStartedResult } from '../exec-result.js';
import type { FileReply } from '../file-replies.js';
import { DEFAULT_LIMITS, KILL_GRACE_MS, type SandboxLimits } from '../limits.js';
import type { EnforcementPlan } from '../plan.js';
import { toRunResult } from '../run-result.js';
import { type FileCallOptions, SessionFiles } from '../session-files.js';
import { checkPlan } from '../session-options.js';
import { keepSecrets, type SessionSecrets } from '../session-secrets.js';
import type { ReadyMessage } from './agent/agent-connection.js';
import { AgentTree } from './agent/agent-tree.js';
import { ExecCall } from './agent/exec-call.js';
import { FileCall } from './agent/file-call.js';
import { SpawnedProcess } from './agent/spawned-process.js';
import { CurrentAgent, type CurrentAgentOptions } from './current-agent.js';
import type { OpenAgent } from './open-agent.js';
import { TreeSnapshots } from './tree-snapshots.js';

export interface AgentSessionOptions extends CurrentAgentOptions {
  name: string;
  id: string;
  mode: WorkspaceMode;
  env: Record<string, string>;
  limits: Required<SandboxLimits>;
  describe(ready?: ReadyMessage): string;
  capabilities(ready?: ReadyMessage): SandboxCapabilities;
}

/** The agent comes first in ending what is late; it may need a while to verify it. This is for an agent that does not. */
const HOST_SLACK_MS = 8_000;

/**
 * A session whose work is done by a guest agent at the other end of a byte stream. Knows the contract and the agent's
 * protocol, and nothing of what the agent lives in, nor of when another takes its place.
 */
export class AgentSession implements SandboxSession {
  readonly name: string;
  readonly id: string;
  readonly cwd = '/workspace';
  readonly fs: SessionFiles;
  readonly #options: AgentSessionOptions;
  readonly #secrets: SessionSecrets;
  readonly #snapshots = new TreeSnapshots();
  readonly #agent: CurrentAgent;

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    this.#secrets = keepSecrets(this, options.env);
    this.name = options.name;
    this.id = options.id;
    this.#agent = new CurrentAgent(options);
    this.fs = new SessionFiles((operation, callOptions) =>
      this.#secrets.guard(this.#callFiles(operation, callOptions)),
    );
  }

  get description(): string {
    return this.#options.describe(this.#agent.ready);
  }

  get capabilities(): SandboxCapabilities {
    return this.#options.capabilities(this.#agent.ready);
  }

  get unenforced(): readonly string[] {
    return this.#agent.unenforced;
  }

  onNotice(listener: (notice: SandboxNotice) => void): void {
    this.#agent.onNotice = listener;
  }

  async start(): Promise<void> {
    await this.#secrets.guard(this.#agent.openAnswering());
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
    const { connection } = await this.#agent.openForCommands();
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
    if (plan.denyRead.length > 0 || plan.denyWrite.length > 0) this.#agent.enforce(plan);
  }

  async changes(): Promise<Change[]> {
    const { overlay } = await this.#agent.open();
    return overlay === undefined ? this.fs.changes() : overlay.changes(this.#agent.plan);
  }

  async commit(): Promise<CommitResult> {
    const { overlay } = await this.#agent.open();
    if (overlay === undefined) return this.fs.commit();
    return overlay.commit(this.#agent.plan, (paths) => this.#snapshots.keep(overlay.origin, paths));
  }

  async discard(): Promise<void> {
    const { overlay } = await this.#agent.open();
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
    return this.#agent.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  get #defaults() {
    // The agent has the session's environment already.
    return { env: {}, limits: this.#options.limits };
  }

  async #exec(request: ExecRequest, signal: AbortSignal | undefined): Promise<ExecResult> {
    this.#agent.requireOpen();
    if (signal?.aborted) return notStartedResult();
    const agent = await this.#agent.openForCommands();
    if (signal?.aborted) return notStartedResult();
    const call = new ExecCall(agent.connection, request);
    const late = (cause: 'timeout' | 'aborted') =>
      void this.#agent.endUnresponsive(agent, (killed) => call.giveUp(cause, killed));
    return await supervise(call, { timeoutMs: request.timeoutMs, signal, late });
  }

  async #callFiles(
    operation: FileOperation,
    { body, signal, timeoutMs = DEFAULT_LIMITS.timeoutMs }: FileCallOptions = {},
  ): Promise<FileReply> {
    this.#agent.requireOpen();
    requireNotAborted(signal);
    const agent = await this.#agent.open();
    requireNotAborted(signal);
    const call = new FileCall(agent.connection, { type: 'file', operation, body, timeoutMs });
    const timer = setTimeout(() => void this.#agent.endUnresponsive(agent, () => {}), timeoutMs + HOST_SLACK_MS);
    try {
      return await abortableFileCall(signal, call.result, () => call.cancel());
    } finally {
      clearTimeout(timer);
    }
  }

  async #openForSnapshots(): Promise<OpenAgent> {
    if (this.#options.mode === 'direct') {
      throw new SandboxError(
        'unsupported',
        "Cannot take snapshots of a 'direct' workspace: use version control, or workspaceMode 'overlay'",
      );
    }
    return await this.#agent.open();
  }
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
