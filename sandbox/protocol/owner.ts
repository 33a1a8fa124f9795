import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, told from every other there is or was. */
export interface Owner {
  /** Where its pid means anything. */
  host: string;
  pid: number;
  /** When the process started, in the kernel's ticks: a pid alone may have been given to another since. */
  started: string;
}

export function thisOwner(): Owner {
  return { host: hostId(), pid: process.pid, started: startedAt(process.pid) ?? '' };
}

/** Known to be no more. What is a process of another machine is never known to be. */
export function isGone({ host, pid, started }: Owner): boolean {
  if (host !== hostId()) return false;
  return !Number.isInteger(pid) || pid <= 0 || !isRunning(pid, started);
}

/** This process, in what file names may hold. */
export function ownerMark(): string {
  const { host, pid, started } = thisOwner();
  return `${pid}-${started}-${shorten(host)}`;
}

export const OWNER_MARK = /(\d+)-(\d*)-([0-9a-f]{16})/;

/** The same as `isGone` for whom a mark names. */
export function isMarkOfGone(mark: string): boolean {
  const [, pid = '', started = '', host] = OWNER_MARK.exec(mark) ?? [];
  return host === shorten(hostId()) && isGone({ host: hostId(), pid: Number(pid), started });
}

function shorten(host: string): string {
  return createHash('sha256').update(host).digest('hex').slice(0, 16);
}

function isRunning(pid: number, started: string): boolean {
  const now = startedAt(pid);
  if (now !== undefined) return started === '' || now === started;
  // No /proc here, or one that hides what others run: all that can be asked is whether the pid is taken.
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

/** The machine, its present boot (after a reboot no process of before is alive) and, in a container, whose pids it sees. */
function hostId(): string {
  known ??= [
    read('/etc/machine-id') ?? hostname(),
    read('/proc/sys/kernel/random/boot_id') ?? '',
    attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  ].join('.');
  return known;
}

function read(path: string): string | undefined {
  const text = attempt(() => readFileSync(path, 'utf8'))?.trim();
  return text === '' ? undefined : text;
}

function attempt(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
