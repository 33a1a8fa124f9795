import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Backend } from '../../permissions/enforcement.js';
import { type Policy, type PolicyInput, type PolicyOptions, parsePolicy } from '../../permissions/policy.js';
import { findPolicyFiles, withoutSame } from '../../permissions/policy-files/find-policy-files.js';
import type { PermissionLists } from '../../permissions/rules/rule.js';
import { UsageError } from '../usage-error.js';

export interface PolicySourceOptions {
  workspace: string;
  policy?: string;
  deny: string[];
  ask: string[];
  allow: string[];
  trustProject?: boolean;
  backend: Backend['name'];
  workspaceMode: Backend['workspaceMode'];
}

/** Adds the options that say which policy is meant, and where its calls would run. */
export function addPolicyOptions(command: Command): Command {
  return command
    .option('-w, --workspace <dir>', 'the directory whose caisson.policy.json holds', '.')
    .option('-p, --policy <file>', 'a policy file, on top of those that hold here')
    .option('--deny <rule>', 'one more deny rule (repeatable)', collect, [])
    .option('--ask <rule>', 'one more ask rule (repeatable)', collect, [])
    .option('--allow <rule>', 'one more allow rule (repeatable)', collect, [])
    .option('--trust-project', 'count the allow rules of the workspace as well')
    .addOption(
      new Option('--backend <name>', 'where calls would run').choices(['isolate', 'docker', 'none']).default('isolate'),
    )
    .addOption(new Option('--workspace-mode <mode>', 'how').choices(['direct', 'overlay', 'memory']).default('direct'));
}

/** The policy that the options describe. @throws PolicyError */
export function loadPolicy(options: PolicySourceOptions): Policy {
  const { input, settings } = policyParts(options);
  return parsePolicy(input, settings);
}

/** The parts of it, for whoever adds to them. */
export function policyParts(options: PolicySourceOptions): { input: PolicyInput; settings: PolicyOptions } {
  const { deny, ask, allow, policy, trustProject = false } = options;
  const workspace = readWorkspace(options.workspace);
  const lists: PermissionLists = { deny, ask, allow };
  const given = deny.length + ask.length + allow.length > 0;
  const files = withoutSame(findPolicyFiles({ workspace }), policy);
  return {
    input: policy !== undefined && !given ? policy : lists,
    settings: {
      workspace,
      trustProject,
      protectedPaths: true,
      backend: { name: options.backend, workspaceMode: options.workspaceMode },
      layers: policy !== undefined && given ? [...files, { name: 'session', input: policy }] : files,
    },
  };
}

/** A directory that is not there has no policy, and everything would seem allowed. */
function readWorkspace(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`The workspace '${path}' is no directory`);
  return resolve(path);
}

function collect(rule: string, rules: string[]): string[] {
  return [...rules, rule];
}
