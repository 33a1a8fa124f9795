import type { AgentMessage, HostMessage } from '../../../../sandbox/protocol/container.js';
import type { EnforcementPlan } from '../../plan.js';
import { FileHelper, type FileHelperOptions } from './file-helper.js';

export type FileMessage = Extract<HostMessage, { type: 'file' | 'tree' }>;
export type FileAnswer = (message: AgentMessage, body?: Uint8Array) => void;

/** May take long: they have a helper of their own, so that a small read never waits for them. */
const QUICK: ReadonlySet<FileMessage['operation']['op']> = new Set([
  'readFile',
  'writeFile',
  'stat',
  'list',
  'mkdir',
  'remove',
  'rename',
]);

/** File work of a session without an agent, by two helpers. */
export class ExecFiles {
  readonly #quick: FileHelper;
  readonly #walks: FileHelper;

  constructor(options: FileHelperOptions) {
    this.#quick = new FileHelper(options);
    this.#walks = new FileHelper(options);
  }

  call(message: FileMessage, body: Uint8Array, answer: FileAnswer): void {
    const helper = QUICK.has(message.operation.op) ? this.#quick : this.#walks;
    helper.call(message, body, answer);
  }

  cancel(id: number): void {
    // A single file is written at once or not at all and is over before it could be told; only a walk is worth ending.
    this.#walks.cancel(id);
  }

  enforce(plan: EnforcementPlan): void {
    this.#quick.enforce(plan);
    this.#walks.enforce(plan);
  }

  end(): void {
    this.#quick.end();
    this.#walks.end();
  }
}
