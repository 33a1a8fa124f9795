import type { MaybePromise } from './context.js';

/** What a tool's own `needsApproval` is told beside the parsed arguments. */
export interface ApprovalCall {
  readonly toolName: string;
  readonly toolCallId: string;
  /** Read-only copy of the transcript before the call; empty when there is none. */
  readonly messages: readonly unknown[];
  readonly sessionId?: string;
  /** `createToolHost({ context })`, or the call's own, by reference. */
  readonly context?: unknown;
}

/** `true` and `'ask'` pause for a person, `false` and `'approve'` run, `'deny'` refuses without asking. */
export type ApprovalVerdict = boolean | 'ask' | 'approve' | 'deny' | { deny: string };

/** Decides, from the parsed arguments, whether a call waits for a person. */
export type NeedsApproval<Args = unknown> = ApprovalPredicate<Args>['decide'];

/** A method, so that a tool with narrower arguments still is a `DefinedTool`. */
interface ApprovalPredicate<Args> {
  decide(args: Args, call: ApprovalCall): MaybePromise<ApprovalVerdict>;
}

/** A verdict in one form; `reason` is set only by `{ deny: reason }`. */
export interface ReadVerdict {
  effect: 'ask' | 'approve' | 'deny';
  reason?: string;
}

/**
 * Reads what `needsApproval` answered. Anything that is not a verdict counts by its truth, as a predicate's result
 * does in Lousho and the AI SDK; an unknown non-empty string or object therefore asks.
 */
export function readApprovalVerdict(verdict: unknown): ReadVerdict {
  if (verdict === 'deny') return { effect: 'deny' };
  if (verdict === 'approve') return { effect: 'approve' };
  if (isDenial(verdict))
    return typeof verdict.deny === 'string' ? { effect: 'deny', reason: verdict.deny } : { effect: 'deny' };
  return { effect: verdict ? 'ask' : 'approve' };
}

function isDenial(verdict: unknown): verdict is { deny: unknown } {
  return typeof verdict === 'object' && verdict !== null && 'deny' in verdict && verdict.deny !== undefined;
}
