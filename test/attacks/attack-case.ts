import { readFileSync } from 'node:fs';

/** One line of `attack-cases.jsonl`: what an attacker does and what must become of it. */
export interface AttackCase {
  id: string;
  adapter: 'isolate' | 'both' | 'host';
  class: string;
  /** What to do. */
  call: string;
  /** What must hold; names in capitals are the codes of `sandbox/protocol/error-code.ts` under older names. */
  expect: string;
  note: string;
  /** What the bare engines did, before there was anything of ours around them. */
  raw: string;
}

export function readAttackCases(): AttackCase[] {
  const text = readFileSync(new URL('attack-cases.jsonl', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AttackCase);
}
