import { chmod, lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type Docker from 'dockerode';
import { LABEL } from '../engine/labels.js';
import { LOWER, UPPER, WORK } from './volume-options.js';

/** The private directory of an overlay volume. */
export const OVERLAY_LABEL = 'caisson.overlay';
/** The session's: something with directories to mount over. */
export const IMAGE_LABEL = 'caisson.image';

const PREFIX = 'caisson-overlay-';

/** The session's id is in it, so that a label alone can name no other directory. */
export function upperName(sessionId: string): string {
  return `${PREFIX}${sessionId}`;
}

export interface OverlayVolume {
  name: string;
  /** They say all that whoever removes it must know. */
  labels: Readonly<Record<string, string>>;
}

/**
 * Removes the private directory and then the volume, which is what names it: as long as the directory is there, a later
 * host can find it.
 * @throws where a container still uses the volume, or somebody else has to do it
 */
export async function removeOverlayVolume(docker: Docker, volume: OverlayVolume): Promise<void> {
  const users = await docker.listContainers({ all: true, filters: JSON.stringify({ volume: [volume.name] }) });
  if (users.length > 0) throw new Error('A container uses the volume');
  await removeUpper(docker, volume);
  await docker.getVolume(volume.name).remove();
}

async function removeUpper(docker: Docker, volume: OverlayVolume): Promise<void> {
  const directory = directoryOf(volume);
  const stats = await lstat(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return;
  const uid = process.getuid?.();
  const isOurs = stats.isDirectory() && (stats.mode & 0o077) === 0 && (uid === 0 || uid === stats.uid);
  if (!isAbsolute(directory) || basename(directory) !== upperName(volume.labels[LABEL] ?? '') || !isOurs)
    throw new Error('Not a directory of ours');
  for (const name of [UPPER, LOWER]) await removeTree(join(directory, name));
  await removeWork(docker, volume);
  await rm(directory, { recursive: true, force: true });
}

/** The kernel's own directory is closed to everybody but root. Empty it goes all the same. */
async function removeWork(docker: Docker, volume: OverlayVolume): Promise<void> {
  const work = join(directoryOf(volume), WORK, 'work');
  try {
    await rmdir(work);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || process.getuid?.() === 0) return;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await emptyWork(docker, volume);
    await rmdir(work);
  }
}

/**
 * The kernel keeps a whiteout there for the next one, and empties the directory when it mounts again. The engine mounts a
 * volume that it may have to fill when it creates a container.
 */
async function emptyWork(docker: Docker, volume: OverlayVolume): Promise<void> {
  for (const part of [UPPER, LOWER]) await mkdir(join(directoryOf(volume), part), { recursive: true });
  const container = await docker.createContainer({
    Image: volume.labels[IMAGE_LABEL] ?? '',
    Labels: volume.labels,
    Entrypoint: [],
    Cmd: ['true'],
    NetworkDisabled: true,
    HostConfig: {
      Mounts: [{ Type: 'volume', Source: volume.name, Target: '/tmp', ReadOnly: false }],
      NetworkMode: 'none',
    },
  });
  await container.remove({ force: true });
}

function directoryOf({ labels }: OverlayVolume): string {
  return labels[OVERLAY_LABEL] ?? '';
}

/** Commands may have closed directories to themselves, and so to a host that is the same user. */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    await openDirectories(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openDirectories(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await openDirectories(join(path, entry.name));
}
