import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessId } from '../../integration/cli/run-cli.js';

/** The children of a process, once it has some and their number holds still. */
export async function childrenOf(pid: number): Promise<ProcessId[]> {
  let last = -1;
  for (let round = 0; round < 100; round += 1) {
    const children = listChildren(pid);
    if (children.length > 0 && children.length === last) return children;
    last = children.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return listChildren(pid);
}

function listChildren(pid: number): ProcessId[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
      .flatMap((child) => {
        const startTime = startTimeOf(Number(child));
        return startTime === undefined ? [] : [{ pid: Number(child), startTime }];
      });
  } catch {
    return [];
  }
}

function startTimeOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
