import type { ExecResult, Sandbox } from '../../sandbox/contract.js';
import type { AiSdkCommandOptions } from './sandbox-types.js';

/**
 * Runs a shell command to its end. A command that did not end by itself has the exit code a shell would give it, and
 * says why on its standard error.
 * @throws the signal's reason when it aborts; SandboxError when the sandbox itself failed
 */
export async function runCommand(
  sandbox: Sandbox,
  { command, workingDirectory, env, abortSignal }: AiSdkCommandOptions,
  { timeoutMs }: { timeoutMs?: number },
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  abortSignal?.throwIfAborted();
  const result = await sandbox.exec(command, {
    ...(workingDirectory === undefined ? {} : { cwd: workingDirectory }),
    ...(env === undefined ? {} : { env }),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  if (result.aborted) abortSignal?.throwIfAborted();
  return { exitCode: exitCodeOf(result), stdout: result.stdout, stderr: `${result.stderr}${noteOf(result)}` };
}

/** A number in every case: 124 is what `timeout` gives, 137 what a shell tells of SIGKILL. */
export function exitCodeOf({ exitCode, cause }: ExecResult): number {
  return exitCode ?? (cause === 'timeout' ? 124 : 137);
}

function noteOf({ exitCode, cause, truncated }: ExecResult): string {
  const notes = [
    ...(exitCode === null ? [`The command was ended: ${cause ?? 'killed'}`] : []),
    ...(truncated === undefined
      ? []
      : [`${truncated.stdoutBytes + truncated.stderrBytes} bytes were left out of the middle of the output`]),
  ];
  return notes.map((note) => `\n[${note}]`).join('');
}
