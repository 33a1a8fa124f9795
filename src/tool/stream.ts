/** What `async function*` returns: each value yielded is a complete snapshot of the result so far, the last one the result. */
export interface ToolStream<Snapshot = unknown> {
  next(): Promise<IteratorResult<Snapshot, unknown>>;
  return?(value?: unknown): Promise<IteratorResult<Snapshot, unknown>>;
  [Symbol.asyncIterator](): AsyncIterator<Snapshot, unknown, undefined>;
}

/**
 * Whether a tool's return value is a stream of snapshots: it has both `next` and `Symbol.asyncIterator`. A bare
 * `ReadableStream` has no `next` and is a plain value.
 */
export function isToolStream(value: unknown): value is ToolStream {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const { next, [Symbol.asyncIterator]: iterator } = value as Partial<ToolStream>;
    return typeof next === 'function' && typeof iterator === 'function';
  } catch {
    return false;
  }
}
