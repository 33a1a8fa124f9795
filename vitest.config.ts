import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Real processes on a machine that does other things too: in the gate a failure is tried once more before it counts.
    retry: process.env.CI === undefined ? 0 : 1,
    typecheck: { enabled: false },
  },
});
