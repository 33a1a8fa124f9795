import { chmod, chown, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkspaceDirectory } from '../../workspace-directory.js';
import { LOWER, UPPER, WORK } from './volume-options.js';

/**
 * Makes the private directory of an overlay volume, before anything is mounted: nobody else can write there yet.
 * @param hidden paths that get an empty entry nobody may open. An entry of the upper layer hides what lies under it
 * whatever is done to it inside: moved, removed or replaced, it never shows the lower one. For a directory it is a file
 * too: what makes a directory opaque takes more rights than a host needs to have.
 * @throws where this process may not give files to the workspace's owner
 */
export async function makeUpper(
  directory: string,
  { workspace, hidden }: { workspace: WorkspaceDirectory; hidden: readonly string[] },
): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  await mkdir(join(directory, WORK), { mode: 0o700 });
  await symlink(workspace.path, join(directory, LOWER));
  const upper = join(directory, UPPER);
  const parents = new Set(hidden.flatMap(parentsOf));
  // The layer's own directories are what is seen: they are to look as those of the workspace.
  for (const path of ['', ...[...parents].sort()]) {
    const { mode, uid, gid } = await lstat(join(workspace.path, path));
    await mkdir(join(upper, path));
    await giveTo(join(upper, path), { uid, gid });
    await chmod(join(upper, path), mode & 0o777);
  }
  for (const path of hidden) await writeFile(join(upper, path), '', { mode: 0, flag: 'wx' });
}

/** A host that is not root can give nothing away. Its own files may have a group that it is not in: that one is let go. */
async function giveTo(path: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  try {
    await chown(path, uid, gid);
  } catch (error) {
    if (uid !== process.getuid?.()) throw error;
  }
}

function parentsOf(path: string): string[] {
  const found: string[] = [];
  for (let at = dirname(path); at !== '.'; at = dirname(at)) found.push(at);
  return found;
}
