import type { NamedPath } from '../../../../sandbox/protocol/name-guard.js';
import { SandboxCrashedError } from '../../errors.js';
import type { PathRule } from '../../plan.js';

/** Knows whether an agent's world still keeps closed what the rules name. */
export interface PathGuard {
  /** For what denied names led to through links at first, by the names of where it lies. */
  readonly linked: readonly PathRule[];
  /** What is open to commands now although a rule names it. @throws when that cannot be told */
  check(): Promise<readonly NamedPath[]>;
  /** Called once, when what must not be read came open while the world was in use; `guard`: nobody watches any more. */
  onBroken(listener: (broken: NamedPath | 'guard') => void): void;
  /** Called with each path that must not be written and that a command may have made or replaced. */
  onAppeared(listener: (named: NamedPath) => void): void;
}

/** Why a new world is made, or has to be. */
export function whyOpen(open: NamedPath | 'guard'): string {
  if (open === 'guard') return 'what watches the workspace for denied files has ended';
  if (open.reach === 'place')
    return `'${open.path}' was moved or replaced after the sandbox started, and the rule '${open.rule}' needs it where it was`;
  return `'${open.path}' was made or replaced after the sandbox started, and the rule '${open.rule}' denies it`;
}

export function maskLost(why: string, whatNow: string): SandboxCrashedError {
  return new SandboxCrashedError(`Cannot run commands in this sandbox: ${why}. ${whatNow}`, 'mask_lost');
}
