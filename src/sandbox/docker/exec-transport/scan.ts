import type { Counters } from '../../../../sandbox/protocol/counter-claims.js';

/** A living process in the container. Zombies are not counted: they hold nothing and go by themselves. */
export interface ScannedProcess {
  pid: number;
  parent: number;
  uid: number;
  group: number;
  session: number;
  /** Hard limits, bytes; `Infinity` where there is none. */
  fileSize: number;
  dataSize: number;
  name: string;
}

export interface Scan {
  processes: ScannedProcess[];
  counters: Counters;
  /** Processes and threads; 0 where the kernel does not say. */
  count: number;
}

const PROCESS = /^p (\d+) (\d+) (\d+) (\d+) (\d+) (\d+|unlimited) (\d+|unlimited) (.{0,64})$/;
const COUNTERS = /^c (\d+) (\d+) (\d+)$/;

/** Lines that are neither are processes that ended while they were looked at. */
export function readScan(lines: readonly string[]): Scan {
  const scan: Scan = { processes: [], counters: { oomKills: 0, pidsRefused: 0 }, count: 0 };
  for (const line of lines) {
    const [, pid, parent, uid, group, session, fileSize, dataSize, name = ''] = PROCESS.exec(line) ?? [];
    if (pid !== undefined) {
      scan.processes.push({
        pid: Number(pid),
        parent: Number(parent),
        uid: Number(uid),
        group: Number(group),
        session: Number(session),
        fileSize: bytes(fileSize),
        dataSize: bytes(dataSize),
        name,
      });
      continue;
    }
    const counted = COUNTERS.exec(line);
    if (counted === null) continue;
    scan.counters = { oomKills: Number(counted[1]), pidsRefused: Number(counted[2]) };
    scan.count = Number(counted[3]);
  }
  return scan;
}

function bytes(limit: string | undefined): number {
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
}
