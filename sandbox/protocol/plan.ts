import type { FlagForm } from './present-flags.js';

/**
 * What a policy asks a sandbox to enforce by mechanism, whatever the command. Permissions compile rules into this;
 * each backend turns it into its own means (the isolate's file gate, a container's masks).
 */
export interface EnforcementPlan {
  /** Paths whose content and names' content no guest or tool may read, copy, link or move. */
  readonly denyRead: readonly PathRule[];
  /** Paths that nothing in the sandbox may create, change, move or delete. */
  readonly denyWrite: readonly PathRule[];
  /** Commands that a shell of our own does not start, asked with their final words. Others leave these to the reader of the command line. */
  readonly denyCommands?: readonly CommandRule[];
}

/** One command of the plan: a program, words that must come in this order, and flags that must all be there. */
export interface CommandRule {
  readonly program: string;
  readonly operands: readonly string[];
  /** In the one spelling that `names` gives. */
  readonly flags: readonly string[];
  /** Other spellings of the program's flags: `--recursive` is `r`. */
  readonly names: Readonly<Record<string, string>>;
  readonly form?: FlagForm | undefined;
  readonly rule: string;
  readonly reason?: string;
}

/** One path pattern of the plan. */
export interface PathRule {
  /**
   * A glob relative to the workspace root, `/`-separated, no leading slash, `**` for any depth
   * (`**\/.env`, `.git/hooks/**`). Compared without regard to case and after NFC normalisation,
   * with the path as given and with the path after links are resolved.
   */
  readonly glob: string;
  /** The rule it came from, as people wrote it; for messages. */
  readonly rule: string;
  readonly reason?: string;
  /** What it names in `node_modules` goes when a directory there is removed as a whole: it is nobody's configuration. */
  readonly sparesInstalled?: boolean;
}

export const EMPTY_PLAN: EnforcementPlan = { denyRead: [], denyWrite: [] };

/** Two plans as one: rules are only ever added. */
export function mergePlans(first: EnforcementPlan, second: EnforcementPlan): EnforcementPlan {
  const denyCommands = [...(first.denyCommands ?? []), ...(second.denyCommands ?? [])];
  return {
    denyRead: [...first.denyRead, ...second.denyRead],
    denyWrite: [...first.denyWrite, ...second.denyWrite],
    ...(denyCommands.length === 0 ? {} : { denyCommands }),
  };
}
