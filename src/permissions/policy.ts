import { resolve } from 'node:path';
import { EMPTY_PLAN, type EnforcementPlan, type PathRule } from '../sandbox/plan.js';
import { AllowingRules } from './decision/allowing-rules.js';
import { CallFacts, type PermissionCall } from './decision/call-facts.js';
import { type DecideOptions, decide, type RulesByEffect } from './decision/decide.js';
import { checkExamples } from './decision/examples.js';
import { type Explanation, explain } from './decision/explain.js';
import { explainFailedCheck, failedCheck } from './decision/failed-check.js';
import { RestrictingRules } from './decision/restricting-rules.js';
import { type Backend, enforcementOf } from './enforcement.js';
import type { HostPlace } from './paths/call-path.js';
import { hostPlace } from './paths/host-place.js';
import { type Links, readLinks } from './paths/links.js';
import { type Layer, readLayers } from './policy-files/policy-layers.js';
import { protectedPathRules } from './protected-paths.js';
import { checkPolicy } from './rules/check-policy.js';
import { checkRules } from './rules/check-rules.js';
import { type CompiledRule, compileRule, coversWholeTool, NO_PLAN } from './rules/compiled-rule.js';
import type { Decision, PermissionLists, PermissionRule, RuleEffect } from './rules/rule.js';
import { canonicalToolName, writeTwin } from './rules/tool-names.js';
import { couldMatch } from './text/wildcard.js';

export type { PermissionCall } from './decision/call-facts.js';
export type { Explanation } from './decision/explain.js';

const PROTECTED = 'protectedPaths';

/** Rules as a host takes them: rule objects, lists by effect, or a policy file's path. */
export type PolicyInput = readonly PermissionRule[] | PermissionLists | string;

export interface PolicyOptions {
  /** Shown as the place of a rule. Default `options`, or the layer and path of a file. */
  source?: string;
  /** The workspace's directory on the host, so that absolute host paths in rules and calls are understood. */
  workspace?: string;
  /** Default false: add the paths that are always protected from writes. */
  protectedPaths?: boolean;
  /** Rules below those of the input: what files of the machine, the person and the project say. */
  layers?: readonly Layer[];
  /** Default false: `allow` rules and the default of a policy file inside the workspace do not count. */
  trustProject?: boolean;
  /** Every tool that rules may name; a rule that names another is an error. Default: any name may be meant. */
  tools?: readonly string[];
  /** Where calls run, which decides what a rule is enforced by. Default: nowhere that holds rules by itself. */
  backend?: Partial<Backend>;
}

/** What is known of one call beside its arguments. */
export interface CallContext {
  /**
   * Whether the sandbox keeps closed what path rules deny, whatever the command: then a command that only could touch
   * such a path is not refused. Default: what the policy's backend does.
   */
  pathEnforced?: boolean;
  /** Symbolic links in the workspace, name to target. */
  links?: Readonly<Record<string, string>>;
  /** Where this call runs. Default: the policy's. */
  backend?: Partial<Backend>;
  /** Path rules, as they were written, that the sandbox of this call does not hold although its kind does. */
  unenforced?: readonly string[];
  /** Whose allow rules of `allowInSession` count. Default: those that were kept without one. */
  sessionId?: string;
}

/** Rules, ready to be asked. Asking is synchronous and has no effects. */
export interface Policy {
  readonly rules: readonly PermissionRule[];
  /** What happens to a call that no rule matches. */
  readonly default: RuleEffect;
  /** What is odd about the rules, for people: nothing that keeps them from holding. */
  readonly warnings: readonly string[];
  /** What the rules say of a call; the arguments are the parsed ones. @throws TypeError for a call without `toolName` */
  decide(call: PermissionCall, context?: CallContext): Decision;
  /** The same, with everything that was considered. */
  explain(call: PermissionCall, context?: CallContext): Explanation;
  /** What a sandbox enforces by mechanism. */
  plan(): EnforcementPlan;
  /** Whether every call of this tool is denied: then it is not listed to a model. */
  isWhollyDenied(toolName: string): boolean;
  /** Each rule with how a backend holds it. */
  describe(backend?: Partial<Backend>): RuleDescription[];
  /**
   * Adds allow rules for the rest of the session: for calls of the same `sessionId`, or of none. They never lift a deny
   * or an ask rule; a path in one stands for itself, not for what is in it.
   * @throws PolicyError for a rule that is not understood
   */
  allowInSession(rules: readonly string[], sessionId?: string): void;
}

export interface RuleDescription {
  text: string;
  source: string;
  effect: RuleEffect;
  reason?: string;
  enforcement: ReturnType<typeof enforcementOf>;
}

/**
 * Reads a policy. Without a `default` a call that no rule matches is allowed: the sandbox is the boundary.
 * @throws PolicyError for a file that cannot be read, or anything in the policy that is not understood
 */
export function parsePolicy(input: PolicyInput = [], options: PolicyOptions = {}): Policy {
  const hostRoot = options.workspace === undefined ? undefined : resolve(options.workspace).replace(/\/+$/, '');
  const backend: Backend = { name: 'none', workspaceMode: 'direct', ...options.backend };
  const host = backend.name === 'none' ? hostPlace(hostRoot) : undefined;
  const layers = readLayers(input, { ...options, hostRoot });
  const compiled = layers.rules.map(({ rule, text, source }, order) =>
    compileRule(rule, { text, source, order, hostRoot, host }),
  );
  for (const rule of compiled) checkExamples(rule, { hostRoot, host });
  const warnings = [...layers.warnings, ...checkPolicy(compiled, { tools: options.tools, hostRoot })];
  const guarded = options.protectedPaths === true ? protectedPathRules(layers.filesInside) : [];
  const all = [...compiled, ...guarded.map((path, index) => protectedRule(path, compiled.length + index, hostRoot))];
  return new CompiledPolicy(all, {
    rules: layers.rules.map(({ rule }) => rule),
    default: layers.default,
    warnings,
    hostRoot,
    host,
    backend,
  });
}

/** What a policy says of one call. @throws PolicyError as `parsePolicy` does, TypeError for a call without `toolName` */
export function evaluatePermission(
  policy: Policy | PolicyInput,
  call: PermissionCall,
  context?: CallContext,
): Decision {
  return asPolicy(policy).decide(call, context);
}

/**
 * Why a policy says what it says of one call.
 * @throws PolicyError as `parsePolicy` does, TypeError for a call without `toolName`
 */
export function explainPermission(
  policy: Policy | PolicyInput,
  call: PermissionCall,
  context?: CallContext,
): Explanation {
  return asPolicy(policy).explain(call, context);
}

function asPolicy(policy: Policy | PolicyInput): Policy {
  return typeof policy === 'object' && 'decide' in policy ? policy : parsePolicy(policy);
}

function protectedRule(path: PathRule, order: number, hostRoot: string | undefined): CompiledRule {
  const reason = path.reason === undefined ? {} : { reason: path.reason };
  const rule: PermissionRule = { effect: 'deny', tool: 'write_file', path: `/${path.glob}`, ...reason };
  const compiled = compileRule(rule, { text: path.rule, source: PROTECTED, order, hostRoot });
  return { ...compiled, plan: { ...NO_PLAN, denyWrite: [path] } };
}

interface PolicySettings {
  rules: readonly PermissionRule[];
  default: RuleEffect;
  warnings: readonly string[];
  hostRoot: string | undefined;
  /** Where calls run on the host, unless one says that it does not. */
  host: HostPlace | undefined;
  backend: Backend;
}

/** What the answers of one session allow, and all rules that count there. */
interface SessionRules {
  kept: readonly CompiledRule[];
  byEffect: RulesByEffect;
}

class CompiledPolicy implements Policy {
  readonly warnings: readonly string[];
  readonly default: RuleEffect;
  readonly #settings: PolicySettings;
  readonly #compiled: readonly CompiledRule[];
  /** With those of all sessions. */
  #all: readonly CompiledRule[];
  #session: readonly PermissionRule[] = [];
  readonly #byEffect: RulesByEffect;
  readonly #ofSession = new Map<string | undefined, SessionRules>();
  #links: { from: CallContext['links']; host: HostPlace | undefined; read: Links } | undefined;

  constructor(compiled: readonly CompiledRule[], settings: PolicySettings) {
    this.#settings = settings;
    this.#compiled = compiled;
    this.#all = compiled;
    this.warnings = settings.warnings;
    this.default = settings.default;
    this.#byEffect = this.#split(compiled);
  }

  get rules(): readonly PermissionRule[] {
    return [...this.#settings.rules, ...this.#session];
  }

  decide(call: PermissionCall, context: CallContext = {}): Decision {
    const facts = this.#facts(call, context);
    try {
      return decide(this.#rulesFor(context), facts, this.#options(context));
    } catch {
      return failedCheck();
    }
  }

  explain(call: PermissionCall, context: CallContext = {}): Explanation {
    const facts = this.#facts(call, context);
    try {
      return explain({ ...this.#rulesFor(context), all: this.#allFor(context) }, facts, this.#options(context));
    } catch {
      return explainFailedCheck(facts.toolName);
    }
  }

  plan(): EnforcementPlan {
    const plans = this.#all.map(({ plan }) => plan);
    const denyCommands = plans.flatMap((plan) => plan.denyCommands);
    const plan = {
      denyRead: plans.flatMap(({ denyRead }) => denyRead),
      denyWrite: plans.flatMap(({ denyWrite }) => denyWrite),
    };
    if (plan.denyRead.length + plan.denyWrite.length + denyCommands.length === 0) return EMPTY_PLAN;
    return denyCommands.length === 0 ? plan : { ...plan, denyCommands };
  }

  isWhollyDenied(toolName: string): boolean {
    const canonical = canonicalToolName(toolName);
    const names = [canonical, writeTwin(canonical)].filter((name) => name !== undefined);
    return this.#all.some(
      (rule) =>
        rule.rule.effect === 'deny' && coversWholeTool(rule) && names.some((name) => couldMatch(rule.rule.tool, name)),
    );
  }

  describe(backend: Partial<Backend> = {}): RuleDescription[] {
    const where = { ...this.#settings.backend, ...backend };
    return this.#all.map((rule) => ({
      text: rule.text,
      source: rule.source,
      effect: rule.rule.effect,
      ...(rule.rule.reason === undefined ? {} : { reason: rule.rule.reason }),
      enforcement: enforcementOf(rule, where),
    }));
  }

  allowInSession(rules: readonly string[], sessionId?: string): void {
    const checked = checkRules({ allow: rules }, 'session:approvals');
    const { hostRoot, host } = this.#settings;
    const added = checked.rules.map(({ rule, text, source }, index) =>
      compileRule(rule, { text, source, order: this.#all.length + index, hostRoot, host, asWritten: true }),
    );
    this.#all = [...this.#all, ...added];
    this.#session = [...this.#session, ...checked.rules.map(({ rule }) => rule)];
    const kept = [...(this.#ofSession.get(sessionId)?.kept ?? []), ...added];
    this.#ofSession.set(sessionId, { kept, byEffect: this.#split([...this.#compiled, ...kept]) });
  }

  #rulesFor({ sessionId }: CallContext): RulesByEffect {
    return this.#ofSession.get(sessionId)?.byEffect ?? this.#byEffect;
  }

  #allFor({ sessionId }: CallContext): readonly CompiledRule[] {
    return [...this.#compiled, ...(this.#ofSession.get(sessionId)?.kept ?? [])];
  }

  #split(rules: readonly CompiledRule[]): RulesByEffect {
    const of = (effect: RuleEffect) => rules.filter(({ rule }) => rule.effect === effect);
    return {
      deny: new RestrictingRules(of('deny')),
      ask: new RestrictingRules(of('ask')),
      allow: new AllowingRules(of('allow')),
      default: this.default,
    };
  }

  #facts(call: PermissionCall, { links, backend }: CallContext): CallFacts {
    const { hostRoot, host: usual } = this.#settings;
    const host = (backend?.name ?? 'none') === 'none' ? usual : undefined;
    if (links === undefined) return new CallFacts(call, { hostRoot, host });
    if (this.#links?.from !== links || this.#links.host !== host)
      this.#links = { from: links, host, read: readLinks(links, host?.root) };
    return new CallFacts(call, { hostRoot, host, links: this.#links.read });
  }

  #options({ pathEnforced, backend, unenforced }: CallContext): DecideOptions {
    const where = backend === undefined ? this.#settings.backend : { ...this.#settings.backend, ...backend };
    const open = unenforced === undefined ? undefined : new Set(unenforced);
    const holds = (rule: CompiledRule, existing: boolean): boolean => {
      const row = enforcementOf(rule, where, open);
      return row.holds || (existing && row.holdsExisting === true);
    };
    return {
      // They are there without being asked for: where nothing holds them, only a path that is named is refused.
      enforces: (rule, existing = false) => rule.source === PROTECTED || (pathEnforced ?? holds(rule, existing)),
      enforcementOf: (rule) => enforcementOf(rule, where, open).by,
    };
  }
}
