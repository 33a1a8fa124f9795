import type { EvaluateLimits } from './evaluate-bridge.js';

/** Code larger than this is refused before it is compiled, bytes. */
export const MAX_CODE_BYTES = 1024 * 1024;

export function evaluateLimits(maxCalls: number): EvaluateLimits {
  return {
    resultCharacters: 1024 * 1024,
    logCharacters: 256 * 1024,
    logLines: 10_000,
    depth: 100,
    calls: maxCalls,
    unansweredCalls: 16,
    messageCharacters: 2_000,
  };
}
