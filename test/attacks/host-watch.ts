/** How this process fared while something went on. */
export interface HostWatch<T> {
  result: T;
  elapsedMs: number;
  /** Longest time in which a timer of 10 ms did not fire. */
  longestStallMs: number;
  /** How far the resident memory rose above what it was before. */
  grownBytes: number;
}

const TICK_MS = 10;

export async function watchHost<T>(work: () => Promise<T>): Promise<HostWatch<T>> {
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  let lastTick = startedAt;
  let longestStallMs = 0;
  let peak = before;
  const tick = () => {
    longestStallMs = Math.max(longestStallMs, performance.now() - lastTick);
    lastTick = performance.now();
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    const result = await work();
    tick();
    return { result, elapsedMs: performance.now() - startedAt, longestStallMs, grownBytes: peak - before };
  } finally {
    clearInterval(timer);
  }
}
