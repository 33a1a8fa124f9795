import { type CallContext, type Policy, type PolicyInput, type PolicyOptions, parsePolicy } from './policy.js';
import { PolicyError } from './policy-error.js';
import type { PermissionLists, RuleEffect } from './rule.js';

/** One line of a case file. */
export interface PolicyCase {
  id?: string;
  /** Rules for this case alone; absent: those of the policy. */
  rules?: PermissionLists;
  call: { tool: string; args?: unknown };
  ctx?: CallContext;
  expect: RuleEffect;
  why?: string;
}

export interface CaseFailure {
  name: string;
  expected: RuleEffect;
  decided: RuleEffect;
  by?: string;
  why?: string;
}

/**
 * Reads a case file: a JSON array, or one JSON object a line.
 * @throws PolicyError naming the line that is not understood
 */
export function readCases(text: string): PolicyCase[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('['))
    return (parseJson(trimmed, 'the case file') as unknown[]).map((one, index) => checkCase(one, `case ${index + 1}`));
  return trimmed
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [checkCase(parseJson(line, `line ${index + 1}`), `line ${index + 1}`)],
    );
}

/** Decides every case; a case's own rules have `ask` as their default, as the shape says. */
export function runCases(cases: readonly PolicyCase[], input: PolicyInput, options: PolicyOptions = {}): CaseFailure[] {
  const tools = [...new Set([...(options.tools ?? []), ...cases.map(({ call }) => call.tool)])];
  let shared: Policy | undefined;
  return cases.flatMap((one, index) => {
    shared ??= one.rules === undefined ? parsePolicy(input, { ...options, tools }) : undefined;
    const policy = one.rules === undefined ? shared : parsePolicy({ default: 'ask', ...one.rules });
    const decision = policy?.decide({ toolName: one.call.tool, args: one.call.args ?? {} }, one.ctx);
    if (decision === undefined || decision.effect === one.expect) return [];
    const failure: CaseFailure = {
      name: one.id ?? `case ${index + 1}`,
      expected: one.expect,
      decided: decision.effect,
    };
    return [
      {
        ...failure,
        ...(decision.rule === undefined ? {} : { by: `${decision.rule.text} of ${decision.rule.source}` }),
        ...(one.why === undefined ? {} : { why: one.why }),
      },
    ];
  });
}

function checkCase(value: unknown, place: string): PolicyCase {
  const one = value as Partial<PolicyCase> | null;
  if (
    typeof one !== 'object' ||
    one === null ||
    typeof one.call?.tool !== 'string' ||
    !['deny', 'ask', 'allow'].includes(String(one.expect))
  )
    throw new PolicyError(
      `Cannot read ${place}: a case is { "call": { "tool", "args" }, "expect": "deny" | "ask" | "allow" }`,
    );
  return one as PolicyCase;
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PolicyError(`Cannot read ${place}: it is not JSON`, { cause: error });
  }
}
