import { writeSync } from 'node:fs';
import { LAST_WORDS_FD, type LastWords } from '../../protocol/isolate.js';

/** Ends this process at once. `process.exit` would wait for an isolate that may never return. */
export function die(words?: LastWords): never {
  if (words !== undefined) {
    try {
      writeSync(LAST_WORDS_FD, words);
    } catch {
      // Nobody reads any more.
    }
  }
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process outlived its own kill');
}
