import type { AgentMessage } from '../../protocol/container.js';
import type { CommandSpec } from './command.js';

/** Why a command could not be started, from the system's error. */
export function startFailure({ id, shownCwd: cwd, program }: CommandSpec, error: Error): AgentMessage {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EAGAIN') {
    return {
      type: 'error',
      id,
      code: 'pids_exhausted',
      message: 'Cannot start the command: no more processes are allowed. Wait for others to end, or end them',
    };
  }
  if (code === 'E2BIG') {
    return {
      type: 'error',
      id,
      code: 'command_too_long',
      message: 'Cannot start the command: its arguments and environment are too long. Write them to a file',
    };
  }
  if (code === 'ENOMEM')
    return { type: 'error', id, code: 'oom', message: 'Cannot start the command: no memory is left' };
  if (code === 'EMFILE' || code === 'ENFILE') {
    return {
      type: 'error',
      id,
      code: 'session_limit',
      message: 'Cannot start the command: too many commands run at once',
    };
  }
  return {
    type: 'error',
    id,
    code: 'invalid_cwd',
    message: `Cannot run '${program}' in '${cwd}': ${code ?? 'it failed'}`,
    path: cwd,
  };
}

/** The directory it was to run in cannot be, or may not be. */
export function badDirectory({ id, shownCwd }: CommandSpec, refused: 'missing' | 'outside'): AgentMessage {
  const why = refused === 'missing' ? 'there is no such directory' : 'it is outside /workspace';
  return {
    type: 'error',
    id,
    code: 'invalid_cwd',
    message: `Cannot run in '${shownCwd}': ${why}. Give a directory in /workspace`,
    path: shownCwd,
  };
}
