import { describe, expect, it } from 'vitest';
import { parseRule } from '../../../src/permissions/rules/parse-rule.js';
import { RuleSyntaxError } from '../../../src/permissions/rules/policy-error.js';

describe('parseRule()', () => {
  it.each([
    ['shell(git push:*)', { tool: 'shell', command: 'git push:*' }],
    ['read_file(**/.env)', { tool: 'read_file', path: '**/.env' }],
    ['write_file(//etc/**)', { tool: 'write_file', path: '//etc/**' }],
    ['  shell ', { tool: 'shell' }],
    ['*', { tool: '*' }],
    ['github__*', { tool: 'github__*' }],
    ['fetch(domain:*.example.com)', { tool: 'fetch', domain: '*.example.com' }],
    ['shell(echo "a (b)")', { tool: 'shell', command: 'echo "a (b)"' }],
    ['read_file(docs (old)/a.md)', { tool: 'read_file', path: 'docs (old)/a.md' }],
  ])('reads %s', (text, body) => {
    expect(parseRule(text)).toEqual(body);
  });

  it.each([
    ['Bash(npm run test:*)', { tool: 'shell', command: 'npm run test:*' }],
    ['Read(./.env)', { tool: 'read_file', path: './.env' }],
    ['Write(docs/**)', { tool: 'write_file', path: 'docs/**' }],
    ['Edit(/src/**)', { tool: 'edit_file', path: '/src/**' }],
    ['MultiEdit', { tool: 'edit_file' }],
    ['Grep', { tool: 'grep' }],
    ['Glob', { tool: 'glob' }],
    ['mcp__github__*', { tool: 'github__*' }],
    ['WebFetch(domain:example.com)', { tool: 'fetch', domain: 'example.com' }],
    ['mcp__github__create_issue', { tool: 'github__create_issue' }],
  ])('reads %s as Claude Code means it', (text, body) => {
    expect(parseRule(text)).toEqual(body);
  });

  it.each([
    ['', 0, 'it is empty'],
    ['shell(git push', 14, 'the closing parenthesis is missing'],
    ['shell(ls) x', 9, 'nothing may follow the closing parenthesis'],
    ['shell()', 6, 'write shell alone'],
    ['shell( )', 6, 'nothing is between the parentheses'],
    ['git push', 3, "'git push' is not a tool name"],
    ['deploy(prod)', 6, "use an object with 'args'"],
    ['fetch(domain:http://x)', 13, 'is not a host name'],
    ['shell(:*)', 6, 'write shell for every command'],
    ["shell(echo 'x)", 11, 'is not closed'],
    ['tool.name', 4, 'use letters, digits, _ and -'],
  ])('refuses %j at position %i and says how to mend it', (text, position, problem) => {
    const error = catchError(() => parseRule(text));
    expect(error).toBeInstanceOf(RuleSyntaxError);
    expect((error as RuleSyntaxError).position).toBe(position);
    expect((error as RuleSyntaxError).message).toContain(problem);
  });

  it('names prototype members without stumbling', () => {
    expect(parseRule('constructor')).toEqual({ tool: 'constructor' });
    expect(parseRule('__proto__')).toEqual({ tool: '__proto__' });
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
