import { constants } from 'node:os';

const NAMES = new Map(
  (['SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL', 'SIGSEGV', 'SIGTERM'] as const).map((name) => [
    128 + constants.signals[name],
    name,
  ]),
);

/**
 * The signal that an exit code stands for, as engines and shells report one. A program that exits with such a code by
 * itself cannot be told from one that was ended by the signal.
 */
export function signalOf(exitCode: number): string | undefined {
  return NAMES.get(exitCode);
}
