import { isToolStream, type ToolStream } from '../tool/stream.js';
import { untilAborted } from './abort.js';

export interface StreamOptions {
  signal: AbortSignal | undefined;
  /** Gets every snapshot, `index` from 0. */
  onSnapshot: (snapshot: unknown, index: number) => void;
}

/**
 * The result of a tool: what it returned, or, for a stream of snapshots, the last one. On abort it stops waiting at
 * once and closes the stream, so that its `finally` blocks run.
 * @throws Aborted when the signal aborts; whatever the tool throws
 */
export async function settleOutput(started: () => unknown, options: StreamOptions): Promise<unknown> {
  const output = await untilAborted(options.signal, begin(started), close);
  return isToolStream(output) ? drain(output, options) : output;
}

/** A throw before the first `await` is a rejection like any other. */
async function begin(started: () => unknown): Promise<unknown> {
  return started();
}

/** The generator's return value is not a snapshot and is ignored; no snapshot at all is `null`. */
async function drain(stream: ToolStream, { signal, onSnapshot }: StreamOptions): Promise<unknown> {
  let last: unknown = null;
  try {
    for (let index = 0; ; index += 1) {
      const step = await untilAborted(signal, stream.next());
      if (step.done === true) return last;
      last = step.value;
      onSnapshot(last, index);
    }
  } catch (error) {
    close(stream);
    throw error;
  }
}

function close(output: unknown): void {
  if (!isToolStream(output)) return;
  try {
    output.return?.(undefined)?.catch(() => {});
  } catch {
    // It is being left anyway.
  }
}
