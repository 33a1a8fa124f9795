import { Worker } from 'node:worker_threads';
import { WATCH_STATE_BYTES, WatchState } from './watch-state.js';

/** Starts the watchdog thread; it comes up beside what the main thread does next. */
export function startWatchdog(): WatchState {
  const shared = new SharedArrayBuffer(WATCH_STATE_BYTES);
  const thread = new Worker(new URL('./watchdog.js', import.meta.url), {
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
