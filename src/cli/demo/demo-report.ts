import type { ToolOutcome } from '../../host/types.js';
import type { DemoStep } from './demo-step.js';

/** A step as it went. */
export interface StepReport {
  step: DemoStep;
  outcome: ToolOutcome;
  /** Why it is not what it should be. */
  wrong?: string;
}

/** The whole demo as it went. */
export interface DemoReport {
  steps: StepReport[];
  leaks: number;
  untouched: boolean;
  diff: string;
  totalMs: number;
}

/** Whether everything, the good and the bad, went as it should. */
export function wentWell(report: DemoReport): boolean {
  return report.untouched && report.leaks === 0 && report.steps.every((step) => step.wrong === undefined);
}
