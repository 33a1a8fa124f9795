import type { CallFacts } from './call-facts.js';
import { type CompiledRule, showCommand } from './compiled-rule.js';
import { decide } from './decide.js';
import type { Match } from './match.js';
import type { Decision, RuleEffect } from './rule.js';

/** Why a call is allowed, asked about or denied. */
export interface Explanation {
  decision: RuleEffect;
  /** Absent when the default decided. */
  rule?: NonNullable<Decision['rule']>;
  reason?: string;
  /** The simple command or the path that the rule met. */
  part?: string;
  certainty: Decision['certainty'];
  /**
   * What holds the rule: `file gate`, the sandbox, whatever the command; `tool gate`, this check, which a call cannot
   * go around; `text only`, reading the command, which a program that is run can go around.
   */
  enforcement: 'file gate' | 'tool gate' | 'text only';
  /** Every simple command that was found in a shell command line. */
  commands: string[];
  /** The command line was not understood in full. */
  unreadable: boolean;
  considered: { rule: string; source: string; effect: RuleEffect; result: Match; why?: string }[];
}

/** Asks every rule, and tells what each said. */
export function explain(rules: readonly CompiledRule[], fallback: RuleEffect, facts: CallFacts): Explanation {
  const { decision, by } = decide(rules, fallback, facts);
  return {
    decision: decision.effect,
    ...(decision.rule === undefined ? {} : { rule: decision.rule }),
    ...(decision.rule?.reason === undefined ? {} : { reason: decision.rule.reason }),
    ...(by?.found.part === undefined ? {} : { part: by.found.part }),
    certainty: decision.certainty,
    enforcement: by?.rule.enforcement ?? 'tool gate',
    commands: facts.shell?.commands.map(showCommand) ?? [],
    unreadable: facts.shell?.unreadable ?? false,
    considered: rules.map((rule) => consider(rule, facts)),
  };
}

function consider(rule: CompiledRule, facts: CallFacts): Explanation['considered'][number] {
  const shown = { rule: rule.text, source: rule.source, effect: rule.rule.effect };
  if (rule.rule.effect !== 'allow') {
    const { match, why } = rule.restricts(facts);
    return { ...shown, result: match, ...(why === undefined ? {} : { why }) };
  }
  if (rule.allows(facts)) return { ...shown, result: 'yes' };
  const commands = facts.shell?.commands ?? [];
  const some = commands.some((command) => rule.allowsCommand?.(command) === true);
  return some ? { ...shown, result: 'could be', why: 'it allows a part of the command' } : { ...shown, result: 'no' };
}
