import type { HostMessage } from '../protocol/isolate.js';
import type { CallQueue } from './call-queue.js';
import { startWorker } from './start-worker.js';
import { die } from './watch/die.js';
import { startWatchdog } from './watch/start-watchdog.js';
import { readFrames } from './wire/read-frames.js';
import { sendFrame } from './wire/send-frame.js';

/**
 * The worker process: reads the host's frames, holds the isolate and the files, answers. It trusts the host and nobody
 * else, and ends with it.
 */
const watch = startWatchdog();
let queue: CallQueue | undefined;

readFrames((frames) => {
  if (queue !== undefined) return queue.receive(frames);
  const [first, ...rest] = frames;
  if (first === undefined) return;
  queue = begin(first.header as HostMessage | null);
  if (rest.length > 0) queue.receive(rest);
});

function begin(init: HostMessage | null): CallQueue {
  if (init?.type !== 'init') die();
  try {
    return startWorker(init, watch);
  } catch (error) {
    sendFrame({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    die();
  }
}
