import { readFileSync } from 'node:fs';
import type { Counters } from '../../protocol/counter-claims.js';

/** cgroup v1 and v2 keep the same counters in different files; the first that can be read stays. */
const SOURCES: { [counter in keyof Counters]: { path: string; pattern: RegExp }[] } = {
  oomKills: [
    { path: '/sys/fs/cgroup/memory.events', pattern: /^oom_kill (\d+)$/m },
    { path: '/sys/fs/cgroup/memory/memory.oom_control', pattern: /^oom_kill (\d+)$/m },
  ],
  pidsRefused: [
    { path: '/sys/fs/cgroup/pids.events', pattern: /^max (\d+)$/m },
    { path: '/sys/fs/cgroup/pids/pids.events', pattern: /^max (\d+)$/m },
  ],
};

export function readCounters(): Counters {
  return { oomKills: readCounter('oomKills'), pidsRefused: readCounter('pidsRefused') };
}

function readCounter(counter: keyof Counters): number {
  const sources = SOURCES[counter];
  for (const [index, { path, pattern }] of sources.entries()) {
    const text = read(path);
    const match = text === undefined ? null : pattern.exec(text);
    if (match === null) continue;
    // It is read at the end of every command: what is not there is not tried again.
    sources.splice(0, index);
    return Number(match[1]);
  }
  return 0;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
