import { resolve } from 'node:path';
import { EMPTY_PLAN, type EnforcementPlan, type PathRule } from '../sandbox/plan.js';
import { CallFacts, type PermissionCall } from './call-facts.js';
import { checkRules } from './check-rules.js';
import { type CompiledRule, compileRule } from './compiled-rule.js';
import { decide } from './decide.js';
import { checkExamples } from './examples.js';
import { type Explanation, explain } from './explain.js';
import { readPolicyFile } from './policy-file.js';
import { protectedPathRules } from './protected-paths.js';
import type { Decision, PermissionLists, PermissionRule, RuleEffect } from './rule.js';
import { SHELL_TOOL, writeTwin } from './tool-names.js';
import { couldMatch } from './wildcard.js';

export type { PermissionCall } from './call-facts.js';
export type { Explanation } from './explain.js';

/** Rules as a host takes them: rule objects, lists by effect, or a policy file's path. */
export type PolicyInput = readonly PermissionRule[] | PermissionLists | string;

export interface PolicyOptions {
  /** Shown as the place of a rule. Default `options`, or the file's path. */
  source?: string;
  /** The workspace's directory on the host, so that absolute host paths in rules and calls are understood. */
  workspace?: string;
  /** Default false: add the paths that are always protected from writes. */
  protectedPaths?: boolean;
}

/** Rules, ready to be asked. Asking is synchronous and has no effects. */
export interface Policy {
  readonly rules: readonly PermissionRule[];
  /** What happens to a call that no rule matches. */
  readonly default: RuleEffect;
  /** What the rules say of a call; the arguments are the parsed ones. */
  decide(call: PermissionCall): Decision;
  /** The same, with everything that was considered. */
  explain(call: PermissionCall): Explanation;
  /** What a sandbox enforces by mechanism. */
  plan(): EnforcementPlan;
  /** Whether every call of this tool is denied: then it is not listed to a model. */
  isWhollyDenied(toolName: string): boolean;
}

/**
 * Reads a policy. Without a `default` a call that no rule matches is allowed: the sandbox is the boundary.
 * @throws PolicyError for a file that cannot be read, or anything in the policy that is not understood
 */
export function parsePolicy(input: PolicyInput = [], options: PolicyOptions = {}): Policy {
  const fromFile = typeof input === 'string';
  const source = options.source ?? (fromFile ? input : 'options');
  const checked = checkRules(fromFile ? readPolicyFile(input) : input, source);
  const hostRoot = options.workspace?.replace(/\/+$/, '');
  const rules = checked.rules.map(({ rule, text, source: place }) =>
    compileRule(rule, { text, source: place, hostRoot }),
  );
  for (const rule of rules) checkExamples(rule, hostRoot);
  const guarded = options.protectedPaths === true ? protectedPathRules(policyFileInside(input, hostRoot)) : [];
  const all = [...rules, ...guarded.map((path) => protectedRule(path, hostRoot))];
  return new CompiledPolicy(all, { rules: checked.rules.map(({ rule }) => rule), default: checked.default, hostRoot });
}

/** What a policy says of one call. @throws PolicyError as `parsePolicy` does */
export function evaluatePermission(policy: Policy | PolicyInput, call: PermissionCall): Decision {
  return asPolicy(policy).decide(call);
}

/** Why a policy says what it says of one call. @throws PolicyError as `parsePolicy` does */
export function explainPermission(policy: Policy | PolicyInput, call: PermissionCall): Explanation {
  return asPolicy(policy).explain(call);
}

function asPolicy(policy: Policy | PolicyInput): Policy {
  return typeof policy === 'object' && 'decide' in policy ? policy : parsePolicy(policy);
}

function policyFileInside(input: PolicyInput, hostRoot: string | undefined): string | undefined {
  if (typeof input !== 'string' || hostRoot === undefined) return undefined;
  const path = resolve(input);
  return path.startsWith(`${hostRoot}/`) ? path.slice(hostRoot.length + 1) : undefined;
}

function protectedRule(path: PathRule, hostRoot: string | undefined): CompiledRule {
  const reason = path.reason === undefined ? {} : { reason: path.reason };
  const rule: PermissionRule = { effect: 'deny', tool: 'write_file', path: `/${path.glob}`, ...reason };
  const compiled = compileRule(rule, { text: path.rule, source: 'protectedPaths', hostRoot });
  return { ...compiled, paths: { denyRead: [], denyWrite: [path] } };
}

class CompiledPolicy implements Policy {
  readonly rules: readonly PermissionRule[];
  readonly default: RuleEffect;
  readonly #compiled: readonly CompiledRule[];
  readonly #hostRoot: string | undefined;

  constructor(
    compiled: readonly CompiledRule[],
    settings: { rules: readonly PermissionRule[]; default: RuleEffect; hostRoot: string | undefined },
  ) {
    this.#compiled = compiled;
    this.rules = settings.rules;
    this.default = settings.default;
    this.#hostRoot = settings.hostRoot;
  }

  decide(call: PermissionCall): Decision {
    return decide(this.#compiled, this.default, new CallFacts(call, this.#hostRoot)).decision;
  }

  explain(call: PermissionCall): Explanation {
    return explain(this.#compiled, this.default, new CallFacts(call, this.#hostRoot));
  }

  plan(): EnforcementPlan {
    const paths = this.#compiled.map((rule) => rule.paths);
    if (paths.every(({ denyRead, denyWrite }) => denyRead.length + denyWrite.length === 0)) return EMPTY_PLAN;
    return {
      denyRead: paths.flatMap(({ denyRead }) => denyRead),
      denyWrite: paths.flatMap(({ denyWrite }) => denyWrite),
    };
  }

  isWhollyDenied(toolName: string): boolean {
    const names = [toolName, writeTwin(toolName)].filter((name) => name !== undefined);
    return this.#compiled.some(({ rule: { effect, tool, command, path, args } }) => {
      if (effect !== 'deny' || path !== undefined || args !== undefined) return false;
      if (command !== undefined) return toolName === SHELL_TOOL && command === '*';
      return names.some((name) => couldMatch(tool, name));
    });
  }
}
