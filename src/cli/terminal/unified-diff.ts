import { formatPatch, structuredPatch } from 'diff';
import type { Change } from '../../sandbox/contract.js';

/** The changes of a workspace as a patch that `git apply` and `patch -p1` take; content that is not text is named only. */
export function unifiedDiff(changes: readonly Change[]): string {
  return changes
    .filter((change) => change.type !== 'directory')
    .map(fileDiff)
    .join('');
}

function fileDiff(change: Change): string {
  const isCreate = change.kind === 'added';
  const isDelete = change.kind === 'deleted';
  const before = isCreate ? '' : change.before;
  const after = isDelete ? '' : change.after;
  const known = before !== undefined && after !== undefined;
  const patch = structuredPatch(
    `a/${change.path}`,
    `b/${change.path}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    {
      context: 3,
    },
  );
  const header = {
    isGit: true,
    isCreate,
    isDelete,
    ...(isCreate ? { oldFileName: '/dev/null', newMode: gitMode(change) } : {}),
    ...(isDelete ? { newFileName: '/dev/null', oldMode: gitMode(change) } : {}),
  };
  const text = formatPatch({ ...patch, ...header, hunks: known ? patch.hunks : [] });
  return known ? text : `${text}Binary files a/${change.path} and b/${change.path} differ\n`;
}

function gitMode(change: Change): string {
  if (change.type === 'symlink') return '120000';
  return (change.mode ?? 0) & 0o111 ? '100755' : '100644';
}
