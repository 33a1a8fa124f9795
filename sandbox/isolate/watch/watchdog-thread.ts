import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { CANCEL_BYTES, type LastWords, WATCHDOG_CONTROL_FD } from '../../protocol/isolate.js';
import { monotonicMs } from '../monotonic-ms.js';
import { die } from './die.js';
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

// Nobody hears of an error of this thread while guest code holds the other one.
process.on('uncaughtException', () => die());
listenToHost();
void watch();

async function watch(): Promise<never> {
  for (let lastActive = monotonicMs(); ; ) {
    check();
    if (state.call > 0) lastActive = monotonicMs();
    if (monotonicMs() - lastActive > LINGER_MS) {
      await state.sleepUntilCall();
      lastActive = monotonicMs();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function check(): void {
  const { call } = state;
  const words = call >= 0 ? reasonToEnd(call) : undefined;
  // Not claimed: the call ended meanwhile.
  if (words !== undefined && state.claim(call)) die(words, call);
}

function reasonToEnd(call: number): LastWords | undefined {
  if (state.memoryLimit > 0 && process.memoryUsage.rss() > state.memoryLimit) return 'oom';
  if (call === 0) return undefined;
  const now = monotonicMs();
  if (cancelledEarly.delete(call)) state.cancel(call);
  if (state.cancelled && cancelledAt?.call !== call) cancelledAt = { call, at: now };
  if (cancelledAt?.call === call && now > cancelledAt.at + KILL_GRACE_MS) return 'aborted';
  return now > state.deadline + KILL_GRACE_MS ? 'timeout' : undefined;
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
  control.on('close', () => die());
  control.on('error', () => die());
}

function cancel(id: number): void {
  if (state.call === id) state.cancel(id);
  // Ids only grow: one that is not above the last call's is over.
  else if (id > state.lastCall) cancelledEarly.add(id);
}
