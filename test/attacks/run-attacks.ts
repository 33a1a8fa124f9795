import { describe, it } from 'vitest';
import type { Attack, Attacks } from './attack.js';
import { type AttackCase, readAttackCases } from './attack-case.js';
import { openStage } from './stage.js';

const TIMEOUT_MS = 30_000;

/** One test for each attack of a group, titled and explained by its line in `attack-cases.jsonl`. */
export function runAttacks(group: string, attacks: Attacks): void {
  const cases = new Map(readAttackCases().map((line) => [line.id, line]));
  describe(group, () => {
    for (const [id, attack] of Object.entries(attacks)) {
      const line = cases.get(id);
      const title = `${id}: ${line?.call ?? 'has no line in attack-cases.jsonl'}`;
      it(title, { timeout: attack.timeoutMs ?? TIMEOUT_MS }, () => carryOut(attack, line));
    }
  });
}

async function carryOut(attack: Attack, line: AttackCase | undefined): Promise<void> {
  if (line === undefined) throw new Error('This attack has no line in attack-cases.jsonl');
  await using stage = openStage();
  try {
    await attack(stage);
  } catch (error) {
    if (error instanceof Error) error.message = `Expected by ${line.id}: ${line.expect}\n${error.message}`;
    throw error;
  }
}
