import { defineConfig } from 'vitest/config';
import FlakyReporter from './test/flaky-reporter.ts';

const inGate = process.env.CI !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Real processes on a machine that does other things too: in the gate a failure is tried once more before it counts,
    // and is then named, as a bug that was seen once.
    retry: inGate ? 1 : 0,
    typecheck: { enabled: false },
    reporters: ['default', new FlakyReporter()],
  },
});
