import { SandboxError } from '../../errors.js';
import type { AgentTree } from '../agent/agent-tree.js';
import { type Difference, isSame, type TreeState } from './tree-state.js';

const NAMED = 10;

/**
 * Refuses to write over what changed in the origin meanwhile. A file that has other times and the same bytes has not
 * changed, as far as its former content is known.
 * @throws SandboxError `stale_file` naming the files
 */
export async function requireFresh(
  origin: AgentTree,
  differences: readonly Difference[],
  state: TreeState,
): Promise<void> {
  const doubtful = differences.filter((difference) => !isFresh(difference, state));
  const stale = [...(await withoutSameContent(origin, doubtful, state)), ...newBelowDeleted(differences, state)];
  if (stale.length === 0) return;
  const names = stale
    .slice(0, NAMED)
    .map((path) => `'${path}'`)
    .join(', ');
  throw new SandboxError(
    'stale_file',
    `Cannot commit: ${names}${stale.length > NAMED ? ` and ${stale.length - NAMED} more` : ''} changed in the origin meanwhile; nothing was written. Look at both versions, then start a new session`,
  );
}

function isFresh({ path, now, was }: Difference, { base }: TreeState): boolean {
  const before = base.get(path)?.origin;
  if (before === undefined) return was === undefined || (was.type === 'directory' && now?.type === 'directory');
  if (was === undefined || was.type !== before.type) return false;
  if (was.type === 'symlink') return was.target === before.target;
  // What is in a directory speaks for itself.
  return was.type === 'directory' || isSame(was, before);
}

async function withoutSameContent(
  origin: AgentTree,
  doubtful: readonly Difference[],
  { base }: TreeState,
): Promise<string[]> {
  const known = (path: string) => base.get(path)?.origin;
  const touched = doubtful.filter(({ path, was }) => {
    const before = known(path);
    return was?.type === 'file' && before?.hash !== undefined && before.size === was.size && before.mode === was.mode;
  });
  const hashes = await origin.hash(touched.map(({ path }) => path));
  const same = new Set(
    touched.filter(({ path }, index) => hashes[index]?.hash === known(path)?.hash).map(({ path }) => path),
  );
  return doubtful.filter(({ path }) => !same.has(path)).map(({ path }) => path);
}

/** A directory is deleted with everything in it: what nobody inside ever saw must not go with it. */
function newBelowDeleted(differences: readonly Difference[], { base, present }: TreeState): string[] {
  const gone = new Set(
    differences
      .filter(({ was, now }) => was?.type === 'directory' && now?.type !== 'directory')
      .map(({ path }) => path),
  );
  if (gone.size === 0) return [];
  return [...present.keys()].filter((path) => !base.has(path) && hasParentIn(path, gone));
}

function hasParentIn(path: string, directories: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf('/'); at !== -1; at = path.lastIndexOf('/', at - 1))
    if (directories.has(path.slice(0, at))) return true;
  return false;
}
