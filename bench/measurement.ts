/** One line of the table. */
export interface Measurement {
  /** As the target names it. */
  what: string;
  unit: 'µs' | 'ms' | 'MB' | 'MiB' | 'of 100' | 'a second' | 'left';
  p50: number;
  p95?: number;
  /** Who did the same beside it, in the same run. */
  rival?: { name: string; p50: number };
  /** `value` is what is judged, `limit` what it is held against. */
  target: { text: string; met: boolean; value?: number; limit?: number };
}

/** How to fill in a target that is a highest value. */
export function atMost(limit: number, value: number, unit: string): Measurement['target'] {
  return { text: `≤ ${limit} ${unit}`, met: value <= limit, value, limit };
}
