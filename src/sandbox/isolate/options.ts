import { z } from 'zod';
import type { WorkspaceMode } from '../contract.js';
import { HARD_LIFE_MS, IDLE_LIFE_MS, type SandboxLimits } from '../limits.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../plan.js';
import {
  checkSessionOptions,
  lifeOptions,
  limitsSchema,
  planSchema,
  readLimits,
  readWorkspaceMode,
  timeoutSchema,
  workspaceOptions,
} from '../session-options.js';

export interface IsolateSandboxOptions {
  /** The directory the sandbox works on, seen inside as `/workspace`. */
  workspace?: string;
  /** Default `direct` with a `workspace`, `memory` without one. */
  workspaceMode?: WorkspaceMode;
  /**
   * Added to every command's environment; commands see nothing of the host's. A value of 6 characters or more counts as a
   * secret: it stands in no event, audit line or error of the host that uses this session, nor does its base64 or
   * URL-encoded form. What a command prints is its own output and stays as it is.
   */
  env?: Record<string, string>;
  /** Default `DEFAULT_LIMITS`; `memoryBytes` at least 192 MiB. */
  limits?: SandboxLimits;
  /** Milliseconds a command may take when its call names none. Default 120,000, at most 600,000. */
  timeoutMs?: number;
  /** Keep a second worker ready, so that the call after a kill answers at once. Costs its memory. Default false. */
  spareWorker?: boolean;
  /**
   * Run guest code without V8's just-in-time compilers: a whole class of engine bugs is out of its reach, and busy
   * loops are two to three times slower. Default false.
   */
  jitless?: boolean;
  /** Path rules held by the file gate from the start; `enforce()` adds more. */
  plan?: EnforcementPlan;
  /** Unused for so long, the workers end; the next call starts new ones and finds every file. Default 1 hour. */
  idleLifeMs?: number;
  /** After so long the session ends whatever happens (`sandbox_expired`). Default 24 hours. */
  hardLifeMs?: number;
}

export interface IsolateSettings {
  workspace: string | undefined;
  mode: WorkspaceMode;
  env: Record<string, string>;
  limits: Required<SandboxLimits>;
  spareWorker: boolean;
  jitless: boolean;
  plan: EnforcementPlan;
  idleLifeMs: number;
  hardLifeMs: number;
}

const MiB = 1024 * 1024;
/** Node, V8 and the interpreter take about a third of this before any guest code runs. */
const MIN_MEMORY_BYTES = 192 * MiB;
const schema = z.strictObject({
  ...workspaceOptions,
  limits: limitsSchema({ memoryBytes: MIN_MEMORY_BYTES, maxProcesses: 1, maxDiskBytes: 1, maxDiskEntries: 1 }),
  timeoutMs: timeoutSchema,
  spareWorker: z.boolean().optional(),
  jitless: z.boolean().optional(),
  plan: planSchema.optional(),
  ...lifeOptions,
});

/**
 * @param where the function that takes the options, and `more` that it takes beside them
 * @throws TypeError naming the option and what it must be
 */
export function readOptions(
  options: IsolateSandboxOptions,
  { where = 'createIsolateSandbox', more = [] }: { where?: string; more?: readonly string[] } = {},
): IsolateSettings {
  checkSessionOptions(where, schema, options, more);
  const mode = readWorkspaceMode(where, options);
  return {
    workspace: options.workspace,
    mode,
    env: { ...options.env },
    limits: readLimits(options),
    spareWorker: options.spareWorker ?? false,
    jitless: options.jitless ?? false,
    plan: options.plan ?? EMPTY_PLAN,
    idleLifeMs: options.idleLifeMs ?? IDLE_LIFE_MS,
    hardLifeMs: options.hardLifeMs ?? HARD_LIFE_MS,
  };
}
