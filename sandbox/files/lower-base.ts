import { createHash } from 'node:crypto';
import type { DirectTree } from './direct-tree.js';
import { baseOf } from './overlay-marks.js';
import { joinDir, type Spot, spotOf } from './tree.js';

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

function directoryBase(lower: DirectTree, top: string): string {
  const digest = createHash('sha256');
  const pending = [top];
  for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
    for (const { name, type } of lower.entries(dir).sort(byName)) {
      const path = joinDir(dir, name);
      if (type === 'directory') {
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
