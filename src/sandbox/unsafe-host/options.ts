import { z } from 'zod';
import type { WorkspaceMode } from '../contract.js';
import { HARD_LIFE_MS, type SandboxLimits } from '../limits.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../plan.js';
import {
  checkSessionOptions,
  outputLimitSchema,
  planSchema,
  readLimits,
  readWorkspaceMode,
  timeoutSchema,
  workspaceOptions,
} from '../session-options.js';

export interface UnsafeHostOptions {
  /** Must be said: nothing that runs here is kept from this machine. */
  iKnowThatNothingIsIsolated: true;
  /** The directory that commands find as `/workspace`. */
  workspace?: string;
  /** Default `direct` with a `workspace`, `memory` without one. */
  workspaceMode?: WorkspaceMode;
  /**
   * Added to every command's environment, which holds nothing else of this process's. A value of 6 characters or more
   * counts as a secret: it stands in no event, audit line or error of the host that uses this session.
   */
  env?: Record<string, string>;
  /** Only `timeoutMs` and `maxOutputBytes` can be held here; any other is refused. */
  limits?: Pick<SandboxLimits, 'timeoutMs' | 'maxOutputBytes'>;
  /** Held for file calls only: commands of this machine's own user read what they like. */
  plan?: EnforcementPlan;
}

export interface UnsafeHostSettings {
  workspace: string | undefined;
  mode: WorkspaceMode;
  env: Record<string, string>;
  limits: Required<SandboxLimits>;
  plan: EnforcementPlan;
  hardLifeMs: number;
}

const schema = z.strictObject({
  iKnowThatNothingIsIsolated: z.literal(true, 'must be true: commands run on this machine itself'),
  ...workspaceOptions,
  limits: z.strictObject({ timeoutMs: timeoutSchema, maxOutputBytes: outputLimitSchema }).optional(),
  plan: planSchema.optional(),
});

/** @throws TypeError naming the option and what it must be */
export function readOptions(options: UnsafeHostOptions): UnsafeHostSettings {
  checkSessionOptions('createUnsafeHostSandbox', schema, options);
  const mode = readWorkspaceMode('createUnsafeHostSandbox', options);
  return {
    workspace: options.workspace,
    mode,
    env: { ...options.env },
    limits: readLimits(options),
    plan: options.plan ?? EMPTY_PLAN,
    hardLifeMs: HARD_LIFE_MS,
  };
}
