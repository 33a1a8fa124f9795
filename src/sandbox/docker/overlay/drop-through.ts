import { posix } from 'node:path';
import type { TreeEntry } from '../../../../sandbox/protocol/tree-operations.js';
import { SandboxError } from '../../errors.js';
import { EMPTY_PLAN } from '../../plan.js';
import type { AgentTree } from '../agent/agent-tree.js';

/** How deep directories that hide what is closed in them may lie in each other. */
const MAX_ROUNDS = 100;

/**
 * Removes entries of the sandbox's own tree, also from directories that a command closed to their owner.
 * @throws SandboxError `access_denied` for what belongs to somebody else
 */
export async function dropThrough(tree: AgentTree, paths: readonly string[]): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    try {
      return await tree.drop(paths);
    } catch (error) {
      if (!(error instanceof SandboxError) || error.code !== 'access_denied') throw error;
      if (!(await openAround(tree, paths))) throw error;
    }
  }
}

/**
 * Opens directories that cannot be listed, as far as they are the owner's.
 * @returns whether there was one: then more can be seen
 */
export async function openUnlisted(tree: AgentTree, entries: readonly TreeEntry[]): Promise<boolean> {
  let opened = false;
  for (const entry of entries) {
    if (entry.type !== 'directory' || (entry.mode & 0o500) === 0o500) continue;
    await tree.unpack([{ ...entry, mode: entry.mode | 0o700 }], new Map()).then(
      () => {
        opened = true;
      },
      () => {},
    );
  }
  return opened;
}

/** Directories above paths that the origin closes to their owner: opened for what is made in them, they are closed again. */
export function closedAround<E extends TreeEntry>(paths: readonly string[], origin: ReadonlyMap<string, E>): E[] {
  const above = new Set(paths.flatMap(parentsOf));
  return [...above]
    .toSorted()
    .flatMap((path) => origin.get(path) ?? [])
    .filter(({ type, mode }) => type === 'directory' && (mode & 0o700) !== 0o700);
}

/** @returns whether there was anything to open */
async function openAround(tree: AgentTree, paths: readonly string[]): Promise<boolean> {
  const dropped = new Set(paths);
  const above = new Set(paths.flatMap(parentsOf));
  const { entries } = await tree.scan(EMPTY_PLAN, false);
  const closed = entries.filter(
    ({ path, type, mode }) =>
      type === 'directory' &&
      (mode & 0o700) !== 0o700 &&
      (above.has(path) || [path, ...parentsOf(path)].some((one) => dropped.has(one))),
  );
  for (const entry of closed) await tree.unpack([{ ...entry, mode: entry.mode | 0o700 }], new Map());
  return closed.length > 0;
}

function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) parents.push(at);
  return parents;
}
