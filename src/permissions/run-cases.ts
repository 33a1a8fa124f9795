import { type CallContext, type Policy, type PolicyInput, type PolicyOptions, parsePolicy } from './policy.js';
import { PolicyError } from './rules/policy-error.js';
import type { PermissionLists, RuleEffect } from './rules/rule.js';

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
    const name = one.id ?? `case ${index + 1}`;
    const policy = one.rules === undefined ? shared : ownPolicy(one.rules, name);
    const decision = policy?.decide({ toolName: one.call.tool, args: one.call.args ?? {} }, one.ctx);
    if (decision === undefined || decision.effect === one.expect) return [];
    const failure: CaseFailure = {
      name,
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

/** @throws PolicyError naming the case */
function ownPolicy(rules: PermissionLists, name: string): Policy {
  try {
    return parsePolicy({ default: 'ask', ...rules });
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new PolicyError(`Cannot use the rules of ${name}: ${error.message}`, { cause: error });
  }
}

/** `class` and `ref` are for people. */
const KEYS = ['id', 'rules', 'call', 'ctx', 'expect', 'why', 'class', 'ref'];

/** A case that says less than it seems to would pass, or fail, for another reason than its own. */
function checkCase(value: unknown, place: string): PolicyCase {
  const problem = caseProblem(value);
  if (problem !== undefined) throw new PolicyError(`Cannot read ${place}: ${problem}`);
  return value as PolicyCase;
}

function caseProblem(value: unknown): string | undefined {
  const shape = 'a case is { "call": { "tool", "args" }, "expect": "deny" | "ask" | "allow" }';
  if (!isObject(value)) return shape;
  const { id, rules, call, ctx, expect, why } = value;
  if (!isObject(call) || typeof call.tool !== 'string' || call.tool === '') return shape;
  if (typeof expect !== 'string' || !['deny', 'ask', 'allow'].includes(expect)) return shape;
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return `unknown key '${unknown}'. Known keys: ${KEYS.join(', ')}`;
  const more = Object.keys(call).find((key) => !['tool', 'args'].includes(key));
  if (more !== undefined) return `unknown key '${more}' in 'call'. Known keys: tool, args`;
  if (call.args !== undefined && !isObject(call.args)) return "'args' must be an object";
  if (rules !== undefined && !isObject(rules)) return "'rules' must be an object with deny, ask or allow lists";
  if (ctx !== undefined && !isObject(ctx)) return "'ctx' must be an object";
  if ([id, why].some((text) => text !== undefined && typeof text !== 'string')) return "'id' and 'why' must be texts";
  return isObject(ctx) ? contextProblem(ctx) : undefined;
}

function contextProblem({ pathEnforced, links }: Record<string, unknown>): string | undefined {
  if (pathEnforced !== undefined && typeof pathEnforced !== 'boolean')
    return "'ctx.pathEnforced' must be true or false";
  const named = links === undefined || (isObject(links) && Object.values(links).every((to) => typeof to === 'string'));
  return named ? undefined : "'ctx.links' must be an object of names and what they lead to";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PolicyError(`Cannot read ${place}: it is not JSON`, { cause: error });
  }
}
