import type { EnforcementPlan } from '../plan.js';
import type { IsolateWorker } from './isolate-worker.js';
import type { WorkerEnd } from './worker-process.js';

const REFILL_DELAY_MS = 100;

/** The place of one worker: makes it when it is needed, makes another when it died, keeps a spare where asked to. */
export class WorkerSlot {
  readonly #create: () => IsolateWorker;
  readonly #keepSpare: boolean;
  #current: IsolateWorker | undefined;
  #spare: IsolateWorker | undefined;
  #refill: NodeJS.Timeout | undefined;

  constructor(create: () => IsolateWorker, keepSpare: boolean) {
    this.#create = create;
    this.#keepSpare = keepSpare;
  }

  /** @throws SandboxUnavailableError when the worker cannot be started */
  async get(): Promise<IsolateWorker> {
    if (this.#current === undefined || !this.#current.alive) this.#current = this.#takeSpare() ?? this.#create();
    const worker = this.#current;
    await worker.ready;
    this.#refillSpareSoon();
    return worker;
  }

  /** The worker when it is started and has nothing to do. */
  idleWorker(): IsolateWorker | undefined {
    const worker = this.#current;
    return worker?.alive && worker.started && worker.idle ? worker : undefined;
  }

  get workers(): IsolateWorker[] {
    return [this.#current, this.#spare].filter((worker) => worker?.alive === true) as IsolateWorker[];
  }

  enforce(plan: EnforcementPlan): void {
    for (const worker of this.workers) worker.enforce(plan);
  }

  async kill(reason: WorkerEnd): Promise<void> {
    clearTimeout(this.#refill);
    const workers = this.workers;
    this.#current = undefined;
    this.#spare = undefined;
    await Promise.all(workers.map((worker) => worker.kill(reason)));
  }

  #takeSpare(): IsolateWorker | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.alive ? spare : undefined;
  }

  /** Not at once: starting a process takes from the very call that needed the worker. */
  #refillSpareSoon(): void {
    if (!this.#keepSpare || this.#spare?.alive) return;
    clearTimeout(this.#refill);
    this.#refill = setTimeout(() => {
      if (!this.#spare?.alive) this.#spare = this.#create();
    }, REFILL_DELAY_MS).unref();
  }
}
