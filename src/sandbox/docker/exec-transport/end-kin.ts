import type { Keeper } from './keeper.js';
import type { Marks } from './marks.js';
import type { Scan } from './scan.js';

/** Who belongs to a call. */
export interface Kin {
  keeper: Keeper;
  marks: Marks;
  /** Whether marks can be read in this container; without them calls are told apart by session and parents. */
  marked: boolean;
  mark: number;
  /** The call's first process. */
  pid: number;
}

/** Killing is tried for so long before it is called unverified. Something in an uninterruptible wait cannot be killed sooner. */
const KILL_PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 20;

export function kinIn({ processes }: Scan, { marks, marked, mark, pid: leader }: Kin): number[] {
  const found = new Set<number>();
  for (const process of processes) {
    if (process.session === leader || process.pid === leader || (marked && marks.isOf(mark, process)))
      found.add(process.pid);
  }
  for (let grown = true; grown && !marked; ) {
    grown = false;
    for (const { pid, parent } of processes) {
      if (!found.has(parent) || found.has(pid)) continue;
      found.add(pid);
      grown = true;
    }
  }
  return [...found];
}

/** Ends everything a call started: TERM, a grace, then KILL until a look at all processes finds nothing of it. */
export async function endKin(kin: Kin, graceMs: number): Promise<'verified' | 'unverified'> {
  const gone = kin.marked ? 'verified' : 'unverified';
  await signalKin(kin, 'SIGTERM');
  const graceEnds = performance.now() + graceMs;
  do {
    if (kinIn(await kin.keeper.scan(), kin).length === 0) return gone;
    await pause(LOOK_EVERY_MS);
  } while (performance.now() < graceEnds);
  const until = performance.now() + KILL_PATIENCE_MS;
  while (performance.now() < until) {
    if (!(await signalKin(kin, 'SIGKILL'))) return gone;
  }
  return 'unverified';
}

/** @returns whether anything was there */
export async function signalKin(kin: Kin, signal: string): Promise<boolean> {
  const scan = await kin.keeper.scan();
  const found = kinIn(scan, kin);
  if (found.length === 0) return false;
  const own = new Set(found);
  // A whole group at once, where nobody else is in it: what forks faster than it is read does not get away.
  const groups = new Set(scan.processes.filter(({ pid }) => own.has(pid)).map(({ group }) => group));
  for (const { pid, group } of scan.processes) if (!own.has(pid)) groups.delete(group);
  await kin.keeper.kill(
    signal,
    [...groups].filter((group) => group > 1).map((group) => -group),
  );
  if (signal === 'SIGKILL') await kin.keeper.kill('SIGSTOP', found);
  if (signal === 'SIGKILL' || groups.size === 0) await kin.keeper.kill(signal, found);
  else
    await kin.keeper.kill(
      signal,
      scan.processes.filter(({ pid, group }) => own.has(pid) && !groups.has(group)).map(({ pid }) => pid),
    );
  return true;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
