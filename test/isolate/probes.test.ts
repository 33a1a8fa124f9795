import { describe, expect } from 'vitest';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import type { IsolateSession } from '../../src/sandbox/isolate/isolate-session.js';
import { itHoldsTheProbes } from '../docker/probes.js';

describe('the probes that peers failed, on the isolate', () => {
  itHoldsTheProbes({
    create: () => createIsolateSandbox(),
    crash: async (session) => {
      for (const pid of (session as IsolateSession).processIds()) process.kill(pid, 'SIGKILL');
    },
    limits: async () => {
      await using session = createIsolateSandbox({ limits: { memoryBytes: 256 * 1024 * 1024 } });
      const filled = await session.evaluate?.('const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length))');
      expect(filled).toMatchObject({ status: 'error', code: 'oom' });
    },
    // There are no processes here, no signals and no special files.
    without: [
      'timeout: tree dead after 2.5 s',
      'abort: tree dead',
      '`kill -9 $$` → 137',
      'FIFO read refused',
      'bg child: returns < 1 s',
    ],
  });
});
