import type { ErrorCode } from '../sandbox/errors.js';

/** Why a call failed; the eight kinds every integration carries across. */
export type ToolErrorKind =
  | 'execution'
  | 'validation'
  | 'not-found'
  | 'rejected'
  | 'not-run'
  | 'mcp'
  | 'sandbox'
  | 'denied';

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
