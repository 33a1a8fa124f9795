import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CallContext, parsePolicy } from '../../src/permissions/policy.js';
import type { PermissionLists, RuleEffect } from '../../src/permissions/rules/rule.js';

interface Case {
  id: string;
  class: string;
  rules: PermissionLists;
  call: { tool: string; args: Record<string, unknown> };
  ctx?: CallContext;
  expect: RuleEffect;
  why: string;
}

const cases = readFileSync(new URL('./cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('the permission cases', () => {
  it('are all there', () => {
    expect(cases).toHaveLength(389);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(389);
  });

  it.each(cases.map((one) => [one.id, one.class, one] as const))(
    '%s (%s) is decided as it must be',
    (_id, _class, one) => {
      const policy = parsePolicy({ ...one.rules, default: 'ask' });
      const call = { toolName: one.call.tool, args: one.call.args };
      const explained = policy.explain(call, one.ctx);
      expect(explained.decision, `${JSON.stringify(one.call.args)}: ${one.why}`).toBe(one.expect);
      expect(policy.decide(call, one.ctx).effect).toBe(one.expect);
    },
  );
});
