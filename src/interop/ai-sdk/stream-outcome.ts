import { isDeepStrictEqual } from 'node:util';

/**
 * A run as the AI SDK takes it: every snapshot, the result last. Whoever stops reading ends the run.
 * @throws what the run rejects with
 */
export async function* streamOutcome(
  run: (onSnapshot: (snapshot: unknown) => void, signal: AbortSignal) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const leaving = new AbortController();
  const waiting: unknown[] = [];
  const last: { value?: unknown } = {};
  let isOver = false;
  let wake = () => {};
  const result = run((snapshot) => {
    waiting.push(snapshot);
    wake();
  }, leaving.signal).finally(() => {
    isOver = true;
    wake();
  });
  // It is awaited below, unless the reader leaves first.
  result.catch(() => {});
  try {
    while (true) {
      while (waiting.length > 0) {
        last.value = waiting.shift();
        yield last.value;
      }
      if (isOver) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const output = await result;
    // Usually the last snapshot is the result, which the AI SDK then repeats by itself.
    if (!('value' in last) || !isDeepStrictEqual(last.value, output)) yield output;
  } finally {
    leaving.abort();
  }
}
