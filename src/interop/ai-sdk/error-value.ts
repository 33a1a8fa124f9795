import { isToolErrorResult } from '../../tool/carried-error.js';
import type { ToolErrorResult } from '../../tool/result.js';

const BRAND = Symbol.for('caisson.toolErrorValue');

/** An error as the result of a call: a host that imports the tool tells it from a result of the same shape. */
export function asErrorValue(error: ToolErrorResult): ToolErrorResult {
  return Object.defineProperty({ ...error }, BRAND, { value: true });
}

export function isErrorValue(value: unknown): value is ToolErrorResult {
  return isToolErrorResult(value) && (value as { [BRAND]?: unknown })[BRAND] === true;
}
