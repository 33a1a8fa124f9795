import { type RefusedDirectory, refusedDirectoryText } from '../../../../sandbox/protocol/enter-script.js';
import { SandboxCrashedError, SandboxError } from '../../errors.js';

export function badDirectory(cwd: string, refused: RefusedDirectory): SandboxError {
  return new SandboxError('invalid_cwd', refusedDirectoryText(cwd, refused), { path: cwd });
}

/** Why nothing was started, from what the engine said in its place. */
export function startFailure(said: string): SandboxError {
  if (/resource temporarily unavailable|fork|pids/i.test(said)) {
    return new SandboxError(
      'pids_exhausted',
      'Cannot start the command: no more processes are allowed. Wait for others to end, or end them',
    );
  }
  if (/argument list too long/i.test(said)) {
    return new SandboxError(
      'command_too_long',
      'Cannot start the command: its arguments and environment are too long. Write them to a file',
    );
  }
  return new SandboxCrashedError('The engine could not start the command in the container. Make the call again');
}
