import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Everything Caisson makes carries this label; its value is the session's id. */
export const LABEL = 'caisson';
const HOST = 'caisson.host';
const PID = 'caisson.pid';
const STARTED = 'caisson.started';
const EXPIRES = 'caisson.expires';
export const UID_LABEL = 'caisson.uid';
/** Of a volume that belongs to no session: its kind. */
export const CACHE_LABEL = 'caisson.cache';
export const CACHE_WORKSPACE_LABEL = 'caisson.workspace';

export interface Owner {
  host: string;
  pid: number;
  /** When the process started, in the kernel's ticks: a pid alone may have been given to another since. */
  started: string;
}

export function ownLabels(sessionId: string, expiresAt: number): Record<string, string> {
  const owner = thisOwner();
  return {
    [LABEL]: sessionId,
    [HOST]: owner.host,
    [PID]: String(owner.pid),
    [STARTED]: owner.started,
    [EXPIRES]: String(expiresAt),
  };
}

/** What sessions share outlives them: no owner, no expiry. */
export function cacheLabels(kind: string, workspace: string | undefined): Record<string, string> {
  return { [LABEL]: 'cache', [CACHE_LABEL]: kind, [CACHE_WORKSPACE_LABEL]: workspace ?? '' };
}

export function thisOwner(): Owner {
  return { host: hostId(), pid: process.pid, started: startedAt(process.pid) ?? '' };
}

/**
 * Whether nobody will ever use what carries these labels again: its time is over, or its owner was a process of this
 * very machine and is no more. What another machine owns is left alone until it expires.
 */
export function isAbandoned(labels: Record<string, string>, now = Date.now()): boolean {
  if (labels[LABEL] === undefined || labels[CACHE_LABEL] !== undefined) return false;
  const expires = Number(labels[EXPIRES]);
  if (Number.isFinite(expires) && expires > 0 && now > expires) return true;
  if (labels[HOST] !== hostId()) return false;
  const pid = Number(labels[PID]);
  if (!Number.isInteger(pid) || pid <= 0) return true;
  return !isRunning(pid, labels[STARTED] ?? '');
}

function isRunning(pid: number, started: string): boolean {
  const now = startedAt(pid);
  if (now !== undefined) return started === '' || now === started;
  // No /proc here: all that can be asked is whether the pid is taken.
  if (process.platform === 'linux') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startedAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which is in parentheses and may hold anything: the 20th field from there.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

let known: string | undefined;

/** The machine and its present boot: after a reboot no process of before is alive, whatever its pid. */
function hostId(): string {
  known ??= [read('/etc/machine-id') ?? hostname(), read('/proc/sys/kernel/random/boot_id') ?? ''].join('.');
  return known;
}

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
