import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { WATCH_STATE_BYTES, WatchState } from './watch-state.js';

/**
 * Starts the watchdog thread; it comes up beside what the main thread does next, and later than that is ready. It is
 * given its code: by the time it would read it, the process may be another user. While it starts Node asks for the
 * working directory, and fails where that is gone; only the end of the host removes the one that files move into, and
 * the host ends its workers before.
 */
export function startWatchdog(): WatchState {
  const shared = new SharedArrayBuffer(WATCH_STATE_BYTES);
  const code = readFileSync(new URL('./watchdog.cjs', import.meta.url), 'utf8');
  const thread = new Worker(code, {
    eval: true,
    workerData: shared,
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  // Without its watchdog a worker must not run anything.
  thread.once('error', () => process.kill(process.pid, 'SIGKILL'));
  thread.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  thread.unref();
  return new WatchState(shared);
}
