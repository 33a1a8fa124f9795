import { show } from '../checks/show.js';
import { isExpired, timeLeft } from './approvals.js';
import type { ApprovalDecision, ApprovalRequest, ToolHostOptions } from './types.js';

/**
 * What the `approve` function answers, or `undefined` when the request expired before: an answer that comes later is
 * dropped, whatever it is.
 * @param over aborted when nobody awaits the call any more: from then on it does not keep the program alive
 * @throws TypeError for an answer that is none; what the function throws
 */
export async function askInTime(
  approve: NonNullable<ToolHostOptions['approve']>,
  request: ApprovalRequest,
  over: readonly (AbortSignal | undefined)[] = [],
): Promise<ApprovalDecision | undefined> {
  const answering = Promise.resolve(approve(structuredClone(request)));
  const answer = await beforeExpiry(
    request,
    answering,
    over.filter((signal) => signal !== undefined),
  );
  // A timer says nothing while the program is busy.
  if (answer === EXPIRED || isExpired(request)) return undefined;
  return readAnswer(answer, request);
}

const EXPIRED = Symbol('expired');

/** While somebody awaits the call its timer keeps the program alive: one that ends instead never learns of the expiry. */
async function beforeExpiry<T>(
  request: ApprovalRequest,
  answer: Promise<T>,
  over: readonly AbortSignal[],
): Promise<T | typeof EXPIRED> {
  let timer: NodeJS.Timeout | undefined;
  const letGo = () => timer?.unref();
  for (const signal of over) signal.addEventListener('abort', letGo);
  const expiry = new Promise<typeof EXPIRED>((resolve) => {
    const watch = () => {
      timer = setTimeout(() => (isExpired(request) ? resolve(EXPIRED) : watch()), timeLeft(request));
      if (over.some(({ aborted }) => aborted)) letGo();
    };
    watch();
  });
  try {
    return await Promise.race([answer, expiry]);
  } finally {
    clearTimeout(timer);
    for (const signal of over) signal.removeEventListener('abort', letGo);
  }
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
 * What is wrong with the rules that an answer would keep, whichever it is: only what was proposed for the call may be, so that an
 * answer that comes from elsewhere does not widen the policy at will.
 */
export function alwaysProblem({ always }: { always?: unknown }, { proposals }: ApprovalRequest): string | undefined {
  if (always === undefined) return undefined;
  if (!Array.isArray(always)) return "'always' must be an array of the request's proposals";
  const other: unknown = always.find((rule) => !proposals.includes(rule));
  if (other === undefined) return undefined;
  const known = proposals.length === 0 ? 'there are none' : proposals.map((rule) => `'${rule}'`).join(', ');
  return `'always' keeps only what was proposed (${known}), not ${show(other)}`;
}
