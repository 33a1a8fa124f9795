import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { proposeAllowRules } from '../permissions/propose-allow-rules.js';
import { toJsonSafe } from '../tool/json-safe.js';
import type { ParsedCall } from './call-state.js';
import type { ApprovalRequest } from './types.js';

/** A call that waits, and what was asked about it. */
export interface PendingApproval {
  request: ApprovalRequest;
  /** Its arguments are pinned: what was shown is what runs. */
  call: ParsedCall;
}

/** Ids of this many approvals that are over are remembered, to tell them from unknown ones. */
const REMEMBERED = 10_000;
/** The last time that a date can be. */
const MAX_TIME = 8.64e15;
const MAX_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_TTL_MS = 24 * 60 * 60 * 1000;

/** Calls that wait for a person. Each is decided once. */
export class PendingApprovals {
  readonly #waiting = new Map<string, PendingApproval>();
  readonly #over = new Map<string, 'decided' | 'expired'>();
  readonly #onExpired: (pending: PendingApproval) => void;
  #timer: NodeJS.Timeout | undefined;
  /** How long a call waits. */
  readonly ttlMs: number;

  /** @param onExpired told of each call that waited for too long, once */
  constructor(onExpired: (pending: PendingApproval) => void, ttlMs: number = DEFAULT_TTL_MS) {
    this.#onExpired = onExpired;
    this.ttlMs = ttlMs;
  }

  add(pending: PendingApproval): void {
    this.#waiting.set(pending.request.id, pending);
    this.#watch();
  }

  list(): ApprovalRequest[] {
    this.#dropExpired();
    return [...this.#waiting.values()].map(({ request }) => structuredClone(request));
  }

  /** What waits under the id, and goes on waiting. */
  get(id: string): PendingApproval | undefined {
    this.#dropExpired();
    return this.#waiting.get(id);
  }

  /**
   * Takes a call out, so that nobody else can decide it.
   * @throws Error when the id is unknown or was decided before, with the code `permission_ask_timeout` when it expired
   */
  take(id: string): PendingApproval {
    const pending = this.get(id);
    if (pending === undefined) throw cannotDecide(id, this.#over.get(id));
    this.#forget(id, 'decided');
    return pending;
  }

  /** A person's answer to what was asked long ago may not be one to what it means now. */
  #dropExpired(): void {
    for (const [id, pending] of this.#waiting) {
      if (!isExpired(pending.request)) continue;
      this.#forget(id, 'expired');
      this.#onExpired(pending);
    }
  }

  /** For the one that expires next, which is the first that came. */
  #watch(): void {
    if (this.#timer !== undefined) return;
    const [first] = this.#waiting.values();
    if (first === undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#dropExpired();
      this.#watch();
    }, timeLeft(first.request)).unref();
  }

  #forget(id: string, how: 'decided' | 'expired'): void {
    this.#waiting.delete(id);
    this.#over.set(id, how);
    const [oldest] = this.#over.keys();
    if (this.#over.size > REMEMBERED && oldest !== undefined) this.#over.delete(oldest);
  }
}

function cannotDecide(id: string, how: 'decided' | 'expired' | undefined): Error {
  const problems = { decided: 'it was decided before', expired: 'it has expired' };
  const problem = how === undefined ? 'no call waits under this id' : problems[how];
  const error = new Error(
    `Cannot decide the approval '${id}': ${problem}. host.approvals.list() names those that wait`,
  );
  return how === 'expired' ? Object.assign(error, { code: ASK_TIMEOUT }) : error;
}

/** Whether a decision came after the approval had expired. */
export function isExpiryError(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === ASK_TIMEOUT;
}

const ASK_TIMEOUT = 'permission_ask_timeout';

export function isExpired({ expiresAt }: ApprovalRequest): boolean {
  return Date.parse(expiresAt) <= Date.now();
}

/** Milliseconds until it expires, as far as a timer can wait. */
export function timeLeft({ expiresAt }: ApprovalRequest): number {
  return Math.min(Math.max(Date.parse(expiresAt) - Date.now(), 1), MAX_TIMER_MS);
}

export function newApprovalId(): string {
  return `approval_${randomUUID()}`;
}

/** What a person is asked, as plain data. */
export function createApprovalRequest(
  { toolCallId, toolName, tool, args, decision, approvalId = newApprovalId() }: ParsedCall,
  ttlMs: number,
): ApprovalRequest {
  const { text, reason } = decision?.rule ?? {};
  const now = Date.now();
  return {
    id: approvalId,
    toolCallId,
    toolName,
    displayName: tool.displayName,
    args: serialisable(args),
    ...(reason === undefined ? {} : { reason }),
    ...(text === undefined ? {} : { rule: text }),
    ...(decision?.part === undefined ? {} : { part: decision.part }),
    // An ask rule that somebody wrote asks again, whatever is allowed beside it.
    proposals: isOpenQuestion(decision?.rule?.text) ? proposeAllowRules({ toolName, args }) : [],
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(Math.min(now + ttlMs, MAX_TIME)).toISOString(),
  };
}

/** The default of the policy asks, or the tool itself. */
function isOpenQuestion(rule: string | undefined): boolean {
  return rule === undefined || rule === 'needsApproval';
}

/** A copy that nobody else holds, where the arguments are plain data; other values are passed as they are. */
export function pinArguments(args: unknown): unknown {
  return isPlainData(args, 0) ? structuredClone(args) : args;
}

function isPlainData(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  if (depth > 100) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainData(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype && Object.values(value).every((item) => isPlainData(item, depth + 1));
}

/** What is shown of arguments. */
export function serialisable(args: unknown): unknown {
  try {
    return toJsonSafe(args);
  } catch {
    return inspect(args, { depth: 6, maxStringLength: 2_000, maxArrayLength: 100 });
  }
}
