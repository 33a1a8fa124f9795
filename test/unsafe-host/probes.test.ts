import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { createUnsafeHostSandbox } from '../../src/sandbox/unsafe-host/create-unsafe-host-sandbox.js';
import type { UnsafeHostOptions } from '../../src/sandbox/unsafe-host/options.js';
import { itHoldsTheProbes } from '../docker/probes.js';

const ABLE = spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']).status === 0;
const SAID = { iKnowThatNothingIsIsolated: true } as const;

describe.skipIf(!ABLE)('the probes that peers failed, on the unsafe host', () => {
  itHoldsTheProbes({
    create: () => createUnsafeHostSandbox(SAID),
    limits: async () => {
      const limits = { memoryBytes: 256 * 1024 * 1024 };
      expect(() => createUnsafeHostSandbox({ ...SAID, limits } as UnsafeHostOptions)).toThrow(/limits/);
    },
    // There is no container.
    without: ['container removed mid-run is not a command result'],
  });
});
