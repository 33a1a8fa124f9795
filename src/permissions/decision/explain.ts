import { shownPath } from '../paths/call-path.js';
import type { CompiledRule } from '../rules/compiled-rule.js';
import type { Decision, DecisionPart, Enforcement, RuleEffect } from '../rules/rule.js';
import { showWord } from '../text/marks.js';
import { AllowingRules } from './allowing-rules.js';
import type { CallFacts } from './call-facts.js';
import { type DecideOptions, decide, type RulesByEffect } from './decide.js';
import { type Finding, showCommand } from './finding.js';
import { RestrictingRules } from './restricting-rules.js';
import { whatInstead } from './what-instead.js';

/** Why a call is allowed, asked about or denied. Plain data. */
export interface Explanation {
  decision: RuleEffect;
  /** Absent when the default decided. */
  rule?: NonNullable<Decision['rule']>;
  reason?: string;
  /** The simple command or the path that the rule met, with its place in the command and what it was found in. */
  part?: DecisionPart;
  certainty: Decision['certainty'];
  why?: string;
  /** By what the rule holds: a mechanism that a command cannot go around, or `text only`. */
  enforcement: Enforcement;
  /** What to do instead, for a call that is not allowed. */
  instead?: string;
  /** Every simple command that was found in a shell command line. */
  commands: string[];
  /** Paths that the call reads and writes, as far as the text tells; `…` is not known. */
  reads: string[];
  writes: string[];
  /** What was not understood: anything could run. */
  unknown: string[];
  considered: { rule: string; source: string; effect: RuleEffect; result: Finding['match']; why?: string }[];
}

/** Asks every rule, and tells what each said. */
export function explain(
  rules: RulesByEffect & { all: readonly CompiledRule[] },
  facts: CallFacts,
  options: DecideOptions,
): Explanation {
  const decision = decide(rules, facts, options);
  const instead = whatInstead(decision, facts.toolName);
  const { unreadable } = facts.shell ?? {};
  return {
    decision: decision.effect,
    ...(decision.rule === undefined ? {} : { rule: decision.rule }),
    ...(decision.rule?.reason === undefined ? {} : { reason: decision.rule.reason }),
    ...(decision.part === undefined ? {} : { part: decision.part }),
    certainty: decision.certainty,
    ...(decision.why === undefined ? {} : { why: decision.why }),
    enforcement: decision.enforcement ?? 'tool gate',
    ...(instead === undefined ? {} : { instead }),
    commands: facts.shell?.commands.map(showCommand) ?? [],
    reads: pathsOf(facts, 'read'),
    writes: pathsOf(facts, 'write'),
    unknown: unreadable === undefined ? [] : [unreadable],
    considered: rules.all.map((rule) => consider(rule, facts, options)),
  };
}

function pathsOf({ touches }: CallFacts, access: 'read' | 'write'): string[] {
  const paths = touches
    .filter((touch) => touch.access === access && !touch.perhaps)
    .flatMap(({ readings }) => readings.map(({ path }) => showWord(shownPath(path))));
  return [...new Set(paths)];
}

function consider(rule: CompiledRule, facts: CallFacts, options: DecideOptions): Explanation['considered'][number] {
  const shown = { rule: rule.text, source: rule.source, effect: rule.rule.effect };
  if (rule.rule.effect !== 'allow') {
    const { strongest, below } = new RestrictingRules([rule]).find(facts, options);
    const { match = 'no', why } = (strongest ?? below)?.finding ?? {};
    return { ...shown, result: match, ...(why === undefined ? {} : { why }) };
  }
  const allowing = new AllowingRules([rule]);
  if (allowing.find(facts) !== undefined) return { ...shown, result: 'yes' };
  const some = facts.shell !== undefined && allowing.allowsPart(facts.shell);
  return some ? { ...shown, result: 'could be', why: 'it allows a part of the command' } : { ...shown, result: 'no' };
}
