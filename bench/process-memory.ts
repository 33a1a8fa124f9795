import { readdirSync, readFileSync } from 'node:fs';

/** Processes this one has started and that still run, their own children with them. */
export function childProcesses(pid = process.pid): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...childProcesses(child)]);
}

/** Proportional set size of processes, MB (10^6 bytes). */
export function pss(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + pssOf(pid), 0);
}

function pssOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return (Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) * 1024) / 1e6;
}
