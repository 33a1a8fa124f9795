import { KILL_GRACE_MS } from '../limits.js';
import type { IsolateWorker, WorkerCall } from './isolate-worker.js';

/** The worker's watchdog comes first; this is for a worker whose watchdog does not. */
const HOST_SLACK_MS = 700;

/** Runs a command or an evaluation on a worker, under the host's own deadline and the caller's signal. */
export async function superviseGuestCall<T>(
  worker: IsolateWorker,
  call: WorkerCall & { result: Promise<T> },
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<T> {
  const id = worker.begin(call);
  const timers = [setTimeout(() => void worker.kill('timeout'), timeoutMs + KILL_GRACE_MS + HOST_SLACK_MS)];
  const abort = () => {
    worker.cancel(id);
    timers.push(setTimeout(() => void worker.kill('aborted'), KILL_GRACE_MS + HOST_SLACK_MS));
  };
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  try {
    return await call.result;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
