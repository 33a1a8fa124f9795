import { chown, lchown, mkdtemp, readdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Who owns the workspaces of tests: never root, who may not be worked for directly. */
export const WORKSPACE_UID = process.getuid?.() === 0 ? 4321 : (process.getuid?.() ?? 0);

/** Root's own directories are refused in `direct` mode; what is missing or no directory is left as it is. */
export async function giveToWorkspaceOwner(directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const stats = await stat(directory).catch(() => undefined);
  if (stats?.isDirectory() && stats.uid === 0) await chown(directory, WORKSPACE_UID, WORKSPACE_UID);
}

/** With everything in it: what an overlay volume shows belongs to whom it belongs to on the host. */
export async function giveAllToWorkspaceOwner(directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  for (const path of ['', ...entries])
    await lchown(join(directory, path), WORKSPACE_UID, WORKSPACE_UID).catch(() => {});
}

/** Said out loud, a limit on the disk has an overlay copied into memory, where it can be held. */
export const COPIED = { limits: { maxDiskBytes: 512 * 1024 * 1024 } };

export async function makeWorkspace(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'caisson-docker-')));
  if (process.getuid?.() === 0) await chown(directory, WORKSPACE_UID, WORKSPACE_UID);
  return directory;
}
