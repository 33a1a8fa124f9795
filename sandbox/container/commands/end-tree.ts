import { findKin, type Kin } from './process-table.js';

/** How long killing is tried before it is called unverified. Something in an uninterruptible wait cannot be killed sooner. */
const KILL_PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 10;

/** Ends everything a call started: TERM, a grace, then KILL until nothing of it is left. */
export async function endTree(kin: Kin, graceMs: number): Promise<'verified' | 'unverified'> {
  signalTree(kin, 'SIGTERM');
  if (await isGone(kin, graceMs)) return 'verified';
  const until = performance.now() + KILL_PATIENCE_MS;
  while (performance.now() < until) {
    killOnce(kin);
    await pause(LOOK_EVERY_MS);
    if (findKin(kin).length === 0) return 'verified';
  }
  return 'unverified';
}

/** @returns whether anything was there to signal */
export function signalTree(kin: Kin, signal: NodeJS.Signals): boolean {
  // Looked for first: a parent that ends takes the trace of its children with it.
  const others = findKin(kin);
  const reached = send(-kin.pid, signal);
  // Its leader has had it with its group, unless it is too young to have made one.
  for (const pid of others) if (pid !== kin.pid || !reached) send(pid, signal);
  return reached || others.length > 0;
}

/** Stopped first: a tree that forks faster than it is read would otherwise outrun the reading. */
function killOnce(kin: Kin): void {
  const found = findKin(kin);
  send(-kin.pid, 'SIGKILL');
  for (const pid of found) send(pid, 'SIGSTOP');
  for (const pid of found) send(pid, 'SIGKILL');
}

async function isGone(kin: Kin, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (;;) {
    if (findKin(kin).length === 0) return true;
    if (performance.now() >= until) return false;
    await pause(LOOK_EVERY_MS);
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
