import { lstatSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PolicyError } from '../rules/policy-error.js';
import type { Layer } from './policy-layers.js';

/** The project layer's file, in the workspace. */
export const PROJECT_POLICY = 'caisson.policy.json';
/** A name that people give it for its comments, under which it is not read. */
const MISNAMED_POLICY = 'caisson.policy.jsonc';

export interface PolicyPlaces {
  /** The workspace's directory on the host. */
  workspace?: string | undefined;
  /** Default: where the machine's administrator keeps it. */
  managed?: string;
  /** Default: in the person's configuration directory. */
  user?: string;
}

/**
 * The policy files that hold for a host, those that exist: of the machine, of the person and of the project.
 * @throws PolicyError for one that is no regular file, for a managed one that others than root may write, and for a
 * project's that is called `.jsonc`: its rules would not hold, and nobody would know
 */
export function findPolicyFiles({ workspace, managed = managedPolicy(), user = userPolicy() }: PolicyPlaces): Layer[] {
  if (workspace !== undefined && statOf(join(workspace, MISNAMED_POLICY)) !== undefined) {
    throw new PolicyError(
      `Cannot take '${MISNAMED_POLICY}' for a policy: call it '${PROJECT_POLICY}', which may hold comments`,
    );
  }
  const places: Layer[] = [
    { name: 'managed', input: managed },
    { name: 'user', input: user },
    ...(workspace === undefined ? [] : [{ name: 'project' as const, input: join(workspace, PROJECT_POLICY) }]),
  ];
  return places.filter(isThere);
}

/** Leaves out a file that is given a second time, by name. */
export function withoutSame(layers: readonly Layer[], path: unknown): Layer[] {
  return layers.filter(
    ({ input }) => typeof path !== 'string' || typeof input !== 'string' || resolve(path) !== resolve(input),
  );
}

export function managedPolicy(): string {
  return process.platform === 'darwin'
    ? '/Library/Application Support/caisson/policy.json'
    : '/etc/caisson/policy.json';
}

export function userPolicy(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'caisson', 'policy.json');
}

function isThere({ name, input }: Layer): boolean {
  const path = String(input);
  const found = statOf(path);
  if (found === undefined) return false;
  // A link or a pipe in a checkout would be read with the rights of whoever runs the host.
  if (!found.isFile()) throw new PolicyError(`Cannot read the policy '${path}': it is not a regular file`);
  if (name === 'managed' && (found.uid !== 0 || (found.mode & 0o022) !== 0)) {
    throw new PolicyError(
      `Cannot trust the managed policy '${path}': it must be owned by root and writable by root only`,
    );
  }
  return true;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new PolicyError(`Cannot read the policy '${path}': ${code ?? 'unknown error'}`, { cause: error });
  }
}
