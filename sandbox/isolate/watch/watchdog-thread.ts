import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { CANCEL_BYTES, LAST_WORDS_FD, type LastWords, WATCHDOG_CONTROL_FD } from '../../protocol/isolate.js';
import { monotonicMs } from '../monotonic-ms.js';
import { KILL_GRACE_MS, WatchState } from './watch-state.js';

/**
 * The thread that ends its own process when guest code outlives its deadline, takes more memory than it may, ignores a
 * cancellation, or when the host is gone. It shares nothing with the main thread but a few words of memory, so nothing
 * that guest code does to that thread can stop it.
 */
const POLL_MS = 25;
/** Polls go on this long after the last call, so that a run of short calls does not wake the thread each time. */
const LINGER_MS = 500;

const state = new WatchState(workerData as SharedArrayBuffer);
let cancelledAt: { call: number; at: number } | undefined;
/** Cancelled before the main thread began them, which its own queue will notice too. */
const cancelledEarly = new Set<number>();

listenToHost();
void watch();

async function watch(): Promise<never> {
  for (let lastActive = monotonicMs(); ; ) {
    check();
    if (state.active) lastActive = monotonicMs();
    if (monotonicMs() - lastActive > LINGER_MS) {
      await state.sleepUntilCall();
      lastActive = monotonicMs();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function check(): void {
  if (state.memoryLimit > 0 && process.memoryUsage.rss() > state.memoryLimit) end('oom');
  if (!state.active) return;
  const now = monotonicMs();
  if (cancelledEarly.delete(state.call)) state.cancel();
  if (state.cancelled && cancelledAt?.call !== state.call) cancelledAt = { call: state.call, at: now };
  if (cancelledAt?.call === state.call && now > cancelledAt.at + KILL_GRACE_MS) end('aborted');
  if (now > state.deadline + KILL_GRACE_MS) end('timeout');
}

function listenToHost(): void {
  const control = new Socket({ fd: WATCHDOG_CONTROL_FD, readable: true, writable: false });
  let received = Buffer.alloc(0);
  control.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    for (; received.length >= CANCEL_BYTES; received = received.subarray(CANCEL_BYTES))
      cancel(received.readUInt32BE(0));
  });
  // The host is gone: nobody reads what this process could still do.
  control.on('close', kill);
  control.on('error', kill);
}

function cancel(id: number): void {
  if (state.active && state.call === id) state.cancel();
  // Ids only grow: one that is not above the last call's is over.
  else if (id > state.call) cancelledEarly.add(id);
}

function end(words: LastWords): never {
  try {
    writeSync(LAST_WORDS_FD, words);
  } catch {
    // The host is gone or does not read; the kill speaks for itself.
  }
  kill();
}

function kill(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process outlived its own kill');
}
