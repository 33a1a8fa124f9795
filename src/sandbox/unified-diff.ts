import { formatPatch, structuredPatch } from 'diff';
import type { Change } from './contract.js';

/**
 * The changes of a workspace as a patch that `git apply` and `patch -p1` take. Content that is not text, or too large for
 * `changes()` to carry, is named in a line of its own, which they skip; empty directories and their modes have no place in
 * a patch.
 *
 * @example
 * ```ts
 * await writeFile('agent.patch', unifiedDiff(await sandbox.changes()));
 * ```
 */
export function unifiedDiff(changes: readonly Change[]): string {
  return changes
    .filter(({ type }) => type !== 'directory')
    .map(fileDiff)
    .join('');
}

function fileDiff(change: Change): string {
  const { path, kind } = change;
  const isCreate = kind === 'added';
  const isDelete = kind === 'deleted';
  const before = isCreate ? '' : change.before;
  const after = isDelete ? '' : change.after;
  // With a header of its own, git would refuse the whole patch for it.
  if (before === undefined || after === undefined) return `Binary files a/${path} and b/${path} differ\n`;
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3 });
  return formatPatch({ ...patch, isGit: true, ...gitHeader(change) });
}

function gitHeader({ kind, type, mode, beforeMode }: Change): Partial<Parameters<typeof formatPatch>[0]> {
  if (kind === 'added') return { isCreate: true, oldFileName: '/dev/null', newMode: gitMode(type, mode) };
  if (kind === 'deleted') return { isDelete: true, newFileName: '/dev/null', oldMode: gitMode(type, mode) };
  const [oldMode, newMode] = [gitMode(type, beforeMode ?? mode), gitMode(type, mode)];
  return oldMode === newMode ? {} : { oldMode, newMode };
}

/** Git knows of a file's mode only whether it can be run. */
function gitMode(type: Change['type'], mode = 0): string {
  if (type === 'symlink') return '120000';
  return mode & 0o100 ? '100755' : '100644';
}
