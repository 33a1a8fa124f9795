import type { HostMessage, InitMessage, WorkerMessage } from '../../../sandbox/protocol/isolate.js';
import { SandboxUnavailableError } from '../errors.js';
import type { EnforcementPlan } from '../plan.js';
import { type WorkerEnd, WorkerProcess } from './worker-process.js';

/** A hundred sessions that start at once on two cores need a while. */
const START_DEADLINE_MS = 30_000;

/** One call on a worker, from its first frame to its last. */
export interface WorkerCall {
  request(id: number): { message: HostMessage; body?: Uint8Array };
  /** @returns whether the call is over */
  receive(message: WorkerMessage, body: Uint8Array, id: number): boolean;
  /** The worker is gone. `started`: this call may have been the one it worked on. */
  lost(end: WorkerEnd, started: boolean): void;
}

export interface WorkerStart {
  nodeArguments: string[];
  init: InitMessage;
  /** Receives the snapshot that the worker had to build, before it ran any guest code. */
  onSnapshotBuilt?(bytes: Uint8Array): void;
}

/** A started worker and the calls it has been given; it works on them in order. */
export class IsolateWorker {
  readonly ready: Promise<void>;
  readonly #process: WorkerProcess;
  readonly #calls = new Map<number, WorkerCall>();
  #nextId = 1;
  /** The call the last message was of. */
  #heard = 0;
  #started = false;
  #settleStart: ((error?: SandboxUnavailableError) => void) | undefined;

  constructor(start: WorkerStart) {
    this.ready = this.#whenReady();
    // A spare that fails is noticed when it is needed.
    this.ready.catch(() => {});
    this.#process = new WorkerProcess(start.nodeArguments, {
      message: (message, body) => this.#receive(message, body, start),
      ended: (end, call) => this.#lose(end, call),
    });
    this.#process.send(start.init);
  }

  get alive(): boolean {
    return this.#process.alive;
  }

  /** Has nothing to do. */
  get idle(): boolean {
    return this.#calls.size === 0;
  }

  /** Has been ready. */
  get started(): boolean {
    return this.#started;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** @returns the call's id, for `cancel()` */
  begin(call: WorkerCall): number {
    const id = this.#nextId++;
    this.#calls.set(id, call);
    this.#process.hold(true);
    const { message, body } = call.request(id);
    this.#process.send(message, body);
    return id;
  }

  send(message: HostMessage, body?: Uint8Array): void {
    this.#process.send(message, body);
  }

  enforce(plan: EnforcementPlan): void {
    this.#process.send({ type: 'enforce', plan });
  }

  /** Asks a call to end: politely if it waits, through the watchdog if guest code holds the worker. */
  cancel(id: number): void {
    if (!this.#calls.has(id)) return;
    this.#process.send({ type: 'cancel', id });
    this.#process.cancel(id);
  }

  kill(reason: WorkerEnd): Promise<void> {
    return this.#process.kill(reason);
  }

  #whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settleStart?.(startFailure('the worker did not answer in time'));
        void this.#process.kill('crashed');
      }, START_DEADLINE_MS);
      this.#settleStart = (error) => {
        clearTimeout(timer);
        this.#settleStart = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
    });
  }

  #receive(message: WorkerMessage, body: Uint8Array, start: WorkerStart): void {
    if (message.type === 'ready') return this.#begun(message.snapshotBuilt ? body : undefined, start);
    if (message.type === 'failed') return this.#settleStart?.(startFailure(message.message));
    const call = this.#calls.get(message.id);
    this.#heard = message.id;
    if (call === undefined || !call.receive(message, body, message.id)) return;
    this.#calls.delete(message.id);
    if (this.#calls.size === 0) this.#process.hold(false);
  }

  #begun(snapshot: Uint8Array | undefined, start: WorkerStart): void {
    // Only the first `ready` counts: one that comes later was not sent before guest code ran.
    if (this.#settleStart === undefined) return;
    if (snapshot !== undefined && snapshot.length > 0) start.onSnapshotBuilt?.(snapshot);
    this.#started = true;
    this.#settleStart();
    if (this.#calls.size === 0) this.#process.hold(false);
  }

  #lose(end: WorkerEnd, over: number | undefined): void {
    this.#settleStart?.(startFailure('the worker ended before it was ready'));
    const calls = [...this.#calls];
    this.#calls.clear();
    // The worker may have ended over a call it had answered already, while the next one was on its way.
    for (const [index, [id, call]] of calls.entries()) {
      const named = over === undefined ? index === 0 : id === over;
      // One that has told something has started, whatever the worker says.
      call.lost(end, named || id === this.#heard);
    }
  }
}

function startFailure(reason: string): SandboxUnavailableError {
  return new SandboxUnavailableError(
    `Cannot start the isolate sandbox: ${reason}. Run \`caisson doctor\` to see what this machine lacks`,
    { code: 'sandbox_start_failed' },
  );
}
