import { createInterface } from 'node:readline';
import { joinContinuations } from './continued-lines.js';

/** The commands on stdin, one per line. */
export function pipedLines(signal: AbortSignal): AsyncIterable<string> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, terminal: false });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  return joinContinuations(lines);
}
