import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { NamedEntry } from '../../../sandbox/protocol/tree-operations.js';
import type { EnforcementPlan } from '../plan.js';
import { LocalTree } from './local-tree.js';

export interface Masks {
  mounts: Docker.MountConfig;
  /** Rules that name nothing yet: what comes later under such a name is kept from file calls, not from commands. */
  unmatched: string[];
  remove(): Promise<void>;
}

/** More mounts than that make every start slow; then the rules hold for file calls only. */
const MAX_MOUNTS = 200;

const NONE: Masks = { mounts: [], unmatched: [], remove: async () => {} };

/**
 * Mounts over a bound workspace that hold a plan's rules against commands: what may not be read is covered by something
 * that nobody can open, what may not be written is mounted over itself, read-only.
 */
export async function createMasks(root: string, plan: EnforcementPlan): Promise<Masks> {
  if (plan.denyRead.length === 0 && plan.denyWrite.length === 0) return NONE;
  const tree = await LocalTree.open(root);
  const { entries, unmatched } = await tree.named(plan).finally(() => tree.close());
  if (entries.length === 0) return { ...NONE, unmatched };
  const covers = await createCovers();
  return {
    mounts: entries.slice(0, MAX_MOUNTS).map((entry) => mask(root, entry, covers)),
    unmatched: [...unmatched, ...new Set(entries.slice(MAX_MOUNTS).map(({ rule }) => rule))],
    remove: () => rm(covers, { recursive: true, force: true }),
  };
}

function mask(root: string, { path, type, kind }: NamedEntry, covers: string): Docker.MountConfig[number] {
  const source = kind === 'denyWrite' ? join(root, path) : join(covers, type);
  return { Type: 'bind', Source: source, Target: `/workspace/${path}`, ReadOnly: true };
}

/** An empty file and an empty directory without any permission. Mounted read-only, so that their owner cannot give them some. */
async function createCovers(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'caisson-covers-'));
  await writeFile(join(directory, 'file'), '');
  await mkdir(join(directory, 'directory'));
  await chmod(join(directory, 'file'), 0);
  await chmod(join(directory, 'directory'), 0);
  return directory;
}
