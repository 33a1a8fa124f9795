import { z } from 'zod';
import { schemaProblem } from '../checks/schema-problem.js';
import type { WorkspaceMode } from './contract.js';
import { SandboxError } from './errors.js';
import { DEFAULT_LIMITS, MAX_TIMEOUT_MS, type SandboxLimits } from './limits.js';

const MiB = 1024 * 1024;
/** The longest that Node's timers can wait. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

const milliseconds = z.number().int().min(1);
const rule = { rule: z.string(), reason: z.string().optional() };
const pathRules = z.array(z.strictObject({ glob: z.string(), ...rule, sparesInstalled: z.boolean().optional() }));
const commandRule = z.strictObject({
  program: z.string().min(1),
  operands: z.array(z.string()),
  flags: z.array(z.string()),
  names: z.record(z.string(), z.string()),
  form: z.enum(['one dash', 'bundled']).optional(),
  ...rule,
});

export const planSchema = z.strictObject({
  denyRead: pathRules,
  denyWrite: pathRules,
  denyCommands: z.array(commandRule).optional(),
});

export const timeoutSchema = milliseconds.max(MAX_TIMEOUT_MS).optional();
export const outputLimitSchema = z
  .number()
  .int()
  .min(1)
  .max(16 * MiB)
  .optional();

/** The options of every backend, in the order in which an error lists them. */
export const workspaceOptions = {
  workspace: z.string().min(1).optional(),
  workspaceMode: z.enum(['direct', 'overlay', 'memory']).optional(),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Expected an environment variable name'),
      z.string().refine((value) => !value.includes('\0'), 'Expected no NUL'),
    )
    .optional(),
};

export const lifeOptions = {
  idleLifeMs: milliseconds.max(MAX_TIMER_MS).optional(),
  hardLifeMs: milliseconds.max(MAX_TIMER_MS).optional(),
};

/** The least of each limit that a backend can work with. */
export function limitsSchema(least: Record<Exclude<keyof SandboxLimits, 'timeoutMs' | 'maxOutputBytes'>, number>) {
  const atLeast = (minimum: number) => z.number().int().min(minimum).optional();
  return z
    .strictObject({
      timeoutMs: timeoutSchema,
      memoryBytes: atLeast(least.memoryBytes),
      maxProcesses: atLeast(least.maxProcesses),
      maxDiskBytes: atLeast(least.maxDiskBytes),
      maxDiskEntries: atLeast(least.maxDiskEntries),
      maxOutputBytes: outputLimitSchema,
    })
    .optional();
}

/** @throws TypeError naming the function, the option and what it must be */
export function checkSessionOptions(
  where: string,
  schema: z.ZodType,
  options: unknown,
  more: readonly string[] = [],
): void {
  const parsed = schema.safeParse(options);
  if (!parsed.success)
    throw new TypeError(`${where}: ${schemaProblem(schema, options, { error: parsed.error, more })}`);
}

/** @throws SandboxError `invalid_input` for what is not a plan: rules that were skipped would be rules that do not hold */
export function checkPlan(plan: unknown): void {
  const parsed = planSchema.safeParse(plan);
  if (!parsed.success)
    throw new SandboxError(
      'invalid_input',
      `enforce(): ${schemaProblem(planSchema, plan, { error: parsed.error, what: 'the plan' })}`,
    );
}

/** @throws TypeError where mode and directory do not go together */
export function readWorkspaceMode(
  where: string,
  { workspace, workspaceMode }: { workspace?: string; workspaceMode?: WorkspaceMode },
): WorkspaceMode {
  const mode = workspaceMode ?? (workspace === undefined ? 'memory' : 'direct');
  if (mode !== 'memory' && workspace === undefined) {
    throw new TypeError(`${where}: workspaceMode '${mode}' needs a 'workspace' directory`);
  }
  if (mode === 'memory' && workspace !== undefined) {
    throw new TypeError(
      `${where}: workspaceMode 'memory' starts empty and takes no 'workspace'; use 'overlay' to work on a copy`,
    );
  }
  return mode;
}

/** Every limit: what was given, else the default. `timeoutMs` stands for the one in `limits`. */
export function readLimits({ limits = {}, timeoutMs }: { limits?: SandboxLimits; timeoutMs?: number }) {
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  const read: Required<SandboxLimits> = { ...DEFAULT_LIMITS, ...given };
  if (timeoutMs !== undefined) read.timeoutMs = timeoutMs;
  return read;
}
