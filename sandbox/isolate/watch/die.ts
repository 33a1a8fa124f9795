import { writeSync } from 'node:fs';
import { LAST_WORDS_FD, type LastWords } from '../../protocol/isolate.js';

/**
 * Ends this process at once. `process.exit` would wait for an isolate that may never return.
 * @param call the call it is ended over, where it is one's fault
 */
export function die(words?: LastWords, call = 0): never {
  if (words !== undefined) {
    try {
      writeSync(LAST_WORDS_FD, `${words} ${call}`);
    } catch {
      // Nobody reads any more.
    }
  }
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process outlived its own kill');
}
