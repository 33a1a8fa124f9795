import type { AgentMessage } from '../../protocol/container.js';
import { type RefusedDirectory, refusedDirectoryText } from '../../protocol/enter-script.js';
import type { ErrorCode } from '../../protocol/error-code.js';
import type { CommandSpec } from './command.js';

/** Why a command could not be started, from the system's error. */
export function startFailure({ id, shownCwd: cwd, program }: CommandSpec, error: Error): AgentMessage {
  const lack = shortage(id, error);
  if (lack !== undefined) return lack;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: 'error',
    id,
    code: 'invalid_cwd',
    message: `Cannot run '${program}' in '${cwd}': ${code ?? 'it failed'}`,
    path: cwd,
  };
}

/** What the machine or the container had too little of; undefined where that is not why. */
export function shortage(id: number, error: Error): AgentMessage | undefined {
  const known = SHORTAGES[(error as NodeJS.ErrnoException).code ?? ''];
  if (known === undefined) return undefined;
  const [code, why] = known;
  return { type: 'error', id, code, message: `Cannot start the command: ${why}` };
}

const TOO_MANY = ['session_limit', 'too many commands run at once'] as const;
const SHORTAGES: Record<string, readonly [ErrorCode, string]> = {
  EAGAIN: ['pids_exhausted', 'no more processes are allowed. Wait for others to end, or end them'],
  E2BIG: ['command_too_long', 'its arguments and environment are too long. Write them to a file'],
  ENOMEM: ['oom', 'no memory is left'],
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
};

/** The directory it was to run in cannot be, or may not be. */
export function badDirectory({ id, shownCwd }: CommandSpec, refused: RefusedDirectory): AgentMessage {
  return { type: 'error', id, code: 'invalid_cwd', message: refusedDirectoryText(shownCwd, refused), path: shownCwd };
}
