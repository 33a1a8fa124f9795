import type { Decision } from '../rules/rule.js';
import type { Explanation } from './explain.js';
import { whatInstead } from './what-instead.js';

const WHY = 'checking the call failed';

/** The answer where working one out failed: a call that was not understood may be one that a rule denies. */
export function failedCheck(): Decision {
  return {
    effect: 'deny',
    rule: { text: 'permission check', source: 'caisson', reason: 'The call could not be checked against the rules' },
    certainty: 'could be',
    why: WHY,
    enforcement: 'tool gate',
  };
}

/** The same for who asks why. */
export function explainFailedCheck(toolName: string): Explanation {
  const decision = failedCheck();
  const { effect, rule, certainty } = decision;
  const instead = whatInstead(decision, toolName);
  return {
    decision: effect,
    ...(rule === undefined ? {} : { rule }),
    ...(rule?.reason === undefined ? {} : { reason: rule.reason }),
    certainty,
    why: WHY,
    enforcement: 'tool gate',
    ...(instead === undefined ? {} : { instead }),
    commands: [],
    reads: [],
    writes: [],
    unknown: [WHY],
    considered: [],
  };
}
