/** Milliseconds of one run of `body`. */
export async function time(body: () => unknown): Promise<number> {
  const started = performance.now();
  await body();
  return performance.now() - started;
}

/** Milliseconds of `count` runs, after `warmUp` runs that do not count. */
export async function sample(count: number, warmUp: number, body: () => unknown): Promise<number[]> {
  for (let run = 0; run < warmUp; run += 1) await body();
  const samples: number[] = [];
  for (let run = 0; run < count; run += 1) samples.push(await time(body));
  return samples;
}

/** The value below which `share` (0 to 1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Both percentiles the table shows, times `scale`. */
export function summary(samples: readonly number[], scale = 1): { p50: number; p95: number } {
  return { p50: percentile(samples, 0.5) * scale, p95: percentile(samples, 0.95) * scale };
}
