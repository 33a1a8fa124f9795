import type { ScanBody } from '../../../../sandbox/protocol/tree-operations.js';
import { SandboxError } from '../../errors.js';
import type { Difference } from './tree-state.js';

/**
 * Directories of an origin that hold something the sandbox never saw: what a rule hides, what has a name that no path can
 * say, what may not be listed. By path, with one such thing.
 */
export function directoriesWithUnseen({ denied, unnamed, closed }: ScanBody): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of [...denied, ...unnamed.map((entry) => entry.path)])
    for (let at = path.lastIndexOf('/'); at !== -1; at = path.lastIndexOf('/', at - 1))
      found.set(path.slice(0, at), path);
  for (const path of closed)
    for (let at = path.length; at !== -1; at = path.lastIndexOf('/', at - 1)) found.set(path.slice(0, at), path);
  return found;
}

/** What can be committed of it: a directory that was removed inside stays where something unseen is in it. */
export function withoutKept(
  differences: readonly Difference[],
  kept: ReadonlyMap<string, string>,
): readonly Difference[] {
  if (kept.size === 0) return differences;
  return differences.filter(({ path, kind }) => kind !== 'deleted' || !kept.has(path));
}

/** @throws SandboxError `access_denied` where a directory that has to stay was replaced by something else */
export function requireReplaceable(differences: readonly Difference[], kept: ReadonlyMap<string, string>): void {
  const first = differences.find(({ path, now }) => now !== undefined && now.type !== 'directory' && kept.has(path));
  if (first === undefined) return;
  const { path } = first;
  throw new SandboxError(
    'access_denied',
    `Cannot commit '${path}': the directory that it replaces holds '${kept.get(path)}', which the sandbox never saw; nothing was written. Put it under another name`,
    { path },
  );
}
