import { readProperty, textOf } from '../checks/safe-read.js';
import { type ErrorCode, isErrorCode, isRetryable, isSandboxError } from '../sandbox/errors.js';
import { toJsonSafe } from './json-safe.js';
import { isToolErrorKind, type ToolErrorKind } from './result.js';

/** What can be said of a thrown value without running into its traps. */
export interface Thrown {
  /** Set when the value is an object with a name of its own. */
  name?: string;
  message: string;
  kind?: ToolErrorKind;
  code?: ErrorCode;
  retryable?: boolean;
}

const MAX_NAME_CHARACTERS = 100;

/**
 * Reads any thrown value: errors, strings, `null`, objects with throwing getters, revoked proxies. Never throws,
 * never reads a stack.
 */
export function readThrown(error: unknown): Thrown {
  if ((typeof error !== 'object' && typeof error !== 'function') || error === null) return { message: textOf(error) };
  const name = nonEmptyString(readProperty(error, 'name'))?.slice(0, MAX_NAME_CHARACTERS);
  const message = readProperty(error, 'message');
  const thrown: Thrown = { message: messageOf(error, message) || (name ?? 'Error') };
  if (name !== undefined && typeof error === 'object') thrown.name = name;
  const code = readProperty(error, 'code');
  if (isErrorCode(code)) {
    const retryable = readProperty(error, 'retryable');
    thrown.code = code;
    thrown.retryable = typeof retryable === 'boolean' ? retryable : isRetryable(code);
  }
  const kind = kindOf(error, thrown.code);
  if (kind !== undefined) thrown.kind = kind;
  return thrown;
}

function kindOf(error: object, code: ErrorCode | undefined): ToolErrorKind | undefined {
  const declared = readProperty(error, 'toolErrorKind');
  if (isToolErrorKind(declared)) return declared;
  if (code !== undefined && isOfTheSandboxItself(code) && isBranded(error)) return 'sandbox';
  return undefined;
}

function isOfTheSandboxItself(code: ErrorCode): boolean {
  return (
    code.startsWith('sandbox_') || code === 'engine_unreachable' || code === 'image_missing' || code === 'mask_lost'
  );
}

function isBranded(error: object): boolean {
  try {
    return isSandboxError(error);
  } catch {
    return false;
  }
}

function messageOf(error: object, message: unknown): string {
  if (typeof message === 'string') return message;
  if (message !== undefined) return textOf(message);
  try {
    return JSON.stringify(toJsonSafe(error));
  } catch {
    return 'A value that cannot be read was thrown';
  }
}

function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
