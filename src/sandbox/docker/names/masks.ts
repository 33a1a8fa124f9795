import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { NamedPath } from '../../../../sandbox/protocol/name-guard.js';
import { SandboxUnavailableError } from '../../errors.js';
import type { EnforcementPlan } from '../../plan.js';
import { createPrivateDirectory, type PrivateDirectory } from '../../private-directory.js';
import { NameGuard } from './name-guard.js';

export interface Masks {
  mounts: Docker.MountConfig;
  /** Paths that are covered or mounted read-only. */
  held: number;
  /** Nothing at all may be written in the workspace. */
  readOnlyRoot: boolean;
  /** Write rules that hold for file calls and commands that name the path, not for every command. */
  unenforced: string[];
  /** Says whether what is covered is still all that the rules name. Absent without rules. */
  guard?: NameGuard;
  remove(): Promise<void>;
}

/** Each costs about 0.4 ms of every start. */
const MAX_MOUNTS = 1_000;

/**
 * Mounts over a bound workspace that hold a plan's rules against commands: what may not be read is covered by something
 * that nobody can open, what may not be written is mounted over itself, read-only.
 * @throws SandboxUnavailableError `unsupported` when more must be hidden than can be
 */
export async function createMasks(root: string, plan: EnforcementPlan): Promise<Masks> {
  if (plan.denyRead.length === 0 && plan.denyWrite.length === 0) {
    return { mounts: [], held: 0, readOnlyRoot: false, unenforced: [], remove: async () => {} };
  }
  const guard = await NameGuard.open(root, plan);
  try {
    requireNames(guard);
    const { held, left } = choose(guard.closesRoot ? guard.named.filter(isNoPlace) : guard.named);
    guard.hold(irreplaceable(held, guard.closesRoot));
    const covers = held.some(({ kind }) => kind === 'denyRead') ? createCovers() : undefined;
    const writeRules = new Set(plan.denyWrite.map(({ rule }) => rule));
    return {
      mounts: held.map((named) => mount(root, named, covers?.path)),
      held: held.filter(isNoPlace).length,
      readOnlyRoot: guard.closesRoot,
      unenforced: guard.closesRoot
        ? []
        : [...new Set([...left.map(({ rule }) => rule), ...guard.unmatched.filter((rule) => writeRules.has(rule))])],
      guard,
      remove: async () => {
        guard.close();
        covers?.remove();
      },
    };
  } catch (error) {
    guard.close();
    throw error;
  }
}

function requireNames({ unnamed: [first] }: NameGuard): void {
  if (first === undefined) return;
  throw new SandboxUnavailableError(
    `Cannot start the sandbox: the name '${first}' is not valid UTF-8, so what the rules hide there cannot be covered. Rename it, or use workspaceMode 'overlay'`,
    { code: 'unsupported' },
  );
}

/** What lies in a directory that is covered as a whole needs no cover of its own. */
function choose(named: readonly NamedPath[]): { held: NamedPath[]; left: NamedPath[] } {
  const closed = named.filter((one) => one.kind === 'denyRead' && one.type === 'directory' && isNoPlace(one));
  const open = named.filter(({ path }) => !closed.some((directory) => path.startsWith(`${directory.path}/`)));
  const reads = open.filter(({ kind }) => kind === 'denyRead');
  const [tooMany] = reads.slice(MAX_MOUNTS);
  if (tooMany !== undefined) {
    throw new SandboxUnavailableError(
      `Cannot start the sandbox: rules such as '${tooMany.rule}' hide ${reads.length} paths, and ${MAX_MOUNTS} can be hidden. Deny whole directories ('name/**'), or use workspaceMode 'overlay'`,
      { code: 'unsupported' },
    );
  }
  const all = open.filter(({ kind }) => kind === 'denyWrite');
  const writes = [...all.filter(isNoPlace), ...all.filter((one) => !isNoPlace(one))];
  const room = MAX_MOUNTS - reads.length;
  return { held: [...reads, ...writes.slice(0, room)], left: writes.slice(room) };
}

function isNoPlace({ reach }: NamedPath): boolean {
  return reach !== 'place';
}

/** What is mounted, and so is every directory on the way to it: the kernel moves, removes and replaces no mount point. */
function irreplaceable(held: readonly NamedPath[], closesRoot: boolean): Set<string> {
  const mounted = new Set(held.map(({ path }) => path));
  const isFixed = (path: string): boolean => {
    const slash = path.lastIndexOf('/');
    return mounted.has(path) && (slash === -1 || isFixed(path.slice(0, slash)));
  };
  return closesRoot ? mounted : new Set([...mounted].filter(isFixed));
}

function mount(root: string, { path, type, kind, reach }: NamedPath, covers = ''): Docker.MountConfig[number] {
  const source = kind === 'denyWrite' || reach === 'place' ? join(root, path) : join(covers, type);
  // What is mounted over itself cannot be removed, renamed or replaced; in an entry or a place can still be written.
  return { Type: 'bind', Source: source, Target: `/workspace/${path}`, ReadOnly: reach === 'whole' };
}

/** An empty file and an empty directory without any permission. Mounted read-only, so that their owner cannot give them some. */
function createCovers(): PrivateDirectory {
  const covers = createPrivateDirectory({ kind: 'covers' });
  const file = join(covers.path, 'file');
  const directory = join(covers.path, 'directory');
  writeFileSync(file, '');
  mkdirSync(directory);
  chmodSync(file, 0);
  chmodSync(directory, 0);
  return covers;
}
