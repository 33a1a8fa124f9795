import type { PathRules } from '../../files/rules/path-rules.js';
import type { NamedPath } from '../../protocol/name-guard.js';
import type { PathRule } from '../../protocol/plan.js';

/** A name that nobody has: what a rule says of it, it says of everything there. */
export const ANYTHING = '\u0001caisson';

/** The rule that names all that is in a directory. */
export function ruleBelow(rules: PathRules, kind: NamedPath['kind'], path: string): PathRule | undefined {
  const rule = rules.find(kind, `${path}/${ANYTHING}`);
  return rule !== undefined && rules.find(kind, `${path}/${ANYTHING}/${ANYTHING}`) !== undefined ? rule : undefined;
}
