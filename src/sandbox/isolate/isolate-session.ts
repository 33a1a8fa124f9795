import { randomUUID } from 'node:crypto';
import type { FileOperation } from '../../../sandbox/protocol/isolate.js';
import { abortableFileCall, requireNotAborted } from '../abortable-file-call.js';
import type {
  Change,
  CommitResult,
  EvaluateOptions,
  EvaluateResult,
  ExecOptions,
  ExecResult,
  RunResult,
  SandboxCapabilities,
  SandboxProcess,
  SandboxSession,
} from '../contract.js';
import { SandboxCrashedError, SandboxError } from '../errors.js';
import { type ExecRequest, readExecRequest } from '../exec-request.js';
import { notStartedResult } from '../exec-result.js';
import type { FileReply } from '../file-replies.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { createMessageCleaner, type MessageCleaner } from '../message-cleaner.js';
import { type EnforcementPlan, mergePlans } from '../plan.js';
import { toRunResult } from '../run-result.js';
import { type FileCallOptions, SessionFiles } from '../session-files.js';
import { startLife } from '../session-life.js';
import { checkPlan } from '../session-options.js';
import { keepSecrets, type SessionSecrets } from '../session-secrets.js';
import { CallQueue } from './call-queue.js';
import { describeIsolate, isolateCapabilities } from './description.js';
import { EvaluateCall } from './evaluate-call.js';
import { readEvaluateRequest } from './evaluate-request.js';
import { ExecCall } from './exec-call.js';
import { FileCall } from './file-call.js';
import { superviseGuestCall } from './guest-call.js';
import { IsolateHome } from './isolate-home.js';
import type { IsolateWorker } from './isolate-worker.js';
import { NOT_STARTED } from './lost-call.js';
import type { IsolateSettings } from './options.js';
import { WorkerSlot } from './worker-slot.js';

/** Operations that may take long: they go to the files worker, so that no command waits for them. */
const WALKS: ReadonlySet<FileOperation['op']> = new Set(['glob', 'grep', 'changes', 'commit', 'discard']);

/** Operations during which nothing else may write. */
const EXCLUSIVE: ReadonlySet<FileOperation['op']> = new Set(['commit', 'discard']);

/** Workers may die over other calls; a call that has not started is taken to the next one so many times. */
const MAX_WORKERS_TRIED = 5;

/**
 * A session of the isolate backend. Guest code (commands, evaluations) runs one call at a time in the *shell* worker;
 * file calls never wait for it: while it is busy they go to the *files* worker. Either worker can be killed at any
 * instant, because everything that must last lies in the workspace or the private directory.
 */
export class IsolateSession implements SandboxSession {
  readonly name = 'isolate';
  readonly id = randomUUID();
  readonly cwd = '/workspace';
  readonly description: string;
  readonly capabilities: SandboxCapabilities;
  readonly fs: SessionFiles;
  readonly #settings: IsolateSettings;
  readonly #clean: MessageCleaner;
  readonly #secrets: SessionSecrets;
  readonly #guestCalls = new CallQueue();
  readonly #life: ReturnType<typeof startLife>;
  readonly #shell: WorkerSlot;
  readonly #files: WorkerSlot;
  #plan: EnforcementPlan;
  #home: Promise<IsolateHome> | undefined;
  #openHome: IsolateHome | undefined;
  #over: SandboxCrashedError | undefined;
  #ending: Promise<void> | undefined;

  constructor(settings: IsolateSettings) {
    this.#settings = settings;
    this.#secrets = keepSecrets(this, settings.env);
    this.#plan = settings.plan;
    this.#clean = createMessageCleaner(settings.workspace);
    this.description = describeIsolate(settings.mode, settings.limits);
    this.capabilities = isolateCapabilities(settings.mode);
    this.fs = new SessionFiles((operation, options) => this.#secrets.guard(this.#callFiles(operation, options)));
    this.#shell = new WorkerSlot(() => this.#createWorker('shell'), settings.spareWorker);
    this.#files = new WorkerSlot(() => this.#createWorker('files'), false);
    this.#life = startLife({
      idleMs: settings.idleLifeMs,
      hardMs: settings.hardLifeMs,
      onIdle: () => void this.#rest(),
      onExpired: () =>
        void this.#end(
          new SandboxCrashedError('The sandbox reached the end of its life. Start a new one', 'sandbox_expired'),
        ),
    });
  }

  async start(): Promise<void> {
    const rest = this.#life.use();
    try {
      await this.#open();
      await this.#workerOf(this.#shell);
    } finally {
      rest();
    }
  }

  async exec(command: string, opts: ExecOptions = {}): Promise<ExecResult> {
    const request = readExecRequest({ command }, opts, this.#settings);
    this.#secrets.add(opts.env);
    return await this.#secrets.guard(this.#exec(request, opts.signal));
  }

  async run(cmd: string, args: string[], opts: ExecOptions = {}): Promise<RunResult> {
    const request = readExecRequest({ call: 'run', cmd, args }, opts, this.#settings);
    this.#secrets.add(opts.env);
    return await this.#secrets.guard(this.#exec(request, opts.signal).then((result) => toRunResult(cmd, result)));
  }

  async evaluate(code: string, opts: EvaluateOptions = {}): Promise<EvaluateResult> {
    const request = readEvaluateRequest(code, opts);
    return await this.#guestTurn(opts.signal, EVALUATION_NOT_STARTED, (worker) =>
      superviseGuestCall(worker, new EvaluateCall(worker, request, this.#clean), {
        timeoutMs: request.timeoutMs,
        signal: opts.signal,
      }),
    );
  }

  async spawn(): Promise<SandboxProcess> {
    throw new SandboxError(
      'unsupported',
      'The isolate sandbox has no background processes. Use exec(), or the Docker sandbox',
    );
  }

  async writeFile(path: string, content: string): Promise<void> {
    await this.fs.writeFile(path, content);
  }

  enforce(plan: EnforcementPlan): void {
    checkPlan(plan);
    this.#plan = mergePlans(this.#plan, plan);
    this.#shell.enforce(plan);
    this.#files.enforce(plan);
  }

  changes(): Promise<Change[]> {
    return this.fs.changes();
  }

  commit(): Promise<CommitResult> {
    return this.fs.commit();
  }

  discard(): Promise<void> {
    return this.fs.discard();
  }

  /** The worker processes that live now, for `doctor` and benchmarks. */
  processIds(): number[] {
    return [...this.#shell.workers, ...this.#files.workers].flatMap((worker) => worker.pid ?? []);
  }

  dispose(): Promise<void> {
    return this.#end(new SandboxCrashedError('The sandbox was disposed', 'sandbox_disposed'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #exec(request: ExecRequest, signal: AbortSignal | undefined): Promise<ExecResult> {
    return this.#guestTurn(signal, notStartedResult, (worker) =>
      superviseGuestCall(worker, new ExecCall(request), { timeoutMs: request.timeoutMs, signal }),
    );
  }

  /** Runs guest code when its turn comes; a call whose worker died before it started gets the next worker. */
  async #guestTurn<T>(
    signal: AbortSignal | undefined,
    notStarted: () => T,
    run: (worker: IsolateWorker) => Promise<T | typeof NOT_STARTED>,
  ): Promise<T> {
    this.#checkOpen();
    if (signal?.aborted) return notStarted();
    const rest = this.#life.use();
    try {
      const leave = await this.#guestCalls.enter(signal);
      try {
        await this.#open();
        return await this.#onLiveWorker(this.#shell, signal, notStarted, run);
      } finally {
        leave();
      }
    } catch (error) {
      if (signal?.aborted && error === signal.reason) return notStarted();
      throw error;
    } finally {
      rest();
    }
  }

  async #onLiveWorker<T>(
    slot: WorkerSlot,
    signal: AbortSignal | undefined,
    notStarted: () => T,
    run: (worker: IsolateWorker) => Promise<T | typeof NOT_STARTED>,
  ): Promise<T> {
    for (let tried = 0; tried < MAX_WORKERS_TRIED; tried += 1) {
      const worker = await this.#workerOf(slot);
      if (signal?.aborted) return notStarted();
      const result = await run(worker);
      if (result !== NOT_STARTED) return result;
    }
    throw new SandboxCrashedError('The sandbox process kept ending before this call could start. Make the call again');
  }

  async #callFiles(operation: FileOperation, options: FileCallOptions = {}): Promise<FileReply> {
    this.#checkOpen();
    requireNotAborted(options.signal);
    const rest = this.#life.use();
    try {
      if (EXCLUSIVE.has(operation.op)) return await this.#answerAlone(operation, options);
      await this.#open();
      return await abortableFileCall(options.signal, this.#answerFiles(operation, options));
    } finally {
      rest();
    }
  }

  /** Waits for its turn among the commands; meanwhile every other file call goes to the same worker, behind it. */
  async #answerAlone(operation: FileOperation, options: FileCallOptions): Promise<FileReply> {
    const leave = await this.#guestCalls.enter(options.signal);
    try {
      await this.#open();
      return await this.#answerFiles(operation, options);
    } finally {
      leave();
    }
  }

  async #answerFiles(operation: FileOperation, options: FileCallOptions): Promise<FileReply> {
    const timeoutMs = options.timeoutMs ?? DEFAULT_LIMITS.timeoutMs;
    for (let tried = 0; tried < MAX_WORKERS_TRIED; tried += 1) {
      const worker = this.#workerForFiles(operation) ?? (await this.#workerOf(this.#files));
      const reply = await superviseGuestCall(worker, new FileCall(operation, options.body), {
        timeoutMs,
        // Only a walk is worth ending in the worker: anything else is over before it could be told.
        signal: WALKS.has(operation.op) ? options.signal : undefined,
      });
      if (reply !== NOT_STARTED) return reply;
    }
    throw new SandboxCrashedError('The sandbox process kept ending before this call could start. Make the call again');
  }

  /** A worker that was ended because the session is over did not fail to start. */
  async #workerOf(slot: WorkerSlot): Promise<IsolateWorker> {
    try {
      return await slot.get();
    } finally {
      this.#checkOpen();
    }
  }

  #workerForFiles(operation: FileOperation): IsolateWorker | undefined {
    return WALKS.has(operation.op) || this.#guestCalls.busy ? undefined : this.#shell.idleWorker();
  }

  #createWorker(role: 'shell' | 'files'): IsolateWorker {
    if (this.#openHome === undefined)
      throw new SandboxError('adapter_bug', 'A worker was asked for before the session was open');
    return this.#openHome.createWorker(role, this.#plan);
  }

  async #open(): Promise<void> {
    this.#checkOpen();
    this.#home ??= IsolateHome.open(this.#settings);
    try {
      this.#openHome = await this.#home;
    } catch (error) {
      // The next call may find the workspace there.
      this.#home = undefined;
      throw error;
    }
    this.#checkOpen();
  }

  #checkOpen(): void {
    if (this.#over !== undefined)
      throw new SandboxCrashedError(this.#over.message, this.#over.code as 'sandbox_disposed');
  }

  async #rest(): Promise<void> {
    await Promise.all([this.#shell.kill('disposed'), this.#files.kill('disposed')]);
  }

  #end(reason: SandboxCrashedError): Promise<void> {
    this.#over ??= reason;
    this.#ending ??= this.#shutDown();
    return this.#ending;
  }

  async #shutDown(): Promise<void> {
    this.#life.end();
    this.#guestCalls.close(this.#over as SandboxCrashedError);
    const home = await this.#home?.catch(() => undefined);
    await this.#rest();
    home?.remove();
  }
}

const EVALUATION_NOT_STARTED = (): EvaluateResult => ({
  status: 'error',
  error: { name: 'AbortError', message: 'The evaluation was aborted before it started' },
  code: 'aborted',
  logs: [],
  durationMs: 0,
});
