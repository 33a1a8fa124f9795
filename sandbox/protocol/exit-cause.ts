import type { ErrorCode } from './error-code.js';

const NOT_FOUND = /(^|: )(command not found|not found|No such file or directory|no such file or directory)\s*$/m;
const NOT_EXECUTABLE = /(^|: )(Permission denied|Is a directory|cannot execute[^\n]*|Exec format error)\s*$/im;
const NO_SPACE = /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/;
const NO_NETWORK =
  /Could not resolve host|Resolving timed out|Temporary failure in name resolution|Name or service not known|getaddrinfo E(AI_AGAIN|NOTFOUND)|EAI_AGAIN|Network is unreachable|ENETUNREACH|network is unreachable|Failed to connect to (?!localhost\b|127\.|\[?::1|0\.0\.0\.0)\S+ port \d+[^\n]*Couldn't connect to server/;

/** Why a command failed, as far as its exit code and its last words on stderr say. A code alone says nothing: `exit 127` is a program's right. */
export function exitCause(exitCode: number, stderrEnd: string, network: 'none' | 'full'): ErrorCode | undefined {
  if (exitCode === 0) return undefined;
  if (NO_SPACE.test(stderrEnd)) return 'no_space';
  if (exitCode === 127 && NOT_FOUND.test(stderrEnd)) return 'command_not_found';
  if (exitCode === 126 && NOT_EXECUTABLE.test(stderrEnd)) return 'not_executable';
  if (network === 'none' && NO_NETWORK.test(stderrEnd)) return 'network_denied';
  return undefined;
}
