import { SandboxAbortError } from '../../sandbox/errors.js';

/** The last piece of work queued on each file; a key leaves when its queue is empty. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs `work` alone among the writers of one file of one sandbox, in the order they came. Two spellings of a path
 * are two locks: `ifVersion` of the write is what keeps the content right, the lock only spares its retries.
 * @throws SandboxAbortError when `signal` aborts while waiting
 */
export async function withPathLock<T>(
  key: { sandboxId: string; path: string },
  work: () => Promise<T>,
  options: { signal?: AbortSignal } = {},
): Promise<T> {
  const name = `${key.sandboxId}\0${key.path}`;
  const before = queues.get(name) ?? Promise.resolve();
  const turn = Promise.withResolvers<void>();
  const tail = before.then(() => turn.promise);
  queues.set(name, tail);
  try {
    await untilAborted(before, options.signal);
    return await work();
  } finally {
    turn.resolve();
    if (queues.get(name) === tail) queues.delete(name);
  }
}

async function untilAborted(before: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return before;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () =>
    aborted.reject(new SandboxAbortError('The call was aborted before it started', { stdout: '', stderr: '' }));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([before, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
