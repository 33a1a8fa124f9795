/** Milliseconds on a clock that never jumps and that every thread of the process shares. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
