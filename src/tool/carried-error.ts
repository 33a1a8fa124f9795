import type { ContentPart } from './content.js';
import { toolErrorResult } from './error-result.js';
import { isContentPart } from './is-content-part.js';
import { toJsonSafe } from './json-safe.js';
import { isToolErrorKind, type ToolErrorResult } from './result.js';

const BRAND = Symbol.for('caisson.CarriedToolError');

/**
 * Thrown by an imported tool whose framework has already told the failure: the call ends with this very error, and
 * with the parts that came with it.
 */
export class CarriedToolError extends Error {
  readonly toolError: ToolErrorResult;
  readonly content?: ContentPart[];
  readonly [BRAND] = true;

  static {
    CarriedToolError.prototype.name = 'CarriedToolError';
  }

  constructor(toolError: ToolErrorResult, content?: ContentPart[]) {
    super(toolError.message);
    this.toolError = toolError;
    if (content !== undefined) this.content = content;
  }
}

/** By brand, so that two copies of the package agree; what only claims to be one is an error like any other. */
export function isCarriedToolError(value: unknown): value is CarriedToolError {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const { [BRAND]: brand, toolError } = value as Partial<CarriedToolError>;
    return brand === true && isToolErrorResult(toolError);
  } catch {
    // A hostile Proxy: whatever it is, it is not ours.
    return false;
  }
}

/** The parts that came with it, as plain data, without what is no part; `undefined` where there are none, or no JSON. */
export function carriedContent({ content }: CarriedToolError): ContentPart[] | undefined {
  try {
    const parts: unknown = toJsonSafe(content);
    const whole = Array.isArray(parts) ? parts.filter(isContentPart) : [];
    return whole.length === 0 ? undefined : whole;
  } catch {
    return undefined;
  }
}

/** The error as this host tells it: its own name of the tool, and every field bounded as those of its own errors are. */
export function carriedResult(toolName: string, { toolError }: CarriedToolError): ToolErrorResult {
  const { error, message, kind } = toolError;
  return toolErrorResult({ toolName, error: { name: error, message }, kind, details: { ...toolError } });
}

/** Whether a value is a `ToolErrorResult`, by shape: it may have crossed another framework as JSON. */
export function isToolErrorResult(value: unknown): value is ToolErrorResult {
  if (typeof value !== 'object' || value === null) return false;
  const { error, toolName, message, kind } = value as Partial<ToolErrorResult>;
  return [error, toolName, message].every((text) => typeof text === 'string') && isToolErrorKind(kind);
}
