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
  args?: Record<string, unknown>;
  domain?: string;
  /** Shown to the model and to people. */
  reason?: string;
  match?: string[];
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

/** What the rules said of one call, and which rule said it. */
export interface Decision {
  effect: RuleEffect;
  /** Absent when no rule matched and the default decided. */
  rule?: { text: string; source: string; reason?: string };
  /** Whether the rule certainly applies, or could not be ruled out (which counts for deny and ask). */
  certainty: 'yes' | 'could be';
}
