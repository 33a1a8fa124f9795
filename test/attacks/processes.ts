import { readdirSync, readFileSync } from 'node:fs';
import type { SandboxSession } from '../../src/sandbox/contract.js';

/** Process ids of a session's workers. */
export function workersOf(session: SandboxSession): number[] {
  return (session as SandboxSession & { processIds(): number[] }).processIds();
}

/** The one worker of a session that has only run commands or code. */
export function workerOf(session: SandboxSession): number {
  const [pid] = workersOf(session);
  if (pid === undefined) throw new Error('The session has no worker');
  return pid;
}

/** Running or stopped; a zombie that nobody reaped yet is dead. */
export function isRunning(pid: number): boolean {
  const state = processState(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Letter of proc(5) stat, `undefined` when there is no such process. */
export function processState(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0];
  } catch {
    return undefined;
  }
}

/** Bytes resident, 0 when there is no such process. */
export function residentBytes(pid: number): number {
  return kilobytes(pid, 'status', 'VmRSS') * 1024;
}

/** Bytes resident, shared pages split among who shares them. */
export function proportionalBytes(pid: number): number {
  return kilobytes(pid, 'smaps_rollup', 'Pss') * 1024;
}

export function processFile(pid: number, name: 'cmdline' | 'environ' | 'status'): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8');
}

/** Directories of sessions that a process left in the places where they are made. */
export function privateDirectoriesOf(pid: number): string[] {
  return ['/dev/shm', '/tmp'].flatMap((parent) =>
    readdirSync(parent).filter((name) => name.startsWith(`caisson-session-${pid}-`)),
  );
}

function kilobytes(pid: number, file: 'status' | 'smaps_rollup', field: string): number {
  try {
    const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'));
    return Number(line?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Processes that a process started and that still belong to it. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
