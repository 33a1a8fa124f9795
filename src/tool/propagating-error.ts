const BRAND = Symbol.for('caisson.PropagatingToolError');

/**
 * Thrown by a tool, a hook or an approval to end the whole run instead of becoming a result: the call, and the batch
 * it belongs to, reject with it. Extend it for your own conditions.
 */
export class PropagatingToolError extends Error {
  readonly [BRAND] = true;

  static {
    PropagatingToolError.prototype.name = 'PropagatingToolError';
  }
}

/** Recognises a `PropagatingToolError` or an instance of a subclass by brand, so that two copies of the package agree. */
export function isPropagatingToolError(value: unknown): value is PropagatingToolError {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return (value as { [BRAND]?: unknown })[BRAND] === true;
  } catch {
    // A hostile Proxy: whatever it is, it is not ours.
    return false;
  }
}
