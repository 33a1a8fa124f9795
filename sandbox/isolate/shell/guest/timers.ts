import { host } from './connection.js';

const waiting = new Map<number, () => void>();
let lastId = 0;

export function setGuestTimeout(callback: (...values: unknown[]) => void, delay = 0, ...values: unknown[]): number {
  lastId += 1;
  const id = lastId;
  waiting.set(id, () => callback(...values));
  host().startTimer(id, delay);
  return id;
}

export function clearGuestTimeout(id: number | undefined): void {
  if (id === undefined || !waiting.delete(id)) return;
  host().stopTimer(id);
}

/** The worker's timer ran out. */
export function fireGuestTimer(id: number): void {
  const callback = waiting.get(id);
  waiting.delete(id);
  callback?.();
}

/** Drops what a finished command left behind. */
export function clearAllGuestTimers(): void {
  for (const id of [...waiting.keys()]) clearGuestTimeout(id);
}
