import type { FileLayer } from '../files/file-layer.js';
import { explainFailure, performOperation } from '../files/perform-operation.js';
import type { FileOperation, HostMessage } from '../protocol/isolate.js';
import { sendFrame } from './wire/send-frame.js';

type FileMessage = Extract<HostMessage, { type: 'file' }>;

/** Answers one file call of the host. */
export function answerFileCall({ id, operation }: FileMessage, body: Uint8Array, files: FileLayer): void {
  try {
    const reply = performOperation(operation, body, files);
    sendFrame({ type: 'file-result', id, value: reply.value }, reply.body);
  } catch (error) {
    sendFrame({ type: 'error', id, ...explainFailure(error) });
  }
}

/** Ends a call that hangs in a file system. */
const LONG_MS = 10 * 60 * 1000;

/** Milliseconds the watchdog allows a call. */
export function fileCallTimeout(operation: FileOperation): number {
  return operation.op === 'glob' || operation.op === 'grep' ? operation.timeoutMs : LONG_MS;
}
