export const MiB = 1024 * 1024;

/** MiB by which this process grows at most while `body` runs. */
export async function hostGrowth<T>(body: () => Promise<T>): Promise<{ growth: number; result: T }> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const watch = setInterval(look, 5);
  const result = await body();
  clearInterval(watch);
  look();
  return { growth: (peak - before) / MiB, result };
}
