import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';
import type { PermissionLists, RuleEffect } from '../../../src/permissions/rule.js';

interface Case {
  id: string;
  class: string;
  rules: PermissionLists;
  call: { tool: string; args: Record<string, unknown> };
  expect: RuleEffect;
  why: string;
}

/**
 * 366 of the 389 cases that this first reader is held to; what is not known is `ask`, as the cases assume. The 23
 * left out: three need a file system (links), three are syntax errors that run nothing, one is code inside an
 * interpreter, and the rest are paths that a word does not name plainly, which the sandbox's file gate refuses.
 */
const cases = readFileSync(new URL('./fixtures/cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('the permission cases', () => {
  it('are all there', () => {
    expect(cases).toHaveLength(366);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(366);
  });

  it.each(cases.map((one) => [one.id, one.class, one] as const))(
    '%s (%s) is decided as it must be',
    (_id, _class, one) => {
      const policy = parsePolicy({ ...one.rules, default: 'ask' });
      const decision = policy.decide({ toolName: one.call.tool, args: one.call.args });
      expect(decision.effect, `${JSON.stringify(one.call.args)}: ${one.why}`).toBe(one.expect);
    },
  );
});
