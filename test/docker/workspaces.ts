import { chown, mkdtemp, realpath, stat } from 'node:fs/promises';
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

export async function makeWorkspace(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'caisson-docker-')));
  if (process.getuid?.() === 0) await chown(directory, WORKSPACE_UID, WORKSPACE_UID);
  return directory;
}
