import { setFlagsFromString } from 'node:v8';

/**
 * Makes isolates that come after it collect garbage early: a command's garbage is dead when the command ends, and a
 * session that ran ten thousand of them takes half the memory (75 MB instead of 130 on Linux x64).
 */
export function useSmallHeaps(): void {
  setFlagsFromString('--optimize-for-size');
}
