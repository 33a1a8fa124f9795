import type { ErrorCode } from '../../protocol/error-code.js';

interface End {
  exitCode: number;
  stderr: Buffer;
  ranOutOfSpace: boolean;
}

/** Enough to hold the last message a command wrote. */
const TAIL_BYTES = 4096;

/**
 * Why a command that ended by itself failed, where that is known. 126 and 127 are also what a script may choose to exit
 * with, so they mean what they usually mean only when the shell's own message is the last thing said.
 */
export function execCause({ exitCode, stderr, ranOutOfSpace }: End): ErrorCode | undefined {
  if (exitCode === 0) return undefined;
  if (ranOutOfSpace) return 'no_space';
  const tail = stderr.subarray(-TAIL_BYTES).toString('latin1');
  if (exitCode === 127 && /: (command not found|No such file or directory)\n$/.test(tail)) return 'command_not_found';
  if (exitCode === 126 && /: (Permission denied|Is a directory)\n$/.test(tail)) return 'not_executable';
  if (exitCode === 126 && /output size (limit )?exceeded/.test(tail)) return 'output_limit';
  return undefined;
}
