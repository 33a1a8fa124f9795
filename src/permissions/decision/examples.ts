import type { HostPlace } from '../paths/call-path.js';
import type { CompiledRule } from '../rules/compiled-rule.js';
import { PolicyError } from '../rules/policy-error.js';
import { isFileTool, SHELL_TOOL } from '../rules/tool-names.js';
import { AllowingRules } from './allowing-rules.js';
import { CallFacts } from './call-facts.js';
import { RestrictingRules } from './restricting-rules.js';

interface ExamplePlace {
  hostRoot: string | undefined;
  host: HostPlace | undefined;
}

/**
 * Tries a rule on the examples its author gave: commands for `shell`, paths for file tools, URLs for the rest.
 * @throws PolicyError when it does not do what they say
 */
export function checkExamples(rule: CompiledRule, where: ExamplePlace): void {
  const { match = [], notMatch = [], tool } = rule.rule;
  for (const [examples, wanted] of [
    [match, true],
    [notMatch, false],
  ] as const) {
    for (const example of examples) {
      if (matchesExample(rule, example, where) === wanted) continue;
      const problem = wanted
        ? `does not match its example '${example}'`
        : `matches '${example}', which its 'notMatch' excludes`;
      throw new PolicyError(`Cannot use the rule ${rule.text} of ${rule.source}: it ${problem} (as a call of ${tool})`);
    }
  }
}

function matchesExample(rule: CompiledRule, example: string, where: ExamplePlace): boolean {
  const { tool, effect } = rule.rule;
  const facts = new CallFacts({ toolName: tool, args: argsOf(tool, example) }, where);
  if (effect === 'allow') return new AllowingRules([rule]).find(facts) !== undefined;
  return new RestrictingRules([rule]).find(facts, { enforces: () => false }).strongest !== undefined;
}

function argsOf(tool: string, example: string): object {
  if (tool === SHELL_TOOL) return { command: example };
  return isFileTool(tool) ? { path: example } : { url: example };
}
