import { anything, either, filledText, flag, func, type Kind, oneOf, signal, text, texts } from '../checks/kinds.js';
import { checkOptions, mustBe, shapeOf } from '../checks/options.js';
import { alwaysProblem } from './ask-in-time.js';
import type { ApprovalRequest, CallOptions, OutsideRejection, ReviewOptions, ToolHost } from './types.js';

const list: Kind = { test: Array.isArray, words: 'an array' };

const sandbox: Kind = {
  test: (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { run?: unknown }).run === 'function' &&
    typeof (value as { writeFile?: unknown }).writeFile === 'function',
  words: 'a sandbox (at least name, run and writeFile)',
};

const callKinds = {
  signal,
  messages: list,
  sessionId: text,
  context: anything,
  approve: either(oneOf(['approved']), func),
  sandbox,
  onPartial: func,
};

const CALL = shapeOf<CallOptions>(callKinds);
const REVIEW = shapeOf<ReviewOptions>({ ...callKinds, recordDenial: flag });
const REJECTION = shapeOf<OutsideRejection>({ approvalId: filledText, note: text });

/** What a call itself holds is the model's, and is answered; its options are the program's. @throws TypeError */
export function checkCallOptions(where: string, options: CallOptions): void {
  checkOptions(where, options, CALL);
}

/** @throws TypeError */
export function checkReviewOptions(options: ReviewOptions): void {
  checkOptions('review', options, REVIEW);
}

/** @throws TypeError */
export function checkRejection(answer: OutsideRejection, options: CallOptions): void {
  checkOptions('recordRejection', answer, REJECTION);
  if (answer?.approvalId === undefined) throw new TypeError("recordRejection: 'approvalId' must be given");
  checkOptions('recordRejection', options, CALL);
}

/** @throws TypeError */
export function checkCalls(calls: unknown): void {
  if (!list.test(calls)) throw new TypeError(`callMany: ${mustBe("'calls'", list, calls)}`);
}

type ResolveDecision = Parameters<ToolHost['approvals']['resolve']>[1];

const DECISION = shapeOf<ResolveDecision>({ decision: oneOf(['approve', 'reject']), note: text, always: texts });

/**
 * Before the call is taken out: a wrong word must not use up its one decision.
 * @param request what waits under the id, if anything does
 * @throws TypeError
 */
export function checkDecision(
  id: string,
  decision: ResolveDecision | undefined,
  request: ApprovalRequest | undefined,
): void {
  const where = `Cannot decide the approval '${id}'`;
  checkOptions(where, decision, DECISION);
  if (decision?.decision === undefined) throw new TypeError(`${where}: 'decision' must be 'approve' or 'reject'`);
  const problem = request === undefined ? undefined : alwaysProblem(decision, request);
  if (problem !== undefined) throw new TypeError(`${where}: ${problem}`);
}
