import { MAX_TIMEOUT_MS } from '../../sandbox/limits.js';
import type { ShellResult } from '../../tools/index.js';
import type { DecidedOutcome } from '../provider/turn-call.js';
import type { OpenAiCommandOutput } from './wire.js';

/** What shells answer for a command that could not be run at all. */
const CANNOT_RUN = 126;
/** What shells answer for one that was killed. */
const KILLED = 137;

/** What became of a command, in OpenAI's words. One that the host refused says so, as JSON, on stderr. */
export function commandOutput(outcome: DecidedOutcome): OpenAiCommandOutput {
  if (outcome.status === 'error') {
    return { stdout: '', stderr: JSON.stringify(outcome.error), outcome: { type: 'exit', exit_code: CANNOT_RUN } };
  }
  const { stdout = '', stderr = '', exitCode = null, note, timedOut } = (outcome.output ?? {}) as Partial<ShellResult>;
  // A note that is in the way of nothing: of a command that succeeded stderr stays as it is.
  const notes = note !== undefined && exitCode !== 0 ? [stderr, note].filter((text) => text !== '').join('\n') : stderr;
  return {
    stdout,
    stderr: notes,
    outcome: timedOut === true ? { type: 'timeout' } : { type: 'exit', exit_code: exitCode ?? KILLED },
  };
}

/** `timeout_ms` of an action as `shell` takes it; what is no number of milliseconds leaves the default. */
export function timeoutOf(value: unknown): { timeout_ms?: number } {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 1) return {};
  return { timeout_ms: Math.min(Math.floor(value), MAX_TIMEOUT_MS) };
}
