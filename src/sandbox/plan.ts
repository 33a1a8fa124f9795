export type { CommandRule, EnforcementPlan, PathRule } from '../../sandbox/protocol/plan.js';
export { EMPTY_PLAN, mergePlans } from '../../sandbox/protocol/plan.js';
