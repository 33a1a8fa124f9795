export type { EnforcementPlan, PathRule } from '../../sandbox/protocol/plan.js';
export { EMPTY_PLAN } from '../../sandbox/protocol/plan.js';
