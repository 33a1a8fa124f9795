import type { ScannedEntry, UnnamedEntry } from '../../../../sandbox/protocol/tree-operations.js';
import type { Change } from '../../contract.js';

/** An entry of the origin as it was when the sandbox first saw it, or when both sides last were the same. */
export interface Base {
  origin: ScannedEntry;
  /** Of the sandbox's side then, where it was seen: as long as it stays, nothing was done to it. */
  version?: string;
}

/** Both sides at one moment. */
export interface TreeState {
  base: ReadonlyMap<string, Base>;
  /** The origin. */
  present: ReadonlyMap<string, ScannedEntry>;
  /** The sandbox's side. */
  merged: ReadonlyMap<string, ScannedEntry>;
  /** Directories that cannot be listed there: what is in them is unknown, not gone. */
  closed: readonly string[];
  /** Directories of the origin that hold something the sandbox never saw, with one such thing. */
  kept: ReadonlyMap<string, string>;
  /** What was made or changed inside under a name that is not valid UTF-8. */
  unnamed: readonly UnnamedEntry[];
}

export interface Difference {
  path: string;
  kind: Change['kind'];
  /** As the sandbox has it; absent for what was deleted. */
  now?: ScannedEntry;
  /** As the origin has it now. */
  was?: ScannedEntry;
}

/**
 * What the sandbox did to the tree, in path order. What the origin alone changed meanwhile is no difference, even where it
 * shows through.
 * @returns `suspects` besides: files whose content alone can tell
 */
export function compareTrees(state: TreeState): { differences: Difference[]; suspects: Difference[] } {
  const differences: Difference[] = [];
  const suspects: Difference[] = [];
  for (const [path, now] of state.merged) {
    const was = state.present.get(path);
    if (isUntouched(now, was, state.base.get(path))) continue;
    if (was === undefined) differences.push({ path, kind: 'added', now });
    else if (was.type !== now.type || was.mode !== now.mode || was.target !== now.target)
      differences.push({ path, kind: 'modified', now, was });
    else if (now.type === 'file') suspects.push({ path, kind: 'modified', now, was });
  }
  for (const [path, was] of state.present) {
    // What came to the origin meanwhile may never have been seen inside: it cannot have been deleted there.
    if (state.merged.has(path) || !state.base.has(path) || isBelowAny(path, state.closed)) continue;
    differences.push({ path, kind: 'deleted', was });
  }
  return { differences, suspects };
}

/** Files whose content is, byte for byte, what the origin has now, with its version there. */
export function contentOfOrigin({ base, present, merged }: TreeState): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, now] of merged) {
    const was = present.get(path);
    const before = base.get(path);
    if (was === undefined || now.type !== 'file' || !isUntouched(now, was, before)) continue;
    if (isSame(was, before?.origin ?? now) || isSame(was, now)) found.set(path, was.version);
  }
  return found;
}

/** In what looks through to the origin, an untouched entry is the origin's own, of now or of before. */
function isUntouched(now: ScannedEntry, was: ScannedEntry | undefined, base: Base | undefined): boolean {
  if (base !== undefined && (now.version === base.version || isSame(now, base.origin))) return true;
  return was !== undefined && isSame(now, was);
}

/**
 * The same inode's same state. An overlay shows its lower file's own times, and a copy of it has another change time,
 * which nobody can set; device and inode numbers differ from mount to mount.
 */
export function isSame(one: ScannedEntry, other: ScannedEntry): boolean {
  return one.type === other.type && stampOf(one.version) === stampOf(other.version);
}

/** What of a version is the same however the file is looked at. */
export function stampOf(version: string): string {
  return version.split(':').slice(2).join(':');
}

export function isBelowAny(path: string, directories: Iterable<string>): boolean {
  for (const directory of directories) if (path.startsWith(`${directory}/`)) return true;
  return false;
}

export function byPath(one: { path: string }, other: { path: string }): number {
  if (one.path === other.path) return 0;
  return one.path < other.path ? -1 : 1;
}
