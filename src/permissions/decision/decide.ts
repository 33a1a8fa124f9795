import type { CompiledRule } from '../rules/compiled-rule.js';
import type { Decision, Enforcement, RuleEffect } from '../rules/rule.js';
import type { AllowingRules } from './allowing-rules.js';
import type { CallFacts } from './call-facts.js';
import type { Finding } from './finding.js';
import type { Found, RestrictingOptions, RestrictingRules } from './restricting-rules.js';

/** A policy's rules, by effect. */
export interface RulesByEffect {
  deny: RestrictingRules;
  ask: RestrictingRules;
  allow: AllowingRules;
  default: RuleEffect;
}

export interface DecideOptions extends RestrictingOptions {
  /** By what a rule holds beside this check. */
  enforcementOf: (rule: CompiledRule) => Enforcement;
}

/**
 * Deny beats ask beats allow, whatever the order of the rules; what none matches gets the default. A deny rule whose
 * path may lie in a directory that a command goes through asks.
 */
export function decide(rules: RulesByEffect, facts: CallFacts, options: DecideOptions): Decision {
  const denied = rules.deny.find(facts, options);
  if (denied.strongest !== undefined) return decisionOf('deny', denied.strongest, options);
  const asked = rules.ask.find(facts, options);
  const question = asked.strongest ?? denied.below ?? asked.below;
  if (question !== undefined) return decisionOf('ask', question, options);
  const rule = rules.allow.find(facts);
  if (rule !== undefined) return decisionOf('allow', { rule, finding: { match: 'yes' } }, options);
  if (rules.allow.passesUnnamed(facts)) return { ...HARMLESS };
  return { effect: rules.default, certainty: 'yes' };
}

/** What needs no rule of its own beside those that allow commands by name. */
const HARMLESS: Decision = {
  effect: 'allow',
  rule: { text: 'harmless shell builtins', source: 'caisson' },
  certainty: 'yes',
  why: 'it does nothing outside the shell',
  enforcement: 'tool gate',
};

function decisionOf(effect: RuleEffect, { rule, finding }: Found, { enforcementOf }: DecideOptions): Decision {
  const {
    text,
    source,
    rule: { reason },
  } = rule;
  return {
    effect,
    rule: { text, source, ...(reason === undefined ? {} : { reason }) },
    certainty: finding.match === 'yes' ? 'yes' : 'could be',
    ...partOf(finding),
    enforcement: enforcementOf(rule),
  };
}

function partOf({ part, why }: Finding): Pick<Decision, 'part' | 'why'> {
  return { ...(part === undefined ? {} : { part }), ...(why === undefined ? {} : { why }) };
}
