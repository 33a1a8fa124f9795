import { SandboxCrashedError, type SandboxError } from '../errors.js';
import type { WorkerEnd } from './worker-process.js';

/** The worker died before it came to this call: nothing of it happened, and it may run in the next worker. */
export const NOT_STARTED = Symbol('not started');

/** What a call rejects with when its worker is gone and no cause of the call's own explains it. */
export function lostError(end: WorkerEnd): SandboxError {
  if (end === 'disposed') {
    return new SandboxCrashedError('The sandbox was disposed while this call ran', 'sandbox_disposed');
  }
  if (end === 'protocol') {
    return new SandboxCrashedError('The sandbox process sent what is not a message and was ended. Make the call again');
  }
  return new SandboxCrashedError(
    'The sandbox process ended while this call ran; files written before are kept. Make the call again',
  );
}
