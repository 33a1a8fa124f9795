import type { ExecCause } from './contract.js';
import type { ErrorCode } from './errors.js';

const EXEC_CAUSES: ReadonlySet<ErrorCode> = new Set<ExecCause>([
  'timeout',
  'aborted',
  'oom',
  'pids_exhausted',
  'output_limit',
  'no_space',
  'command_not_found',
  'not_executable',
  'killed',
  'network_denied',
]);

/** What a guest says of a command's end, where that is a cause of the command's own. */
export function execCause(code: ErrorCode | undefined): ExecCause | undefined {
  return code !== undefined && EXEC_CAUSES.has(code) ? (code as ExecCause) : undefined;
}
