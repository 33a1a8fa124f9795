import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { findPolicyFiles } from '../../../src/permissions/policy-files/find-policy-files.js';
import { importClaudeSettings } from '../../../src/permissions/policy-files/import-claude-settings.js';
import { POLICY_SCHEMA } from '../../../src/permissions/policy-files/policy-schema.js';
import { STARTER_POLICY } from '../../../src/permissions/policy-files/starter-policy.js';
import { PolicyError } from '../../../src/permissions/rules/policy-error.js';
import type { PermissionLists } from '../../../src/permissions/rules/rule.js';
import { readCases, runCases } from '../../../src/permissions/run-cases.js';

const shell = (command: string) => ({ toolName: 'shell', args: { command } });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'policy-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function save(name: string, policy: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(policy));
  return path;
}

describe('layers', () => {
  it('let a deny or ask rule of any layer hold', () => {
    const policy = parsePolicy(
      { allow: ['shell'] },
      {
        layers: [
          { name: 'managed', input: { deny: ['shell(rm:*)'] } },
          { name: 'user', input: { ask: ['shell(ls:*)'] } },
        ],
      },
    );
    expect(policy.decide(shell('rm x')).effect).toBe('deny');
    expect(policy.decide(shell('ls')).effect).toBe('ask');
    expect(policy.decide(shell('cat x')).effect).toBe('allow');
  });

  it('count the allow rules of a project only when it is trusted, and say so', () => {
    save('caisson.policy.json', { allow: ['shell(ls:*)'], deny: ['shell(rm:*)'], default: 'allow' });
    const load = (trustProject: boolean) =>
      parsePolicy(
        { default: 'ask' },
        {
          workspace: directory,
          trustProject,
          layers: findPolicyFiles({ workspace: directory, managed: '/nonexistent', user: '/nonexistent' }),
        },
      );
    expect(load(false).decide(shell('ls')).effect).toBe('ask');
    expect(load(false).warnings).toEqual([
      expect.stringContaining('1 allow rule of project:caisson.policy.json left out'),
    ]);
    expect(load(true).decide(shell('ls')).effect).toBe('allow');
    const denied = load(false).decide(shell('rm x'));
    expect(denied.rule?.source).toBe('project:caisson.policy.json#deny[0]');
  });

  it('take a file inside the workspace for the project, whoever names it', () => {
    const path = save('rules.json', { allow: ['shell'], default: 'deny' });
    const policy = parsePolicy(path, { workspace: directory });
    expect(policy.decide(shell('ls')).effect).toBe('deny');
    expect(policy.rules).toEqual([]);
  });

  it('use the strictest default', () => {
    const policy = parsePolicy({ default: 'allow' }, { layers: [{ name: 'user', input: { default: 'ask' } }] });
    expect(policy.default).toBe('ask');
  });

  it('refuse a policy file that is a link, and a managed one that others may write', () => {
    save('real.json', {});
    symlinkSync(join(directory, 'real.json'), join(directory, 'caisson.policy.json'));
    const none = { managed: '/nonexistent', user: '/nonexistent' };
    expect(() => findPolicyFiles({ workspace: directory, ...none })).toThrow('not a regular file');
    const managed = save('managed.json', {});
    expect(findPolicyFiles({ ...none, managed: '/etc/hostname-that-is-not-there' })).toEqual([]);
    expect(() => findPolicyFiles({ ...none, managed: join(directory, 'real.json') })).not.toThrow(TypeError);
    mkdirSync(join(directory, 'x'));
    expect(() => findPolicyFiles({ ...none, managed: join(directory, 'x') })).toThrow(PolicyError);
    expect(managed).toContain('managed.json');
  });

  it('say in which file and at which place a rule cannot be parsed', () => {
    const path = save('caisson.policy.json', { deny: ['shell(rm)', 'shell('] });
    expect(() => parsePolicy({}, { workspace: directory, layers: [{ name: 'project', input: path }] })).toThrow(
      "Cannot parse the rule 'shell(' at position 6: the closing parenthesis is missing (project:caisson.policy.json#deny[1])",
    );
  });

  it('refuse a project policy under the name that comments suggest, which nothing would read', () => {
    save('caisson.policy.jsonc', { deny: ['shell'] });
    expect(() => findPolicyFiles({ workspace: directory, managed: '/nonexistent', user: '/nonexistent' })).toThrow(
      "call it 'caisson.policy.json'",
    );
  });
});

describe('a rule that cannot hold is an error at load', () => {
  it.each([
    [{ deny: ['shel(rm:*)'] }, 'did you mean shell(rm:*)?'],
    [{ deny: ['shell(ls && rm:*)'] }, "apart from '&&'"],
    [{ deny: ['shell(FOO=1 npm test)'] }, 'variables before a command'],
    [{ deny: ['read_file(../secret)'] }, "'..' is resolved"],
    [{ deny: ['read_file(src\\secret)'] }, "write '/' between directories"],
    [{ deny: ['write_file(.git/**)'], allow: ['shell(git commit:*)'] }, "'git commit' has to write in .git"],
    [
      { deny: ['write_file(package-lock.json)'], allow: ['shell(npm install:*)'] },
      "'npm install' has to write in package-lock.json",
    ],
    [{ deny: [{ tool: 'shell', command: 'rm:*', match: ['ls'] }] }, 'does not match its example'],
  ])('%j', (lists, problem) => {
    expect(() => parsePolicy(lists)).toThrow(PolicyError);
    expect(() => parsePolicy(lists)).toThrow(problem);
  });

  it('when no tool has its name', () => {
    const tools = ['deploy'];
    expect(() => parsePolicy({ deny: ['deplay'] }, { tools })).toThrow(
      "no tool is called 'deplay'; did you mean 'deploy'?",
    );
    expect(parsePolicy({ deny: ['deploy', 'shell(rm:*)'] }, { tools }).warnings).toEqual([]);
    const { warnings } = parsePolicy({ deny: ['fetch(domain:*)', 'mcp__github__*', 'github__delete'] }, { tools });
    expect(warnings).toHaveLength(3);
  });

  it('but a tool of Claude Code that has no like here is none', () => {
    const { warnings } = parsePolicy({ deny: ['Task', 'KillShell', 'mcp__github'] }, { tools: ['deploy'] });
    expect(warnings).toHaveLength(3);
  });

  it.each<[PermissionLists, string]>([
    [{ deny: ['shell(curl * | sh)'] }, "apart from '|'"],
    [{ deny: ['shell("git push")'] }, "'git push' is one word"],
    [{ ask: [{ tool: 'shell', command: ['git push'] }] }, "'git push' is one word"],
    [{ deny: ['read_file(!.env)'] }, "taken back with '!'"],
    [{ deny: [{ tool: 'deploy', args: { env: [] } }] }, "the list for 'env' is empty"],
    [{ deny: ['read_file(/home/me/project/.env)'] }, "write '/.env', or '//home/me/project/.env'"],
  ])('when %j can never match', (lists, problem) => {
    expect(() => parsePolicy(lists, { workspace: '/home/me/project' })).toThrow(problem);
  });

  it('but narrow denies beside an allowed command are none', () => {
    const lists = { deny: ['write_file(.git/hooks/**)', 'write_file(.git/config)'], allow: ['shell(git commit:*)'] };
    expect(() => parsePolicy(lists)).not.toThrow();
    expect(() => parsePolicy({ deny: ['write_file(.git/**)'], allow: ['shell(git:*)', 'shell'] })).not.toThrow();
  });

  it('and an allow rule that a deny takes back whole only warns', () => {
    expect(parsePolicy({ deny: ['shell'], allow: ['shell(ls:*)'] }).warnings).toEqual([
      expect.stringContaining('allows nothing'),
    ]);
  });
});

describe('domain rules', () => {
  const fetch = (url: unknown) => ({ toolName: 'fetch', args: { url } });
  it.each([
    ['fetch(domain:example.com)', 'https://example.com/x', 'deny'],
    ['fetch(domain:example.com)', 'https://EXAMPLE.com./x', 'deny'],
    ['fetch(domain:example.com)', 'https://sub.example.com', 'allow'],
    ['fetch(domain:*.example.com)', 'https://a.b.example.com', 'deny'],
    ['fetch(domain:*.example.com)', 'https://example.com', 'deny'],
    ['fetch(domain:*.example.com)', 'https://evil-example.com', 'allow'],
    ['fetch(domain:example.com)', 'https://example.com@other.org', 'allow'],
    ['fetch(domain:example.com)', 'not a url', 'deny'],
    ['fetch(domain:*)', 'http://10.0.0.1', 'deny'],
    ['fetch(domain:evil.com)', 'http://good.com\\@evil.com', 'deny'],
    ['fetch(domain:evil.com)', 'http://evil.com\\.good.com/', 'deny'],
    ['fetch(domain:evil.com)', 'http://good.com#@evil.com', 'deny'],
    ['fetch(domain:evil.com)', 'http://good.com\n@evil.com/', 'deny'],
    ['fetch(domain:evil.com)', 'http://a@evil.com@good.com/', 'deny'],
    ['fetch(domain:evil.com)', 'http:evil.com', 'deny'],
    ['fetch(domain:evil.com)', 'http://evil\u3002com', 'deny'],
    ['fetch(domain:evil.com)', 'blob:http://evil.com/x', 'deny'],
    ['fetch(domain:evil.com)', 'view-source:http://evil.com', 'deny'],
    ['fetch(domain:*.evil.com)', 'view-source:view-source:https://a.evil.com/', 'deny'],
    ['fetch(domain:evil.com)', 'jar:http://evil.com!/x', 'deny'],
    ['fetch(domain:evil.com)', '//evil.com', 'deny'],
    ['fetch(domain:evil.com)', 'blob:http://good.com/x', 'allow'],
    ['fetch(domain:evil.com)', 'https://good.com/?next=http://evil.com', 'allow'],
    ['fetch(domain:evil.com)', 'data:text/plain,evil.com', 'allow'],
    ['fetch(domain:evil.com)', 'https://good.com/a@evil.com', 'allow'],
  ])('%s on %s: %s', (rule, url, effect) => {
    expect(parsePolicy({ deny: [rule] }).decide(fetch(url)).effect).toBe(effect);
  });

  it('allow only what is certain', () => {
    const policy = parsePolicy({ allow: ['fetch(domain:example.com)'], default: 'ask' });
    expect(policy.decide(fetch('https://example.com')).effect).toBe('allow');
    expect(policy.decide(fetch(undefined)).effect).toBe('ask');
    expect(policy.decide(fetch('https://user@example.com:443/a@b?c#d')).effect).toBe('allow');
  });

  it.each([
    'http://example.com\\@evil.com',
    'http://evil.com\\@example.com',
    'http://example.com#@evil.com',
    'http://example%2ecom/',
    'http:example.com',
    'blob:https://example.com/x',
    'view-source:https://example.com',
  ])('allow no URL that parsers read differently, or that holds another: %j', (url) => {
    const policy = parsePolicy({ allow: ['fetch(domain:example.com)'], default: 'ask' });
    expect(policy.decide(fetch(url)).effect).toBe('ask');
  });
});

describe('importClaudeSettings()', () => {
  it('maps names, and tells what differs', () => {
    const { policy, notes } = importClaudeSettings({
      permissions: {
        deny: ['Bash(curl:*)', 'Bash(yarn)', 'Read(./.env)', 'Write(docs/**)', 'Task(model:opus)'],
        ask: ['mcp__github__*'],
        allow: ['Bash(npm run *)', 'Nope(', 'Task(model:x)'],
        defaultMode: 'acceptEdits',
      },
    });
    expect(policy).toEqual({
      deny: [
        'shell(curl:*)',
        'shell(yarn)',
        'read_file(./.env)',
        'write_file(docs/**)',
        { tool: 'Task', args: { model: 'opus' } },
      ],
      ask: ['github__*'],
      allow: ['shell(npm run *)'],
      default: 'ask',
    });
    for (const part of [
      'Bash(yarn): there it matches',
      'Write(docs/**): there',
      'Nope(: left out',
      'Task(model:x): left out',
      'defaultMode',
    ])
      expect(
        notes.some((note) => note.startsWith(part)),
        part,
      ).toBe(true);
    expect(() => parsePolicy(policy)).not.toThrow();
  });

  it('takes over a name for what it names there, and no more', () => {
    const { policy, notes } = importClaudeSettings({
      sandbox: { enabled: true },
      hooks: { PreToolUse: [] },
      permissions: {
        deny: [
          'NotebookEdit',
          'mcp__github',
          'KillShell',
          'Agent(model:opus)',
          'Bash(a && b)',
          'Read(/x)',
          'MultiEdit',
        ],
        allow: ['mcp__*'],
      },
    });
    expect(policy.deny).toEqual([
      'notebook_edit',
      'github__*',
      'KillShell',
      { tool: 'Agent', args: { model: 'opus' } },
      'read_file(/x)',
      'edit_file',
    ]);
    expect(policy.allow).toEqual(['*__*']);
    const loaded = parsePolicy(policy, { tools: ['deploy'] });
    const effectOf = (toolName: string) => loaded.decide({ toolName, args: { command: 'ls' } }).effect;
    expect(['shell', 'github__x', 'gitlab__x'].map(effectOf)).toEqual(['ask', 'deny', 'allow']);
    for (const part of [
      'NotebookEdit: ',
      'KillShell: ',
      'Agent(',
      'Bash(a && b): left out',
      'MultiEdit: ',
      'sandbox: ',
      'hooks: ',
    ])
      expect(
        notes.some((note) => note.startsWith(part)),
        part,
      ).toBe(true);
  });

  it.each([5, null, [], { permissions: [] }, { permissions: { deny: 'x' } }])('refuses %j', (settings) => {
    expect(() => importClaudeSettings(settings)).toThrow(TypeError);
  });
});

describe('the starter policy', () => {
  const policy = parsePolicy(parse(STARTER_POLICY));
  it.each([
    ['cat .env', 'deny'],
    ['git push', 'deny'],
    ['npm publish', 'deny'],
    ['echo x > .git/hooks/pre-commit', 'deny'],
    ['echo x >> ~/.bashrc', 'deny'],
    ['echo x > .github/workflows/ci.yml', 'deny'],
    ['git status', 'allow'],
    ['rm -rf build', 'ask'],
    ['make', 'ask'],
  ])('decides %s: %s', (command, effect) => {
    expect(policy.decide(shell(command), { pathEnforced: true }).effect).toBe(effect);
  });

  it('is what the schema describes, and so are the rules of the case file', () => {
    const { $schema: _, ...schema } = POLICY_SCHEMA;
    const validate = new Ajv({ strict: false }).compile(schema);
    expect(validate(parse(STARTER_POLICY)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ denny: [] })).toBe(false);
    expect(validate({ deny: [{ command: 'x' }] })).toBe(false);
    const published = JSON.parse(readFileSync(new URL('../../../docs/policy.schema.json', import.meta.url), 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(POLICY_SCHEMA)));
  });
});

describe('the schema of policy files', () => {
  const { $schema: _, ...schema } = POLICY_SCHEMA;
  const validate = new Ajv({ strict: false }).compile(schema);

  it.each<[string, unknown]>([
    ['a list of rule objects', [{ effect: 'deny', tool: 'shell', command: 'rm' }]],
    ['no rules', []],
    ['one example', { deny: [{ tool: 'shell', command: 'rm', match: 'rm x' }] }],
    ['names of Claude Code', { deny: [{ tool: 'Bash', command: 'rm' }, { tool: 'Read', path: 'x' }, 'mcp__github'] }],
    ['an effect that is repeated', { ask: [{ tool: 'shell', effect: 'ask' }] }],
    ['rule strings', { deny: ['*', ' shell(rm x) ', 'fetch(domain:*.a.example)', 'read_file(**/.env)'] }],
    [
      'arguments',
      { deny: [{ tool: 'deploy', args: { env: 'prod*' } }], ask: [{ tool: 'fetch', domain: '*.a.example' }] },
    ],
    ['a policy without lists', {}],
    ['a default alone', { default: 'deny' }],
    ['the place of the schema', { $schema: 'x' }],
    ['empty lists', { deny: [], ask: [], allow: [] }],
    ['the longest name', { deny: ['a'.repeat(64)] }],
    ['a name with the prefix of Claude Code', { deny: [`mcp__${'a'.repeat(50)}__x`] }],
    ['parentheses and colons in a command', { deny: ['shell(echo (a) :)', 'Bash(npm run test:unit:*)'] }],
    ['spaces inside', { deny: ['shell( rm x )', 'fetch( domain: a.example )', 'read_file( .env )'] }],
    ['a star for every host', { ask: ['fetch(domain:*)', { tool: 'fetch', domain: '*' }] }],
    ['a host with a dot at its end', { deny: ['fetch(domain:a.example.)'] }],
    ['a domain of a tool with a star', { deny: ['web_*(domain:a.example)'] }],
    [
      'commands and paths as lists',
      {
        deny: [
          { tool: 'shell', command: ['git', 'push'] },
          { tool: 'grep', path: ['a', 'b'] },
        ],
      },
    ],
    ['examples', { deny: [{ tool: 'shell', command: 'rm:*', match: ['rm x'], notMatch: 'ls', reason: '' }] }],
    ['values of arguments', { ask: [{ tool: 'deploy', args: { env: ['a', 'b'], dry: false, n: 5, none: null } }] }],
    ['a line break in a rule', { deny: ['shell(echo a\nb)'] }],
  ])('accepts what is loaded: %s', (_name, policy) => {
    expect(() => parsePolicy(policy as PermissionLists)).not.toThrow();
    expect(validate(policy), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each<unknown>([
    { deny: [{ tool: 'shell', command: 'rm', match: [] }] },
    { deny: [{ tool: 'shell', command: ' ' }] },
    { deny: ['  '] },
    { deny: ['a b'] },
    { deny: ['shell('] },
    { deny: ['shell()'] },
    { deny: [{ tool: '' }] },
    { deny: [{ tool: 'a b' }] },
    { deny: [{ tool: 'shell', command: 'a', path: 'b' }] },
    { deny: [{ tool: 'deploy', command: 'a' }] },
    { deny: [{ tool: 'deploy', path: 'a' }] },
    { deny: [{ tool: 'shell', domain: 'a.example' }] },
    { deny: [{ tool: 'fetch', domain: 'a b' }] },
    { deny: [{ tool: 'shell', effect: 'ask' }] },
    { allow: [{ tool: 'deploy', args: { env: 'prod' } }] },
    [{ effect: 'allow', tool: 'deploy', args: { env: 'prod' } }],
    [{ tool: 'shell' }],
    { default: 'maybe' },
    5,
    null,
    'deny',
    ['shell'],
    [[]],
    { $schema: 5 },
    { denny: [] },
    { constructor: [] },
    { deny: 'shell' },
    { deny: { 0: 'shell' } },
    { deny: null },
    { deny: [5] },
    { deny: [null] },
    { deny: [['shell']] },
    { default: null },
    { default: ['deny'] },
    { deny: ['a'.repeat(65)] },
    { deny: [{ tool: 'a'.repeat(65) }] },
    { deny: [`shell(${'x'.repeat(2000)})`] },
    { deny: ['shell(:*)'] },
    { deny: ['shell(a) b'] },
    { deny: ['shell(a\0b)'] },
    { deny: ['read_file( )'] },
    { deny: ['deploy(prod)'] },
    { deny: ['shel(rm:*)'] },
    { deny: ['fetch(domain:)'] },
    { deny: ['fetch(domain:a b)'] },
    { deny: ['fetch(https://a.example)'] },
    { deny: [{ tool: 'shell', command: [] }] },
    { deny: [{ tool: 'shell', command: ['a', ''] }] },
    { deny: [{ tool: 'shell', command: 5 }] },
    { deny: [{ tool: 'read_file', path: 'a', args: { a: 1 } }] },
    { deny: [{ tool: 'deploy', args: {} }] },
    { deny: [{ tool: 'deploy', args: [] }] },
    { deny: [{ tool: 'deploy', args: { env: [] } }] },
    { deny: [{ tool: 'shell', reason: 5 }] },
    { deny: [{ tool: 'shell', notMatch: [5] }] },
    { deny: [{ tool: 'shell', because: 'x' }] },
    { deny: [{ tool: ['shell'] }] },
    [{ effect: 'maybe', tool: 'shell' }],
  ])('refuses what is not loaded: %j', (policy) => {
    expect(() => parsePolicy(policy as PermissionLists)).toThrow();
    expect(validate(policy)).toBe(false);
  });
});

describe('case files', () => {
  const text = [
    { id: 'a', call: { tool: 'shell', args: { command: 'rm x' } }, expect: 'deny' },
    { id: 'b', call: { tool: 'deploy' }, expect: 'deny', why: 'Because' },
    { id: 'c', rules: { allow: ['lint'] }, call: { tool: 'lint' }, expect: 'allow' },
  ];

  it('say which cases are decided otherwise, and by what', () => {
    const cases = readCases(text.map((one) => JSON.stringify(one)).join('\n'));
    expect(runCases(cases, { deny: ['shell(rm:*)'] })).toEqual([
      { name: 'b', expected: 'deny', decided: 'allow', why: 'Because' },
    ]);
    expect(readCases(JSON.stringify(text))).toEqual(cases);
  });

  it('know every tool that they name', () => {
    expect(() => runCases(readCases(JSON.stringify(text)), { deny: ['deploy'] }, { tools: [] })).not.toThrow();
  });

  it.each(['{', '{"call":{}}', '{"call":{"tool":"x"},"expect":"maybe"}'])('refuse %s', (line) => {
    expect(() => readCases(line)).toThrow(PolicyError);
  });

  it.each<[object, string]>([
    [{ expct: 1 }, "unknown key 'expct'"],
    [{ call: { tool: 'shell', command: 'ls' } }, "unknown key 'command' in 'call'"],
    [{ call: { tool: 'shell', args: 'ls' } }, "'args' must be an object"],
    [{ call: { tool: '' } }, 'a case is'],
    [{ expect: ['deny'] }, 'a case is'],
    [{ rules: null }, "'rules' must be an object"],
    [{ ctx: 5 }, "'ctx' must be an object"],
    [{ ctx: { links: { a: 5 } } }, "'ctx.links' must be"],
    [{ ctx: { pathEnforced: 'yes' } }, "'ctx.pathEnforced' must be"],
    [{ ctx: {}, id: 5 }, "'id' and 'why' must be texts"],
  ])('refuse a case with %j, naming its line', (fields, problem) => {
    const line = JSON.stringify({ call: { tool: 'shell', args: { command: 'ls' } }, expect: 'allow', ...fields });
    expect(() => readCases(line)).toThrow(PolicyError);
    expect(() => readCases(line)).toThrow(`line 1: ${problem}`);
  });

  it('name the case whose rules are none', () => {
    const cases = readCases('{"id":"R","rules":{"deny":["shell("]},"call":{"tool":"shell"},"expect":"deny"}');
    expect(() => runCases(cases, [])).toThrow('Cannot use the rules of R: ');
  });
});
