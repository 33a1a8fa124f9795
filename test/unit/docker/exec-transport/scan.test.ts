import { describe, expect, it } from 'vitest';
import { readScan } from '../../../../src/sandbox/docker/exec-transport/scan.js';

describe('a look at the processes of a container', () => {
  it('reads processes and counters, and leaves out what ended while it was looked at', () => {
    const scan = readScan([
      'p 1 0 0 1 1 unlimited unlimited docker-init',
      'p 9   9 9',
      'p 12 1 20001 12 12 512 1024 sleep',
      'c 2 3 4',
    ]);
    expect(scan.processes).toEqual([
      {
        pid: 1,
        parent: 0,
        uid: 0,
        group: 1,
        session: 1,
        fileSize: Number.POSITIVE_INFINITY,
        dataSize: Number.POSITIVE_INFINITY,
        name: 'docker-init',
      },
      { pid: 12, parent: 1, uid: 20001, group: 12, session: 12, fileSize: 512, dataSize: 1024, name: 'sleep' },
    ]);
    expect([scan.counters, scan.count]).toEqual([{ oomKills: 2, pidsRefused: 3 }, 4]);
  });
});
