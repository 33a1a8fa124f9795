/** Numbers that a seed repeats, so that a failing run can be run again. */
export interface Random {
  readonly seed: number;
  /** An integer from 0 up to, and without, `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  text(alphabet: readonly string[], maxLength: number): string;
  bytes(length: number): Uint8Array;
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T;
  return {
    seed,
    below,
    pick,
    shuffle: (list) =>
      list
        .map((item) => ({ item, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item),
    text: (alphabet, maxLength) => Array.from({ length: below(maxLength + 1) }, () => pick(alphabet)).join(''),
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}

/** `CAISSON_ATTACK_SEED` repeats a run, `CAISSON_ATTACK_RUNS` multiplies how long it is. */
export function fuzzSettings(runs: number): { seed: number; runs: number } {
  const seed = Number(process.env.CAISSON_ATTACK_SEED ?? Date.now() % 2 ** 31);
  return { seed, runs: Math.round(runs * Number(process.env.CAISSON_ATTACK_RUNS ?? 1)) };
}
