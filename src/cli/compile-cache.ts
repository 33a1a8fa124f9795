import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheDirectory, makeCacheDirectory } from '../sandbox/cache-directory.js';

/**
 * Keeps what V8 compiles of this program for the next start, where nobody but this user can write. Nothing is said where
 * that is not possible: the program then starts as it did the first time.
 */
export function useCompileCache(): void {
  const directory = join(cacheDirectory(), 'compiled');
  try {
    if (!makeCacheDirectory(cacheDirectory()) || !makeCacheDirectory(directory)) return;
    enableCompileCache(directory);
  } catch {
    // A home that cannot be written.
  }
}
