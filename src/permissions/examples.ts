import { CallFacts } from './call-facts.js';
import type { CompiledRule } from './compiled-rule.js';
import { decide } from './decide.js';
import { PolicyError } from './policy-error.js';
import { SHELL_TOOL } from './tool-names.js';

/**
 * Tries a rule on the examples its author gave.
 * @throws PolicyError when it does not do what they say
 */
export function checkExamples(rule: CompiledRule, hostRoot: string | undefined): void {
  const { match = [], notMatch = [], tool } = rule.rule;
  for (const [examples, wanted] of [
    [match, true],
    [notMatch, false],
  ] as const) {
    for (const example of examples) {
      if (matchesExample(rule, example, hostRoot) === wanted) continue;
      const problem = wanted
        ? `does not match its example '${example}'`
        : `matches '${example}', which its 'notMatch' excludes`;
      throw new PolicyError(`Cannot use the rule ${rule.text} of ${rule.source}: it ${problem} (as a call of ${tool})`);
    }
  }
}

function matchesExample(rule: CompiledRule, example: string, hostRoot: string | undefined): boolean {
  const { tool, effect } = rule.rule;
  const args = tool === SHELL_TOOL ? { command: example } : { path: example };
  const facts = new CallFacts({ toolName: tool, args }, hostRoot);
  const other = effect === 'allow' ? 'deny' : 'allow';
  return decide([rule], other, facts).by !== undefined;
}
