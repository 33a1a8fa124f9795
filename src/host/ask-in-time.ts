import { show } from '../checks/show.js';
import { isExpired, timeLeft } from './approvals.js';
import type { ApprovalDecision, ApprovalRequest, ToolHostOptions } from './types.js';

/**
 * What the `approve` function answers, or `undefined` when the request expired before: an answer that comes later is
 * dropped, whatever it is.
 * @throws TypeError for an answer that is none; what the function throws
 */
export async function askInTime(
  approve: NonNullable<ToolHostOptions['approve']>,
  request: ApprovalRequest,
): Promise<ApprovalDecision | undefined> {
  const answer = await beforeExpiry(request, Promise.resolve(approve(structuredClone(request))));
  // A timer says nothing while the program is busy.
  if (answer === EXPIRED || isExpired(request)) return undefined;
  return readAnswer(answer, request);
}

const EXPIRED = Symbol('expired');

function beforeExpiry<T>(request: ApprovalRequest, answer: Promise<T>): Promise<T | typeof EXPIRED> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const watch = () => {
      timer = setTimeout(() => (isExpired(request) ? resolve(EXPIRED) : watch()), timeLeft(request)).unref();
    };
    watch();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function readAnswer(answer: ApprovalDecision, request: ApprovalRequest): ApprovalDecision {
  if (!['approve', 'reject', 'defer'].includes(answer?.decision)) {
    throw new TypeError(
      "The 'approve' function must answer { decision: 'approve' | 'reject' | 'defer' }; the call did not run",
    );
  }
  const problem = alwaysProblem(answer, request);
  if (problem !== undefined)
    throw new TypeError(`The answer of the 'approve' function: ${problem}; the call did not run`);
  return answer;
}

/**
 * What is wrong with the rules that an approval would keep: only what was proposed for the call may be, so that an
 * answer that comes from elsewhere does not widen the policy at will.
 */
export function alwaysProblem(
  { decision, always }: { decision: string; always?: unknown },
  { proposals }: ApprovalRequest,
): string | undefined {
  if (decision !== 'approve' || always === undefined) return undefined;
  if (!Array.isArray(always)) return "'always' must be an array of the request's proposals";
  const other: unknown = always.find((rule) => !proposals.includes(rule));
  if (other === undefined) return undefined;
  const known = proposals.length === 0 ? 'there are none' : proposals.map((rule) => `'${rule}'`).join(', ');
  return `'always' keeps only what was proposed (${known}), not ${show(other)}`;
}
