import type { SandboxView } from '../../host/sandbox-view.js';
import type { ToolCall, ToolOutcome } from '../../host/types.js';
import type { ToolErrorResult } from '../../tool/result.js';

/** An outcome that is an end. */
export type DecidedOutcome = Exclude<ToolOutcome, { status: 'awaiting-approval' }>;

/**
 * Calls a tool of the host on behalf of a coding call; while a person decides, the promise waits. With a `view` the
 * tool gets that of its sandbox.
 */
export type HostCall = (toolName: string, args: Record<string, unknown>, view?: SandboxView) => Promise<DecidedOutcome>;

/** A call of a provider's own coding tool. */
export interface CodingCall<Answer> {
  kind: 'coding';
  toolCallId: string;
  toolName: string;
  /**
   * Does the work through calls of the host's own tools, so that rules, approvals and the audit log hold. What it
   * throws is answered by `failed`.
   */
  run(call: HostCall): Promise<Answer>;
  failed(error: ToolErrorResult): Answer;
}

/** One call of a model's message, with the way its answer is written. */
export type TurnCall<Answer> =
  | { kind: 'function'; call: ToolCall; answer(outcome: DecidedOutcome): Answer }
  | CodingCall<Answer>
  | { kind: 'refused'; answer: Answer };
