import type { ExecResult, RunResult } from './contract.js';
import { SandboxAbortError, SandboxError, SandboxTimeoutError } from './errors.js';

/**
 * What `run()` answers, from what `exec()` would.
 * @throws SandboxTimeoutError, SandboxAbortError, SandboxError for a program that did not end by itself
 */
export function toRunResult(cmd: string, result: ExecResult): RunResult {
  const { stdout, stderr, exitCode, cause = 'killed' } = result;
  if (result.timedOut) throw new SandboxTimeoutError(`'${cmd}' timed out`, result);
  if (result.aborted) throw new SandboxAbortError(`'${cmd}' was aborted`, result);
  if (exitCode === null) throw new SandboxError(cause, `'${cmd}' was ended: ${cause}`);
  return { stdout, stderr, exitCode };
}
