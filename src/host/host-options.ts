import { resolve } from 'node:path';
import { PERMISSION_MODES } from '../permissions/modes.js';
import type { PermissionMode } from '../permissions/rule.js';
import { nearestOf } from '../tool/nearest.js';
import type { ToolHostOptions } from './types.js';

const OPTIONS = [
  'sandbox',
  'workspace',
  'workspaceMode',
  'tools',
  'permissions',
  'permissionMode',
  'protectedPaths',
  'policyFiles',
  'trustProject',
  'strictSecrets',
  'approvalTtlMs',
  'approve',
  'hooks',
  'toolConcurrency',
  'context',
  'onEvent',
] as const satisfies readonly (keyof ToolHostOptions)[];

const HOOKS = ['preCall', 'postCall'];
const WORKSPACE_MODES = ['direct', 'overlay', 'memory'];

/**
 * Checks what only a look at the options tells; parts check their own.
 * @throws TypeError naming the option, what it must be, and the nearest valid name of one that does not exist
 */
export function checkHostOptions(options: ToolHostOptions): void {
  if (typeof options !== 'object' || options === null) throw new TypeError('createToolHost takes an options object');
  refuseUnknown(options, OPTIONS, 'option');
  for (const name of ['approve', 'onEvent'] as const) requireFunction(options[name], name);
  checkHooks(options.hooks);
  checkMode(options.permissionMode);
  checkWorkspace(options);
  for (const name of ['protectedPaths', 'policyFiles', 'trustProject', 'strictSecrets'] as const) {
    if (options[name] === undefined || typeof options[name] === 'boolean') continue;
    throw new TypeError(`createToolHost: '${name}' must be true or false, not ${show(options[name])}`);
  }
  const { approvalTtlMs } = options;
  if (approvalTtlMs !== undefined && !(Number.isFinite(approvalTtlMs) && approvalTtlMs > 0)) {
    throw new TypeError(`createToolHost: 'approvalTtlMs' must be a positive number, not ${show(approvalTtlMs)}`);
  }
}

/** How many calls of one batch run at once. @throws TypeError */
export function readConcurrency(value: unknown): number {
  if (value === undefined || value === 'unbounded') return Number.POSITIVE_INFINITY;
  if (Number.isInteger(value) && (value as number) > 0) return value as number;
  throw new TypeError("'toolConcurrency' must be a positive integer or 'unbounded'");
}

/** The mode, read at every call: a function may change its answer. An answer that is no mode is refused. */
export function readMode(option: ToolHostOptions['permissionMode']): () => PermissionMode {
  if (typeof option !== 'function') return () => option ?? 'default';
  return () => {
    const mode = option();
    if (PERMISSION_MODES.includes(mode)) return mode;
    throw new TypeError(`The 'permissionMode' function must answer ${PERMISSION_MODES.join(', ')}, not ${show(mode)}`);
  };
}

/** The workspace's absolute path on the host. */
export function workspacePath({ workspace }: ToolHostOptions): string | undefined {
  return workspace === undefined ? undefined : resolve(workspace);
}

function checkHooks(hooks: ToolHostOptions['hooks']): void {
  if (hooks === undefined) return;
  if (typeof hooks !== 'object' || hooks === null) throw new TypeError("createToolHost: 'hooks' must be an object");
  refuseUnknown(hooks, HOOKS, 'hook');
  requireFunction(hooks.preCall, 'hooks.preCall');
  requireFunction(hooks.postCall, 'hooks.postCall');
}

function checkMode(mode: ToolHostOptions['permissionMode']): void {
  if (mode === undefined || typeof mode === 'function' || PERMISSION_MODES.includes(mode)) return;
  const nearest = typeof mode === 'string' ? nearestOf(mode, PERMISSION_MODES) : undefined;
  const hint = nearest === undefined ? `one of ${PERMISSION_MODES.join(', ')}` : `a mode; did you mean '${nearest}'?`;
  throw new TypeError(`createToolHost: 'permissionMode' is ${show(mode)} and must be ${hint}`);
}

function checkWorkspace({ workspace, workspaceMode, sandbox }: ToolHostOptions): void {
  if (workspace !== undefined && (typeof workspace !== 'string' || workspace === '')) {
    throw new TypeError(`createToolHost: 'workspace' must be the path of a directory, not ${show(workspace)}`);
  }
  if (workspaceMode === undefined) return;
  if (!WORKSPACE_MODES.includes(workspaceMode)) {
    throw new TypeError(
      `createToolHost: 'workspaceMode' must be one of ${WORKSPACE_MODES.join(', ')}, not ${show(workspaceMode)}`,
    );
  }
  if (typeof sandbox === 'object') {
    throw new TypeError(
      "createToolHost: 'workspaceMode' is for the named sandboxes; give it to the sandbox that you made",
    );
  }
  if (workspaceMode === 'memory' && workspace !== undefined) {
    throw new TypeError(
      "createToolHost: workspaceMode 'memory' starts empty and takes no 'workspace'; use 'overlay' to work on a copy",
    );
  }
  if (workspaceMode !== 'memory' && workspace === undefined) {
    throw new TypeError(`createToolHost: workspaceMode '${workspaceMode}' needs a 'workspace' directory`);
  }
}

function refuseUnknown(value: object, known: readonly string[], what: string): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const nearest = nearestOf(name, known);
    const hint = nearest === undefined ? `known ${what}s are ${known.join(', ')}` : `did you mean '${nearest}'?`;
    throw new TypeError(`createToolHost: unknown ${what} '${name}'; ${hint}`);
  }
}

function requireFunction(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== 'function')
    throw new TypeError(`createToolHost: '${name}' must be a function`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
