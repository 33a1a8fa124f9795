import { toolErrorResult } from '../../tool/error-result.js';
import { ROOT_PATH, type ToolErrorResult } from '../../tool/result.js';

/** What a model wrote cannot be run as it is. */
export function malformed(toolName: string, message: string): ToolErrorResult {
  return toolErrorResult({
    toolName,
    error: `Invalid arguments for tool '${toolName}': ${message}`,
    kind: 'validation',
    details: { code: 'invalid_input', retryable: false, issues: [{ path: ROOT_PATH, message }] },
  });
}

/** A kind of call that nothing here answers. */
export function notServed(toolName: string, message: string): ToolErrorResult {
  return toolErrorResult({
    toolName,
    error: message,
    kind: 'not-found',
    details: { code: 'unknown_tool', retryable: false },
  });
}

/** A name as it is put into an error: at most 64 characters of text. */
export function nameOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 64) : 'unknown';
}
