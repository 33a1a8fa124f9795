import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMarkOfGone, OWNER_MARK, ownerMark } from '../../sandbox/protocol/owner.js';

export interface PrivateDirectory {
  readonly path: string;
  /** With everything in it. */
  remove(): void;
}

export interface PrivateDirectoryOptions {
  /** What it is for, as a part of its name. */
  kind: 'session' | 'files' | 'covers' | 'host' | 'demo';
  /** Default: `tmpdir()`. */
  parent?: string;
  /** Whose it becomes when this process is root. Default: who this process is. */
  user?: { uid: number; gid: number } | undefined;
}

const OURS = new RegExp(`^caisson-(?:session|files|covers|host|demo)-${OWNER_MARK.source}-[0-9a-f]{16}$`);

/** Directories of this process that still exist, removed should the process exit without removing them. */
const open = new Set<string>();
let removesAtExit = false;

/**
 * Makes a directory outside every workspace, 0700. Its name holds the owner's pid and start time, so that a later process
 * can tell what a dead one left; this one removes what it finds of those beside it.
 */
export function createPrivateDirectory({ kind, parent = tmpdir(), user }: PrivateDirectoryOptions): PrivateDirectory {
  sweepPrivateDirectories(parent);
  const outer = join(parent, `caisson-${kind}-${ownerMark()}-${randomBytes(8).toString('hex')}`);
  open.add(outer);
  removeAtExit();
  // The one with the name stays this process's own: that is how a sweep knows it from what others name so.
  const path = user === undefined ? outer : join(outer, 'own');
  make(outer, user === undefined ? 0o700 : 0o711);
  if (user !== undefined) {
    make(path, 0o700);
    chownSync(path, user.uid, user.gid);
  }
  return {
    path,
    remove: () => {
      removeTree(outer);
      open.delete(outer);
    },
  };
}

/** Where sessions keep their files in memory, if there is such a place. */
export function privateDirectoryParent(): { path: string; tmpfs: boolean } {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK | constants.X_OK);
    if (lstatSync(SHARED_MEMORY).isDirectory()) return { path: SHARED_MEMORY, tmpfs: true };
  } catch {
    // No tmpfs for us: the ordinary temp directory does.
  }
  return { path: tmpdir(), tmpfs: false };
}

const SHARED_MEMORY = '/dev/shm';

/** Removes what processes of this user left behind when they were killed. Never throws. */
export function sweepPrivateDirectories(parent = tmpdir()): void {
  const mine = ownerMark();
  attempt(() => {
    for (const name of readdirSync(parent)) {
      if (!OURS.test(name) || name.includes(mine) || !isMarkOfGone(name)) continue;
      // Another process sweeps too: whoever removes it first is right.
      attempt(() => {
        const path = join(parent, name);
        const stats = lstatSync(path);
        const uid = process.getuid?.();
        if (stats.isDirectory() && (uid === undefined || stats.uid === uid)) removeTree(path);
      });
    }
  });
}

function make(path: string, mode: number): void {
  mkdirSync(path, { mode });
  // The umask may have taken more away than intended.
  chmodSync(path, mode);
}

function removeAtExit(): void {
  if (removesAtExit) return;
  removesAtExit = true;
  process.on('exit', () => {
    for (const path of open) attempt(() => removeTree(path));
  });
}

function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    // Root needs no permission, and must not follow what a user of the directory swaps in meanwhile.
    if (process.getuid?.() === 0) throw error;
    openUp(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Only root can empty a directory that is closed to its owner. */
function openUp(directory: string): void {
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) openUp(join(directory, entry.name));
  }
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Best effort: the next host tries again.
  }
}
