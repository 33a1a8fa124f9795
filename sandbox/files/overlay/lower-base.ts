import { createHash } from 'node:crypto';
import type { DirectTree } from '../direct/direct-tree.js';
import { errnoOf } from '../refusal.js';
import { joinDir, type Spot, spotOf } from '../tree.js';
import { contentOf } from './file-content.js';
import { baseOf } from './overlay-marks.js';

/**
 * The state of an entry of the lower layer, to be compared later: for a directory that is to be hidden, of everything
 * in it. `null`: nothing is there.
 */
export function lowerBase(lower: DirectTree, at: Spot): string | null {
  const stat = lower.lstat(at);
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) return baseOf(stat, lower.readlink(at));
  return stat.isDirectory() ? directoryBase(lower, joinDir(at.dir, at.name)) : baseOf(stat, undefined);
}

/** Larger files are told apart by their state alone: reading them would cost more than what is done to them. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

/** `lowerBase` with a file's content besides, so that one that is only touched later is not taken for another. */
export function baseWithContent(lower: DirectTree, at: Spot): string | null {
  const base = lowerBase(lower, at);
  const hash = base?.startsWith('file:') === true ? contentHash(lower, at) : undefined;
  return hash === undefined ? base : `${base}:${hash}`;
}

/** Whether what was recorded of a place by `baseWithContent` still is what the lower layer has there. */
export function isSameBase(recorded: string | null, lower: DirectTree, at: Spot): boolean {
  const now = lowerBase(lower, at);
  if (recorded === now) return true;
  if (recorded === null || now === null || !now.startsWith('file:') || !recorded.startsWith('file:')) return false;
  if (recorded.startsWith(`${now}:`)) return true;
  const [, size, , , hash] = recorded.split(':');
  return hash !== undefined && size === now.split(':')[1] && hash === contentHash(lower, at);
}

function contentHash(lower: DirectTree, at: Spot): string | undefined {
  try {
    const bytes = contentOf(lower, at, MAX_HASHED_BYTES);
    return bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex');
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return undefined;
    throw error;
  }
}

function directoryBase(lower: DirectTree, top: string): string {
  const digest = createHash('sha256');
  const pending = [top];
  for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
    for (const { name, type, unnamed } of lower.entries(dir).sort(byName)) {
      const path = joinDir(dir, name);
      if (unnamed !== undefined) {
        digest.update(`${JSON.stringify(path)}? ${unnamed}\n`);
      } else if (type === 'directory') {
        pending.push(path);
        digest.update(`${JSON.stringify(path)}/\n`);
      } else {
        digest.update(`${JSON.stringify(path)} ${lowerBase(lower, spotOf(path))}\n`);
      }
    }
  }
  return `directory:${digest.digest('hex')}`;
}

export function byName(a: { name: string }, b: { name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
