import type { BashOptions } from 'just-bash/browser';

type Limits = NonNullable<BashOptions['executionLimits']>;

const MiB = 1024 * 1024;
const PLENTY = 1_000_000_000;

/**
 * The interpreter's own limits, out of the way of honest work: time and memory are held by the worker's watchdog. What
 * stays is what protects the isolate's stack, and what a shell on a real system refuses too.
 */
export const SHELL_LIMITS: Limits = {
  maxCallDepth: 1000,
  maxCommandCount: PLENTY,
  maxLoopIterations: PLENTY,
  maxAwkIterations: PLENTY,
  maxSedIterations: PLENTY,
  maxJqIterations: PLENTY,
  maxWorkUnits: Number.MAX_SAFE_INTEGER,
  maxTraversalEntries: 100 * 1_000_000,
  maxTraversalWork: PLENTY,
  maxGlobOperations: PLENTY,
  maxLiveBytes: 2048 * MiB,
  maxInputBytes: 64 * 1024 * MiB,
  maxStringLength: 256 * MiB,
  maxOutputSize: 256 * MiB,
  maxArrayElements: 10_000_000,
  maxBraceExpansionResults: 1_000_000,
  maxQueryElements: 100 * 1_000_000,
  maxExecutionTimeMs: Number.POSITIVE_INFINITY,
};
