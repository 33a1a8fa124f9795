import { z } from 'zod';
import type { WorkspaceMode } from '../contract.js';
import { DEFAULT_LIMITS, HARD_LIFE_MS, MAX_TIMEOUT_MS, type SandboxLimits } from '../limits.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../plan.js';

export interface UnsafeHostOptions {
  /** Must be said: nothing that runs here is kept from this machine. */
  iKnowThatNothingIsIsolated: true;
  /** The directory that commands find as `/workspace`. */
  workspace?: string;
  /** Default `direct` with a `workspace`, `memory` without one. */
  workspaceMode?: WorkspaceMode;
  /** Added to every command's environment, which holds nothing else of this process's. */
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
  workspace: z.string().min(1).optional(),
  workspaceMode: z.enum(['direct', 'overlay', 'memory']).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
  limits: z
    .strictObject({
      timeoutMs: z.number().int().min(1).max(MAX_TIMEOUT_MS).optional(),
      maxOutputBytes: z
        .number()
        .int()
        .min(1)
        .max(16 * 1024 * 1024)
        .optional(),
    })
    .optional(),
  plan: z.object({ denyRead: z.array(z.unknown()), denyWrite: z.array(z.unknown()) }).optional(),
});

/** @throws TypeError naming the option and what it must be */
export function readOptions(options: UnsafeHostOptions): UnsafeHostSettings {
  const parsed = schema.safeParse(options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new TypeError(
      `createUnsafeHostSandbox: option '${issue?.path.join('.') ?? ''}': ${issue?.message ?? 'not valid'}`,
    );
  }
  const mode = options.workspaceMode ?? (options.workspace === undefined ? 'memory' : 'direct');
  if ((mode === 'memory') !== (options.workspace === undefined)) {
    throw new TypeError(
      mode === 'memory'
        ? "createUnsafeHostSandbox: workspaceMode 'memory' takes no 'workspace'"
        : `createUnsafeHostSandbox: workspaceMode '${mode}' needs a 'workspace' directory`,
    );
  }
  return {
    workspace: options.workspace,
    mode,
    env: { ...options.env },
    limits: {
      ...DEFAULT_LIMITS,
      ...(options.limits?.timeoutMs === undefined ? {} : { timeoutMs: options.limits.timeoutMs }),
      ...(options.limits?.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.limits.maxOutputBytes }),
    },
    plan: options.plan ?? EMPTY_PLAN,
    hardLifeMs: HARD_LIFE_MS,
  };
}
