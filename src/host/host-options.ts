import { resolve } from 'node:path';
import { anything, either, filledText, flag, func, object, oneOf, positive, whole } from '../checks/kinds.js';
import { nearestOf } from '../checks/nearest.js';
import { checkOptions, shapeOf } from '../checks/options.js';
import { show } from '../checks/show.js';
import { PERMISSION_MODES } from '../permissions/modes.js';
import type { PermissionMode } from '../permissions/rules/rule.js';
import type { HostHooks, ToolHostOptions } from './types.js';

const HOOKS = shapeOf<HostHooks>({ preCall: func, postCall: func });

/** `anything`: what is checked below, or by the part that takes it. */
const OPTIONS = shapeOf<ToolHostOptions>({
  sandbox: anything,
  workspace: { test: filledText.test, words: 'the path of a directory' },
  workspaceMode: oneOf(['direct', 'overlay', 'memory']),
  tools: anything,
  permissions: anything,
  permissionMode: anything,
  protectedPaths: flag,
  policyFiles: flag,
  trustProject: flag,
  strictSecrets: flag,
  approvalTtlMs: positive(),
  approve: func,
  hooks: object,
  toolConcurrency: either(whole(1), oneOf(['unbounded'])),
  context: anything,
  onEvent: func,
});

/**
 * Checks what only a look at the options tells; parts check their own.
 * @throws TypeError naming the option, what it must be, and the nearest valid name of one that does not exist
 */
export function checkHostOptions(options: ToolHostOptions): void {
  checkOptions('createToolHost', options, OPTIONS);
  checkOptions('createToolHost', options.hooks, HOOKS, 'hooks.');
  checkMode(options.permissionMode);
  checkWorkspace(options);
  checkStrictSecrets(options);
}

/** How many calls of one batch run at once. */
export function readConcurrency(value: ToolHostOptions['toolConcurrency']): number {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
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

function checkMode(mode: ToolHostOptions['permissionMode']): void {
  if (mode === undefined || typeof mode === 'function' || PERMISSION_MODES.includes(mode)) return;
  const nearest = typeof mode === 'string' ? nearestOf(mode, PERMISSION_MODES) : undefined;
  const hint = nearest === undefined ? `one of ${PERMISSION_MODES.join(', ')}` : `a mode; did you mean '${nearest}'?`;
  throw new TypeError(`createToolHost: 'permissionMode' is ${show(mode)} and must be ${hint}`);
}

function checkStrictSecrets({ strictSecrets, workspace, sandbox }: ToolHostOptions): void {
  if (strictSecrets !== true || workspace !== undefined || typeof sandbox !== 'object') return;
  throw new TypeError(
    "createToolHost: 'strictSecrets' looks through the 'workspace': name the directory that the sandbox you made works on",
  );
}

function checkWorkspace({ workspace, workspaceMode, sandbox }: ToolHostOptions): void {
  if (workspaceMode === undefined) return;
  if (sandbox === undefined) {
    throw new TypeError("createToolHost: 'workspaceMode' needs a 'sandbox' that works on it, for example 'isolate'");
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
