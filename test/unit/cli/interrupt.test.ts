import { afterEach, expect, it } from 'vitest';
import { withInterrupt } from '../../../src/cli/interrupt.js';

const before = process.listeners('SIGINT');
const added = () => process.listeners('SIGINT').filter((listener) => !before.includes(listener));

afterEach(() => {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    for (const listener of added()) process.off(name, listener);
  }
});

it('an interrupted command goes on taking signals while the process ends, so that none changes its exit code', async () => {
  const code = await withInterrupt(async (signal) => {
    process.emit('SIGINT', 'SIGINT');
    expect(signal.aborted).toBe(true);
    return 0;
  });
  expect(code).toBe(130);
  expect(added()).toHaveLength(1);
});

it('a command that was not interrupted leaves signals as they were', async () => {
  expect(await withInterrupt(async () => 3)).toBe(3);
  expect(added()).toEqual([]);
});
