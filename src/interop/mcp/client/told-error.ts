import { isErrorCode } from '../../../sandbox/errors.js';
import { isToolErrorResult } from '../../../tool/carried-error.js';
import { ROOT_PATH, type ToolErrorResult, type ValidationIssue } from '../../../tool/result.js';

const MAX_ISSUES = 100;
const MAX_CHARACTERS = 2_000;

/**
 * The error another host of our kind put beside its text; `undefined` where there is none. It comes from a stranger:
 * only what our own errors have is read, and as much of it as they hold.
 */
export function toldError(meta: Record<string, unknown> | undefined): ToolErrorResult | undefined {
  const told = meta?.['caisson/error'];
  if (!isToolErrorResult(told)) return undefined;
  const { error, toolName, message, kind, code, retryable, issues, note, reason } = told;
  return {
    error,
    toolName,
    message,
    kind,
    ...(isErrorCode(code) ? { code } : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(Array.isArray(issues) ? { issues: issues.slice(0, MAX_ISSUES).map(issueOf) } : {}),
    ...(typeof note === 'string' ? { note: note.slice(0, MAX_CHARACTERS) } : {}),
    ...(typeof reason === 'string' ? { reason: reason.slice(0, MAX_CHARACTERS) } : {}),
  };
}

function issueOf(issue: unknown): ValidationIssue {
  const { path, message } = (issue ?? {}) as Partial<Record<keyof ValidationIssue, unknown>>;
  const text = (value: unknown, otherwise: string) =>
    typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : otherwise;
  return { path: text(path, ROOT_PATH), message: text(message, 'Not valid') };
}
