import type { Backend } from '../permissions/enforcement.js';
import { type Policy, parsePolicy } from '../permissions/policy.js';
import { findPolicyFiles, withoutSame } from '../permissions/policy-files/find-policy-files.js';
import type { ToolHostOptions } from './types.js';

interface Surroundings {
  workspace: string | undefined;
  backend: Backend;
  tools: readonly string[];
}

/**
 * The policy of one host: what its options say, on top of the policy files that hold here.
 * @throws PolicyError for permissions that are not understood, in whichever layer
 */
export function loadPermissions(options: ToolHostOptions, { workspace, backend, tools }: Surroundings): Policy {
  const files = findPolicyFiles({ workspace });
  // What an administrator set is not an option.
  const layers = options.policyFiles === false ? files.filter(({ name }) => name === 'managed') : files;
  const policy = parsePolicy(options.permissions ?? [], {
    layers: withoutSame(layers, options.permissions),
    protectedPaths: options.protectedPaths ?? true,
    trustProject: options.trustProject ?? false,
    tools,
    backend,
    ...(workspace === undefined ? {} : { workspace }),
  });
  for (const warning of policy.warnings) process.emitWarning(warning, 'CaissonPolicyWarning');
  return policy;
}

/** Where sandboxed tools of this host run, as far as the options tell. */
export function backendOf({ sandbox, workspaceMode }: ToolHostOptions, workspace: string | undefined): Backend {
  const mode = workspaceMode ?? (workspace === undefined ? 'memory' : 'direct');
  if (sandbox === undefined) return { name: 'none', workspaceMode: mode };
  // `auto` may end in a container, which holds less: a command must not pass on the strength of the isolate's gates.
  if (typeof sandbox === 'string') return { name: sandbox === 'isolate' ? 'isolate' : 'docker', workspaceMode: mode };
  if (typeof sandbox !== 'object' || sandbox === null) return { name: 'none', workspaceMode: mode };
  // A pool holds isolates; whatever else takes rules says by its name and capabilities what it is.
  if ('acquire' in sandbox) return { name: 'isolate', workspaceMode: mode };
  if (!('enforce' in sandbox) || !('capabilities' in sandbox)) return { name: 'none', workspaceMode: mode };
  const { name, capabilities } = sandbox;
  const known = name === 'isolate' || name === 'docker' ? name : 'none';
  return { name: known, workspaceMode: capabilities.workspaceMode ?? mode };
}
