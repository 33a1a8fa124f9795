import type { AgentMessage } from '../../../../sandbox/protocol/container.js';
import type { FileOperation } from '../../../../sandbox/protocol/file-operations.js';
import type { TreeOperation } from '../../../../sandbox/protocol/tree-operations.js';
import type { SandboxError } from '../../errors.js';
import type { FileReply } from '../../file-replies.js';
import { guestError } from '../../guest-error.js';
import type { AgentCall, AgentConnection } from './agent-connection.js';

export type FileRequest = ({ type: 'file'; operation: FileOperation } | { type: 'tree'; operation: TreeOperation }) & {
  body?: Uint8Array | undefined;
  timeoutMs: number;
};

/** One file operation in the container. */
export class FileCall implements AgentCall {
  readonly result: Promise<FileReply>;
  readonly #settle = Promise.withResolvers<FileReply>();
  readonly #connection: AgentConnection;
  readonly #id: number;

  constructor(connection: AgentConnection, call: FileRequest) {
    this.#connection = connection;
    this.result = this.#settle.promise;
    this.#id = connection.begin(this);
    const { body, ...request } = call;
    connection.send({ ...request, id: this.#id }, body);
  }

  cancel(): void {
    this.#connection.send({ type: 'cancel', id: this.#id });
  }

  receive(message: AgentMessage, body: Uint8Array): boolean {
    if (message.type === 'file-result') {
      this.#settle.resolve({ value: message.value, body });
      return true;
    }
    if (message.type !== 'error') return false;
    this.#settle.reject(guestError(message));
    return true;
  }

  lost(error: SandboxError): void {
    this.#settle.reject(error);
  }
}
