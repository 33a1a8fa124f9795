import { SandboxError } from './errors.js';

/**
 * Settles as the call's `work` does, or at once when the signal aborts; what `work` does later is nobody's concern.
 * @throws SandboxError `aborted`
 */
export async function abortableFileCall<T>(
  signal: AbortSignal | undefined,
  work: Promise<T>,
  onAbort: () => void = () => {},
): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => {
    onAbort();
    reject(aborted());
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => {});
  }
}

/** @throws SandboxError `aborted` */
export function requireNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted();
}

function aborted(): SandboxError {
  return new SandboxError('aborted', 'The file call was aborted');
}
