import { toJsonSafe } from './json-safe.js';
import type { ToolErrorKind, ToolErrorResult } from './result.js';
import { isToolErrorKind } from './result.js';
import { readThrown } from './thrown.js';

export interface ToolErrorOptions {
  toolName: string;
  /** What was thrown, or a message. */
  error: unknown;
  /** Beats the `toolErrorKind` a thrown error declares. Default `execution`, `sandbox` for a failure of the sandbox itself. */
  kind?: ToolErrorKind;
  toolCallId?: string;
  /**
   * Further fields. They never override `error`, `toolName`, `message`, `kind` or `toolCallId`; `issues` stays only
   * on `validation`, `note` on `rejected`, `reason` on `denied`; what is not JSON is left out.
   */
  details?: Record<string, unknown>;
  /** Used on the message before it is cut: half a secret is one too. */
  redact?: ((text: string) => string) | undefined;
}

const DEFAULT_NAMES: Record<ToolErrorKind, string> = {
  execution: 'Error',
  validation: 'ToolArgumentsValidationError',
  'not-found': 'ToolNotFoundError',
  rejected: 'ToolRejectedError',
  'not-run': 'ToolNotRunError',
  mcp: 'McpToolError',
  sandbox: 'SandboxRequiredError',
  denied: 'ToolDeniedError',
};

/** Details that belong to one kind only. */
const KIND_OF_DETAIL: Readonly<Record<string, ToolErrorKind>> = {
  issues: 'validation',
  note: 'rejected',
  reason: 'denied',
};

const SHARED_FIELDS = new Set(['error', 'toolName', 'message', 'kind', 'toolCallId', 'stack', '__proto__']);

const MAX_MESSAGE_CHARACTERS = 2000;

/**
 * Builds the result a failed call gives the model. The message is capped at 2,000 characters; there is never a
 * stack. Never throws, whatever was thrown.
 */
export function toolErrorResult({
  toolName,
  error,
  kind,
  toolCallId,
  details,
  redact = (text) => text,
}: ToolErrorOptions): ToolErrorResult {
  const thrown = readThrown(error);
  const chosen = isToolErrorKind(kind) ? kind : (thrown.kind ?? 'execution');
  const result: ToolErrorResult = {
    error: thrown.name ?? DEFAULT_NAMES[chosen],
    toolName,
    message: capMessage(redact(thrown.message)),
    kind: chosen,
  };
  if (toolCallId !== undefined) result.toolCallId = toolCallId;
  if (thrown.code !== undefined) result.code = thrown.code;
  if (thrown.retryable !== undefined) result.retryable = thrown.retryable;
  return details === undefined ? result : { ...result, ...readDetails(details, chosen) };
}

/** Cuts a message to 2,000 characters, never through a surrogate pair, and says so. */
function capMessage(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARACTERS) return message;
  const endsInsidePair = isHighSurrogate(message.charCodeAt(MAX_MESSAGE_CHARACTERS - 1));
  const kept = message.slice(0, endsInsidePair ? MAX_MESSAGE_CHARACTERS - 1 : MAX_MESSAGE_CHARACTERS);
  return `${kept}... (truncated)`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function readDetails(details: Record<string, unknown>, kind: ToolErrorKind): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const key of ownKeys(details)) {
    if (SHARED_FIELDS.has(key)) continue;
    if (Object.hasOwn(KIND_OF_DETAIL, key) && KIND_OF_DETAIL[key] !== kind) continue;
    try {
      const value = details[key];
      if (value !== undefined) kept[key] = toJsonSafe(value);
    } catch {
      // What cannot be read or sent would only hide the error it came with.
    }
  }
  return kept;
}

function ownKeys(details: object): string[] {
  try {
    return Object.keys(details);
  } catch {
    return [];
  }
}
