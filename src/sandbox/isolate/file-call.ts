import type { FileOperation, HostMessage, WorkerMessage } from '../../../sandbox/protocol/isolate.js';
import { SandboxError } from '../errors.js';
import type { FileReply } from '../file-replies.js';
import { guestError } from '../guest-error.js';
import type { WorkerCall } from './isolate-worker.js';
import { lostError, NOT_STARTED } from './lost-call.js';
import type { WorkerEnd } from './worker-process.js';

/** One file operation on a worker. */
export class FileCall implements WorkerCall {
  readonly result: Promise<FileReply | typeof NOT_STARTED>;
  readonly #operation: FileOperation;
  readonly #body: Uint8Array | undefined;
  #resolve!: (reply: FileReply | typeof NOT_STARTED) => void;
  #reject!: (error: SandboxError) => void;

  constructor(operation: FileOperation, body?: Uint8Array) {
    this.#operation = operation;
    this.#body = body;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  request(id: number): { message: HostMessage; body?: Uint8Array } {
    const message: HostMessage = { type: 'file', id, operation: this.#operation };
    return this.#body === undefined ? { message } : { message, body: this.#body };
  }

  receive(message: WorkerMessage, body: Uint8Array): boolean {
    if (message.type === 'file-result') {
      this.#resolve({ value: message.value, body });
      return true;
    }
    if (message.type !== 'error') return false;
    this.#reject(guestError(message));
    return true;
  }

  lost(end: WorkerEnd, started: boolean): void {
    if (!started && end !== 'disposed') return this.#resolve(NOT_STARTED);
    if (end === 'timeout') return this.#reject(new SandboxError('timeout', 'The file call did not finish in time'));
    if (end === 'aborted') return this.#reject(new SandboxError('aborted', 'The file call was aborted'));
    if (end === 'oom')
      return this.#reject(new SandboxError('oom', 'The file call needed more memory than the sandbox allows'));
    this.#reject(lostError(end));
  }
}
