/** What a rule does to a call it matches. Whatever their order, deny beats ask beats allow. */
export type RuleEffect = 'deny' | 'ask' | 'allow';

/** One permission rule as an object; `shell(git push:*)` is the same rule as a string. */
export interface PermissionRule {
  effect: RuleEffect;
  /** A tool's name, or `*`. */
  tool: string;
  /** `shell` only: words; a trailing `:*` or ` *` matches any arguments after them. Deny and ask without a star are prefixes, allow without one is exact. */
  command?: string | string[];
  /** File tools only: gitignore-like; `/x` is relative to the workspace, `//x` absolute, a bare name matches at any depth. */
  path?: string | string[];
  /** Other tools, deny and ask only: by argument, a value, a text with `*`, or a list of which one must match. */
  args?: Record<string, unknown>;
  /** Tools that take a `url`: a host name, `*.example.com` for those below it as well. */
  domain?: string;
  /** Shown to the model and to people. */
  reason?: string;
  /** Commands, paths or URLs that the rule must match; checked when the policy is loaded. */
  match?: string[];
  /** Those that it must not. */
  notMatch?: string[];
}

/** Lists by effect, in which strings and objects mix. */
export interface PermissionLists {
  deny?: readonly (string | Omit<PermissionRule, 'effect'>)[];
  ask?: readonly (string | Omit<PermissionRule, 'effect'>)[];
  allow?: readonly (string | Omit<PermissionRule, 'effect'>)[];
  /** What happens to a call no rule matches. Default `allow`: the sandbox is the boundary. */
  default?: RuleEffect;
}

export type PermissionMode = 'default' | 'plan' | 'acceptEdits' | 'dontAsk';

/**
 * By what a rule holds. `text only`: by reading the command, which a program that is run can go around; the others are
 * mechanisms, which hold whatever the command.
 */
export type Enforcement =
  | 'tool gate'
  | 'file gate'
  | 'argv gate'
  | 'overlay'
  | 'mask'
  | 'read-only mount'
  | 'copied without it'
  | 'no network'
  | 'text only';

/** The part of a call that a rule met. */
export interface DecisionPart {
  text: string;
  /** Where it stands in the command, `[from, to)`. */
  span?: readonly [from: number, to: number];
  /** The wrappers it was found in, outermost first. */
  via?: readonly string[];
}

/** What the rules said of one call, and which rule said it. */
export interface Decision {
  effect: RuleEffect;
  /** Absent when no rule matched and the default decided. */
  rule?: { text: string; source: string; reason?: string };
  /** Whether the rule certainly applies, or could not be ruled out (which counts for deny and ask). */
  certainty: 'yes' | 'could be';
  /** What in the call the rule met. */
  part?: DecisionPart;
  /** Why, where the rule alone does not say it. */
  why?: string;
  /** By what the rule holds beside this check. */
  enforcement?: Enforcement;
}
