import { host } from './connection.js';

/** A call asks dozens of times per command whether to go on; the worker is asked once per this many milliseconds. */
const ASK_EVERY_MS = 4;

let askedAt = 0;
let stopped = false;

/** Forgets the last call's end. */
export function beginUninterrupted(): void {
  askedAt = 0;
  stopped = false;
}

/** Whether the running call is to stop, because its time is up or it was cancelled. Once true it stays true. */
export function isInterrupted(): boolean {
  if (stopped) return true;
  const now = Date.now();
  if (now - askedAt < ASK_EVERY_MS && now >= askedAt) return false;
  askedAt = now;
  stopped = host().interrupted() !== 0;
  return stopped;
}

/** Whether anything has been told to stop. */
export function wasInterrupted(): boolean {
  return stopped;
}

export function stopNow(): void {
  stopped = true;
}
