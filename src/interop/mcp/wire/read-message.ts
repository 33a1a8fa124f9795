import { isDeeperThan } from './json-depth.js';

/** A JSON-RPC message that has the right shape; what is in `params` is for others to check. */
export type RpcMessage = { jsonrpc: '2.0'; id?: string | number; method?: string; [member: string]: unknown };

/** Of a message that is refused, `id` is known only where the message has a right one. */
export type ReadMessage =
  | { ok: true; message: RpcMessage }
  | { ok: false; code: number; reason: string; id?: string | number };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** Levels of arrays and objects in one message. */
const MAX_DEPTH = 200;

/** Reads one JSON-RPC message, or says why it is none. Never throws. */
export function readMessage(text: string): ReadMessage {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (isDeeperThan(source, MAX_DEPTH)) return invalid(`the message is nested deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return { ok: false, code: PARSE_ERROR, reason: 'Parse error: the message is not JSON' };
  }
  const problem = problemOf(value);
  const message = value as RpcMessage;
  if (problem !== undefined) return { ...invalid(problem), ...idOf(value) };
  if (!hasProtoMember(message.params)) return { ok: true, message };
  // The SDK would leave it out without a word, and the call would run with other arguments than were sent.
  const reason = "Invalid params: a member may not be called '__proto__'";
  return { ok: false, code: INVALID_PARAMS, reason, ...idOf(value) };
}

function problemOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'batches are not supported; send one message at a time';
  if (typeof value !== 'object' || value === null) return 'a message is an object';
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') return "'jsonrpc' must be '2.0'";
  if (id !== undefined && !isId(id)) return "'id' must be a string or an integer";
  if (method === undefined) {
    return id !== undefined && (result !== undefined || error !== undefined) ? undefined : "'method' is missing";
  }
  if (typeof method !== 'string') return "'method' must be a string";
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) {
    return "'params' must be an object";
  }
  return undefined;
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function idOf(value: unknown): { id?: string | number } {
  const { id } = (value ?? {}) as { id?: unknown };
  return isId(id) ? { id } : {};
}

function hasProtoMember(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  return Object.values(value).some(hasProtoMember);
}

function invalid(problem: string): ReadMessage {
  return { ok: false, code: INVALID_REQUEST, reason: `Invalid request: ${problem}` };
}
