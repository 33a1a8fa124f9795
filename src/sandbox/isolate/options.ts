import { z } from 'zod';
import type { WorkspaceMode } from '../contract.js';
import { DEFAULT_LIMITS, HARD_LIFE_MS, IDLE_LIFE_MS, MAX_TIMEOUT_MS, type SandboxLimits } from '../limits.js';
import { EMPTY_PLAN, type EnforcementPlan } from '../plan.js';

export interface IsolateSandboxOptions {
  /** The directory the sandbox works on, seen inside as `/workspace`. */
  workspace?: string;
  /** Default `direct` with a `workspace`, `memory` without one. */
  workspaceMode?: WorkspaceMode;
  /** Added to every command's environment; commands see nothing of the host's. */
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
/** The longest delay a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const milliseconds = z.number().int().min(1);
const commandRule = z.strictObject({
  program: z.string().min(1),
  operands: z.array(z.string()),
  flags: z.array(z.string()),
  names: z.record(z.string(), z.string()),
  rule: z.string(),
  reason: z.string().optional(),
});
const pathRules = z.array(z.strictObject({ glob: z.string(), rule: z.string(), reason: z.string().optional() }));

const schema = z.strictObject({
  workspace: z.string().min(1).optional(),
  workspaceMode: z.enum(['direct', 'overlay', 'memory']).optional(),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Expected an environment variable name'),
      z.string().refine((value) => !value.includes('\0'), 'Expected no NUL'),
    )
    .optional(),
  limits: z
    .strictObject({
      timeoutMs: milliseconds.max(MAX_TIMEOUT_MS).optional(),
      memoryBytes: z.number().int().min(MIN_MEMORY_BYTES).optional(),
      maxProcesses: z.number().int().min(1).optional(),
      maxDiskBytes: z.number().int().min(1).optional(),
      maxDiskEntries: z.number().int().min(1).optional(),
      maxOutputBytes: z
        .number()
        .int()
        .min(1)
        .max(16 * MiB)
        .optional(),
    })
    .optional(),
  timeoutMs: milliseconds.max(MAX_TIMEOUT_MS).optional(),
  spareWorker: z.boolean().optional(),
  jitless: z.boolean().optional(),
  plan: z
    .strictObject({ denyRead: pathRules, denyWrite: pathRules, denyCommands: z.array(commandRule).optional() })
    .optional(),
  idleLifeMs: milliseconds.max(MAX_TIMER_MS).optional(),
  hardLifeMs: milliseconds.max(MAX_TIMER_MS).optional(),
});

/** @throws TypeError naming the option and what it must be */
export function readOptions(options: IsolateSandboxOptions): IsolateSettings {
  const parsed = schema.safeParse(options);
  if (!parsed.success) throw new TypeError(explain(parsed.error));
  const mode = options.workspaceMode ?? (options.workspace === undefined ? 'memory' : 'direct');
  if (mode !== 'memory' && options.workspace === undefined) {
    throw new TypeError(`createIsolateSandbox: workspaceMode '${mode}' needs a 'workspace' directory`);
  }
  if (mode === 'memory' && options.workspace !== undefined) {
    throw new TypeError(
      "createIsolateSandbox: workspaceMode 'memory' starts empty and takes no 'workspace'; use 'overlay' to work on a copy",
    );
  }
  return {
    workspace: options.workspace,
    mode,
    env: { ...options.env },
    limits: {
      ...DEFAULT_LIMITS,
      ...withoutUndefined(options.limits ?? {}),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    },
    spareWorker: options.spareWorker ?? false,
    jitless: options.jitless ?? false,
    plan: options.plan ?? EMPTY_PLAN,
    idleLifeMs: options.idleLifeMs ?? IDLE_LIFE_MS,
    hardLifeMs: options.hardLifeMs ?? HARD_LIFE_MS,
  };
}

function withoutUndefined(limits: SandboxLimits): SandboxLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function explain(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'createIsolateSandbox: the options are not valid';
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(schema.shape).join(', ');
    return `createIsolateSandbox: unknown option '${issue.keys.join("', '")}'. Known options: ${known}`;
  }
  return `createIsolateSandbox: option '${issue.path.join('.')}': ${issue.message}`;
}
