import type { Expectation } from './expectation.js';

/** One call of the demo and what must become of it. */
export interface DemoStep {
  /** For the reader: what the agent is doing. */
  title: string;
  tool: string;
  args: unknown;
  expect: Expectation;
}

/** A part of the demo under its own heading. */
export interface DemoChapter {
  heading: string;
  steps: readonly DemoStep[];
}
