import type { Stage } from './stage.js';

/** Carries one case out against the real thing and asserts what the case expects. */
export interface Attack {
  (stage: Stage): Promise<void>;
  timeoutMs?: number;
}

/** Attacks by the id of their case. */
export type Attacks = Readonly<Record<string, Attack>>;

/** An attack that needs more time than a test usually gets. */
export function within(timeoutMs: number, attack: (stage: Stage) => Promise<void>): Attack {
  return Object.assign(attack, { timeoutMs });
}
