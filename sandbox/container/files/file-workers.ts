import type { AgentInit, AgentMessage, HostMessage } from '../../protocol/container.js';
import type { EnforcementPlan } from '../../protocol/plan.js';
import type { Launcher } from '../commands/launcher.js';
import { FileWorker } from './file-worker.js';

type FileMessage = Extract<HostMessage, { type: 'file' | 'tree' }>;

export interface FileWorkersOptions {
  init: AgentInit;
  launcher: Launcher;
  /** A helper's bundle with its length before it, as its loader reads it. */
  source: Uint8Array;
  send(message: AgentMessage, body?: Uint8Array): void;
}

/** May take long: they have a helper of their own, so that a small read never waits for them. */
const WALKS: ReadonlySet<FileMessage['operation']['op']> = new Set([
  'glob',
  'grep',
  'changes',
  'commit',
  'discard',
  'scan',
  'named',
  'denied',
  'hash',
  'pack',
  'read-part',
  'unpack',
  'write-part',
  'stand-in',
  'drop',
]);

/** How long after the agent a helper is started that nobody has asked for yet. */
const WARM_UP_MS = 300;

/** The helpers that do file work, and their rules. A helper that died is replaced at the next call. */
export class FileWorkers {
  readonly #quick: FileWorker;
  readonly #walks: FileWorker;
  #plan: EnforcementPlan;

  constructor(options: FileWorkersOptions) {
    this.#plan = options.init.plan;
    const create = (directory: string) =>
      new FileWorker({
        ...options,
        scratchDirectory: `${options.init.scratchDirectory}/${directory}`,
        plan: () => this.#plan,
      });
    this.#quick = create('quick');
    this.#walks = create('walks');
    // A first command should not have to share the processor with a second Node that starts.
    setTimeout(() => this.#quick.start(), WARM_UP_MS).unref();
  }

  call(message: FileMessage, body: Uint8Array): void {
    const worker = WALKS.has(message.operation.op) ? this.#walks : this.#quick;
    worker.call(message, body);
  }

  cancel(id: number): void {
    // A single file is written at once or not at all and is over before it could be told; only a walk is worth ending.
    this.#walks.cancel(id);
  }

  enforce(plan: EnforcementPlan): void {
    this.#plan = {
      denyRead: [...this.#plan.denyRead, ...plan.denyRead],
      denyWrite: [...this.#plan.denyWrite, ...plan.denyWrite],
    };
    for (const worker of [this.#quick, this.#walks]) worker.enforce(plan);
  }
}
