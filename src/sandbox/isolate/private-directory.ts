import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'caisson-session-';

/** Directories of this process that still exist, removed should the process exit without disposing them. */
const open = new Set<string>();
let sweptAtExit = false;

/**
 * Makes the directory a session keeps its state in: 0700, outside every workspace, on a tmpfs where there is one.
 * Its name holds the owner's pid and start time, so that a later process can tell what a dead one left.
 */
export function createPrivateDirectory(owner: { uid: number; gid: number } | undefined): string {
  const parent = parentDirectory();
  sweepAbandoned(parent);
  const name = `${PREFIX}${process.pid}-${startTimeOf(process.pid) ?? 0}-${randomBytes(8).toString('hex')}`;
  const path = join(parent, name);
  mkdirSync(path, { mode: 0o700 });
  // The umask may have taken more away than intended.
  chmodSync(path, 0o700);
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
  open.add(path);
  sweepAtExit();
  return path;
}

export function removePrivateDirectory(path: string): void {
  open.delete(path);
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Where private directories are made, and whether that is memory. */
export function privateDirectoryParent(): { path: string; tmpfs: boolean } {
  const path = parentDirectory();
  return { path, tmpfs: path === SHARED_MEMORY };
}

const SHARED_MEMORY = '/dev/shm';

function parentDirectory(): string {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK | constants.X_OK);
    if (lstatSync(SHARED_MEMORY).isDirectory()) return SHARED_MEMORY;
  } catch {
    // No tmpfs for us: the ordinary temp directory does.
  }
  return tmpdir();
}

function sweepAtExit(): void {
  if (sweptAtExit) return;
  sweptAtExit = true;
  process.on('exit', () => {
    for (const path of open) rmSync(path, { recursive: true, force: true });
  });
}

/** Removes what processes of this user left behind when they were killed. */
function sweepAbandoned(parent: string): void {
  const uid = process.getuid?.();
  for (const name of readdirSync(parent)) {
    const owner = /^caisson-session-(\d+)-(\d+)-[0-9a-f]{16}$/.exec(name);
    if (owner === null || isAlive(Number(owner[1]), Number(owner[2]))) continue;
    try {
      const path = join(parent, name);
      const stats = lstatSync(path);
      const ours = stats.isDirectory() && (uid === undefined || uid === 0 || stats.uid === uid);
      if (ours) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process sweeps too: whoever removes it first is right.
    }
  }
}

function isAlive(pid: number, startTime: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startTimeOf(pid);
  return now === undefined || startTime === 0 || now === startTime;
}

/** Clock ticks from boot to the start of a process (field 22 of proc(5) stat); a pid alone may have been used again. */
function startTimeOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const afterName = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(afterName[19]);
  } catch {
    return undefined;
  }
}
