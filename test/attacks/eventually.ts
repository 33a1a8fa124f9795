import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when `holds` does; fails with what was waited for when it does not in time. */
export async function eventually(what: string, holds: () => unknown, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    await sleep(20);
  }
}
