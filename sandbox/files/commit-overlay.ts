import { type BigIntStats, closeSync } from 'node:fs';
import type { CommitResult } from '../protocol/files.js';
import { type Difference, diffLayers, type Layers } from './overlay/layer-diff.js';
import { isSameBase } from './overlay/lower-base.js';
import type { OverlayTree } from './overlay/overlay-tree.js';
import { errnoOf, Moved, quotePath, Refusal } from './refusal.js';
import type { Guard } from './rules/guard.js';
import { pathOf, type Spot, spotOf } from './tree.js';

const NAMED = 10;

/**
 * Writes the overlay's changes into the workspace. First everything is checked, and nothing written when a check fails.
 * Each file is then replaced at once, deletions last, so a kill in between loses nothing: what is already written is no
 * difference any more, and the next commit does the rest.
 *
 * @param confirmed directories whose removal an interrupted commit had already checked, and may have begun
 * @param confirm notes them before the first write
 * @throws `Refusal` `stale_file`, `access_denied`
 */
export function commitOverlay(
  overlay: OverlayTree,
  layers: Layers,
  options: { guard: Guard; confirmed: ReadonlySet<string>; confirm(directories: string[]): void },
): CommitResult {
  const differences = diffLayers(layers);
  requireAllowed(differences, options.guard);
  const hidden = requireFresh(overlay, differences, options.confirmed);
  options.confirm(hidden);
  for (const { path } of deletionsInTheWay(differences)) remove(overlay, spotOf(path));
  for (const difference of differences) if (difference.kind !== 'deleted') apply(overlay, difference);
  for (const { kind, path } of differences.toReversed()) if (kind === 'deleted') removeOne(overlay, spotOf(path));
  const count = (kind: Difference['kind']) => differences.filter((difference) => difference.kind === kind).length;
  return { added: count('added'), modified: count('modified'), deleted: count('deleted') };
}

function requireAllowed(differences: readonly Difference[], guard: Guard): void {
  for (const difference of differences) {
    const { path } = difference;
    const rule = guard.deniesChange(difference);
    if (rule !== undefined) {
      throw new Refusal(
        'access_denied',
        `${quotePath(path)} is denied by the rule '${rule.rule}'; nothing was written`,
      );
    }
  }
}

/** @returns the directories whose whole content was checked, because they are to be hidden */
function requireFresh(
  overlay: OverlayTree,
  differences: readonly Difference[],
  confirmed: ReadonlySet<string>,
): string[] {
  const stale: string[] = [];
  const hidden: string[] = [];
  const checked = new Set<string>();
  for (const { path } of differences) {
    const top = hiddenAncestor(overlay, path);
    if (top === undefined) {
      if (!isFresh(overlay, spotOf(path))) stale.push(path);
    } else if (!checked.has(top)) {
      checked.add(top);
      const isDirectory = belowAt(overlay, spotOf(top))?.isDirectory() === true;
      if (isDirectory) hidden.push(top);
      if (!(isDirectory && confirmed.has(top)) && !isFresh(overlay, spotOf(top))) stale.push(top);
    }
  }
  if (stale.length === 0) return hidden;
  const named = stale.slice(0, NAMED).map(quotePath).join(', ');
  const more = stale.length > NAMED ? ` and ${stale.length - NAMED} more` : '';
  throw new Refusal(
    'stale_file',
    `changed in the workspace since the sandbox first wrote there: ${named}${more}; nothing was written. Discard the changes, or undo the others`,
  );
}

/** The outermost directory on the way, or the place itself, that was hidden as a whole. */
function hiddenAncestor(overlay: OverlayTree, path: string): string | undefined {
  const parts = path.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const at = spotOf(parts.slice(0, length).join('/'));
    if (overlay.upperHas(at.dir) && overlay.marks.isGone(at)) return pathOf(at);
  }
  return undefined;
}

function isFresh(overlay: OverlayTree, at: Spot): boolean {
  const stat = belowAt(overlay, at);
  const recorded = overlay.upperHas(at.dir) ? (overlay.marks.read(at)?.base ?? null) : null;
  // Deleted underneath what was changed here; where the type changed too, an interrupted commit may have done it.
  if (stat === undefined) return !(recorded?.startsWith('file:') === true && overlay.lstat(at)?.isFile() === true);
  if (stat.isDirectory() && (recorded === null || !recorded.startsWith('directory'))) {
    // A directory on both sides is merged, not replaced.
    return overlay.lstat(at)?.isDirectory() === true;
  }
  return isSameBase(recorded, overlay.lower, at);
}

/** What the workspace holds at a place; nothing, too, where no directory leads there any more. */
function belowAt(overlay: OverlayTree, at: Spot): BigIntStats | undefined {
  try {
    return overlay.lower.lstat(at);
  } catch (error) {
    if (error instanceof Moved || errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** What has to go before something of another type can take its name. */
function deletionsInTheWay(differences: readonly Difference[]): Difference[] {
  const added = new Set(differences.filter(({ kind }) => kind === 'added').map(({ path }) => path));
  return differences.filter(({ kind, path }) => kind === 'deleted' && added.has(path));
}

function remove(overlay: OverlayTree, at: Spot): void {
  const stat = belowAt(overlay, at);
  if (stat === undefined) return;
  if (stat.isDirectory()) overlay.lower.removeTree(at);
  else overlay.lower.unlink(at);
}

/** Only what was looked at: a file that appeared in a directory since keeps the directory. */
function removeOne(overlay: OverlayTree, at: Spot): void {
  const stat = belowAt(overlay, at);
  if (stat === undefined) return;
  // Its place was taken by something added under the same name.
  if (overlay.lstat(at) !== undefined) return;
  if (!stat.isDirectory()) overlay.lower.unlink(at);
  else if (overlay.lower.entries(pathOf(at)).length === 0) overlay.lower.rmdir(at);
}

function apply(overlay: OverlayTree, { path, type, kind, mode }: Difference): void {
  const at = spotOf(path);
  if (type === 'directory') {
    if (kind === 'added' && belowAt(overlay, at) === undefined) overlay.lower.mkdir(at, mode ?? 0o755);
    else if (mode !== undefined) overlay.lower.chmod(at, mode);
    return;
  }
  if (type === 'symlink') {
    if (belowAt(overlay, at) !== undefined) overlay.lower.unlink(at);
    overlay.lower.symlink(overlay.upper.readlink(at), at);
    return;
  }
  const source = overlay.open(at);
  try {
    overlay.lower.receive(at, source);
  } finally {
    closeSync(source.fd);
  }
}
