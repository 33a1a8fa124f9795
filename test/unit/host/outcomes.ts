import { expect } from 'vitest';
import type { ToolOutcome } from '../../../src/host/types.js';
import type { ToolErrorResult } from '../../../src/tool/result.js';

/** The output of a call that must have succeeded. */
export function outputOf(outcome: ToolOutcome | undefined): unknown {
  expect(outcome).toMatchObject({ status: 'ok', isError: false });
  return outcome?.status === 'ok' ? outcome.output : undefined;
}

/** The error of a call that must have failed. */
export function errorOf(outcome: ToolOutcome | undefined): ToolErrorResult {
  expect(outcome).toMatchObject({ status: 'error', isError: true });
  if (outcome?.status !== 'error') throw new Error('The call did not fail');
  return outcome.error;
}

/** A promise that is settled from outside. */
export function deferred<T = void>() {
  return Promise.withResolvers<T>();
}

/** Lets everything run that can without waiting for time. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
