import { access, constants, realpath, statfs } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** File systems that the kernel takes as an overlay's upper layer, by their magic number. */
const DISKS = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010]);
const TMPFS = 0x01021994;

/** What needs no quoting in mount options. */
const PLAIN = /^[\w./-]{1,300}$/;

/**
 * A directory where what an overlay writes can lie: a disk where there is one, never the workspace itself.
 * @returns undefined where none is found, as in a container whose own files are an overlay
 */
export async function findUpperPlace(workspace: string): Promise<string | undefined> {
  let inMemory: string | undefined;
  for (const candidate of [tmpdir(), '/var/tmp', join(homedir(), '.cache')]) {
    const place = await usable(candidate, workspace);
    if (place === undefined) continue;
    if (place.type !== TMPFS) return place.path;
    inMemory ??= place.path;
  }
  return inMemory;
}

async function usable(candidate: string, workspace: string): Promise<{ path: string; type: number } | undefined> {
  try {
    const path = await realpath(candidate);
    if (!PLAIN.test(path) || `${path}/`.startsWith(`${workspace}/`)) return undefined;
    await access(path, constants.W_OK | constants.X_OK);
    const { type } = await statfs(path);
    return DISKS.has(type) || type === TMPFS ? { path, type } : undefined;
  } catch {
    return undefined;
  }
}
