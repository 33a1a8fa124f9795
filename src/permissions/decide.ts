import type { CallFacts } from './call-facts.js';
import type { CompiledRule, RuleMatch } from './compiled-rule.js';
import type { Decision, RuleEffect } from './rule.js';
import { isFree, isHarmlessTarget, isWithinLimits } from './shell/allow-limits.js';
import type { ShellCommand } from './shell/shell-command.js';

export interface Verdict {
  decision: Decision;
  /** The rule that decided, and what it met. */
  by?: { rule: CompiledRule; found: RuleMatch };
}

/** Deny beats ask beats allow, whatever the order of the rules; what none matches gets the default. */
export function decide(rules: readonly CompiledRule[], fallback: RuleEffect, facts: CallFacts): Verdict {
  return (
    strongest(rules, 'deny', facts) ??
    strongest(rules, 'ask', facts) ??
    allowed(rules, facts) ?? { decision: { effect: fallback, certainty: 'yes' } }
  );
}

/** A certain match of a rule is a better reason than a possible one. */
function strongest(rules: readonly CompiledRule[], effect: 'deny' | 'ask', facts: CallFacts): Verdict | undefined {
  let possible: Verdict | undefined;
  for (const rule of rules) {
    if (rule.rule.effect !== effect) continue;
    const found = rule.restricts(facts);
    if (found.match === 'no') continue;
    const verdict = { decision: decisionOf(rule, found), by: { rule, found } };
    if (found.match === 'yes') return verdict;
    possible ??= verdict;
  }
  return possible;
}

function allowed(rules: readonly CompiledRule[], facts: CallFacts): Verdict | undefined {
  const allowing = rules.filter(({ rule }) => rule.effect === 'allow');
  const rule = allowing.find((candidate) => candidate.allows(facts)) ?? allowingCommands(allowing, facts);
  if (rule === undefined) return undefined;
  const found: RuleMatch = { match: 'yes' };
  return { decision: decisionOf(rule, found), by: { rule, found } };
}

/** Every simple command needs a rule, and every file that a redirect writes; the first rule used is named. */
function allowingCommands(rules: readonly CompiledRule[], { shell }: CallFacts): CompiledRule | undefined {
  if (shell === undefined || shell.unreadable || shell.commands.length === 0) return undefined;
  let first: CompiledRule | undefined;
  for (const command of shell.commands) {
    if (!redirectsAllowed(rules, command)) return undefined;
    if (command.transparent && isWithinLimits({ ...command, words: [] })) continue;
    const rule = ruleFor(rules, command);
    if (rule === undefined && !(isFree(command) && isWithinLimits(command))) return undefined;
    first ??= rule;
  }
  return first ?? rules.find((rule) => rule.allowsCommand !== undefined);
}

function ruleFor(rules: readonly CompiledRule[], command: ShellCommand): CompiledRule | undefined {
  const matching = rules.filter((rule) => rule.allowsCommand?.(command) === true);
  if (isWithinLimits(command)) return matching[0];
  return matching.find(({ rule }) => isExact(rule.command) && command.assignments.length === 0);
}

function isExact(command: string | string[] | undefined): boolean {
  return command !== undefined && (typeof command !== 'string' || !command.includes('*'));
}

function redirectsAllowed(rules: readonly CompiledRule[], { redirects }: ShellCommand): boolean {
  return redirects.every(
    ({ kind, target }) =>
      kind === 'read' || isHarmlessTarget(target) || rules.some((rule) => rule.allowsWriting?.(target) === true),
  );
}

function decisionOf({ rule, text, source }: CompiledRule, found: RuleMatch): Decision {
  const reason = rule.reason === undefined ? {} : { reason: rule.reason };
  return {
    effect: rule.effect,
    rule: { text, source, ...reason },
    certainty: found.match === 'yes' ? 'yes' : 'could be',
  };
}
