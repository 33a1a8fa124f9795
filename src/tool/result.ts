import type { ErrorCode } from '../sandbox/errors.js';

/** Why a call failed; the eight kinds every integration carries across. */
export type ToolErrorKind = (typeof TOOL_ERROR_KINDS)[number];

/** The eight values of `ToolErrorKind`. */
export const TOOL_ERROR_KINDS = [
  'execution',
  'validation',
  'not-found',
  'rejected',
  'not-run',
  'mcp',
  'sandbox',
  'denied',
] as const;

export function isToolErrorKind(value: unknown): value is ToolErrorKind {
  return (TOOL_ERROR_KINDS as readonly unknown[]).includes(value);
}

/** The path of an issue with the whole value. */
export const ROOT_PATH = '(root)';

/** One thing wrong with the arguments; `path` is dot-joined, `(root)` for the whole value. */
export interface ValidationIssue {
  path: string;
  message: string;
}

/** A failed call as the model sees it: short, no stack, no host path. */
export interface ToolErrorResult {
  /** The thrown error's name, or the kind's default name. */
  error: string;
  toolName: string;
  message: string;
  kind: ToolErrorKind;
  toolCallId?: string;
  code?: ErrorCode;
  retryable?: boolean;
  /** `validation` only. */
  issues?: ValidationIssue[];
  /** `rejected` only, when the reviewer gave one. */
  note?: string;
  /** `denied` only, when the rule has one. */
  reason?: string;
}
