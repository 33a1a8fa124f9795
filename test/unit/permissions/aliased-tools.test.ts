import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { defineTool } from '../../../src/tool/define-tool.js';

/** A tool that is itself called by a name which rules take for another one's. */
const CASES: [rule: string, tool: string, args?: object][] = [
  ['Bash', 'Bash'],
  ['shell', 'Bash'],
  ['Bash(git push:*)', 'Bash', { command: 'cd a && git push' }],
  ['Read(**/.env)', 'Read', { path: 'a/.env' }],
  ['Read(**/.env)', 'Read', { file_path: 'a/.env' }],
  ['Read(**/.env)', 'Read', { path: 'a', file_path: 'a/.env' }],
  ['Edit(**/.env)', 'Write', { filePath: 'a/.env' }],
  ['Read(**/.env)', 'Read', { somewhere: 'a/.env' }],
  ['Edit', 'MultiEdit'],
  ['Write', 'MultiEdit'],
  ['mcp__github__push', 'mcp__github__push'],
  ['github__push', 'mcp__github__push'],
  ['mcp__github__*', 'mcp__github__push'],
  ['mcp__github', 'mcp__github__push'],
  ['mcp__push', 'mcp__push'],
  ['WebFetch', 'WebFetch'],
];

describe('a tool that is called by an alias', () => {
  it.each(CASES)('is met by the rule %s as %s', (rule, toolName, args = {}) => {
    for (const effect of ['deny', 'ask'] as const)
      expect(parsePolicy({ [effect]: [rule] }).decide({ toolName, args }).effect).toBe(effect);
  });

  it('is not listed, and does not run, when it is denied as a whole', async () => {
    const tool = (name: string) => defineTool({ name, description: 'd', input: z.object({}), execute: () => 'ran' });
    const host = createToolHost({
      tools: ['Bash', 'mcp__github__push', 'other'].map(tool),
      permissions: { deny: ['Bash', 'mcp__github__push'] },
      policyFiles: false,
    });
    expect(host.permissions.warnings).toEqual([]);
    expect(host.tools().map(({ name }) => name)).toEqual(['other']);
    for (const toolName of ['Bash', 'mcp__github__push'])
      expect(await host.call({ toolName, args: {} })).toMatchObject({ error: { kind: 'denied' } });
  });

  it('is allowed by a path only when every path that it is given is', () => {
    const policy = parsePolicy({ allow: ['Read(src/**)'], default: 'ask' });
    const effectOf = (args: object) => policy.decide({ toolName: 'Read', args }).effect;
    expect(effectOf({ file_path: 'src/a.ts' })).toBe('allow');
    expect(effectOf({ path: 'src/a.ts', file_path: 'b.ts' })).toBe('ask');
    expect(effectOf({})).toBe('ask');
  });
});
