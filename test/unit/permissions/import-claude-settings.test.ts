import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { importClaudeSettings } from '../../../src/permissions/policy-files/import-claude-settings.js';

const shell = (command: string): [string, object] => ['shell', { command }];
const read = (path: string): [string, object] => ['read_file', { path }];
const edit = (path: string): [string, object] => ['edit_file', { path }];
const write = (path: string): [string, object] => ['write_file', { path, content: '' }];

type Call = [call: [string, object], effect: string];

/** Settings as people have them, what their calls are to become, and the beginnings of what must be told. */
const SETTINGS: [name: string, settings: object, calls: Call[], notes: RegExp[]][] = [
  [
    'a project of npm scripts',
    { permissions: { allow: ['Bash(npm run test:*)', 'Bash(npm run lint)', 'Bash(git diff *)'] } },
    [
      [shell('npm run test -- --watch'), 'allow'],
      [shell('npm run lint'), 'allow'],
      [shell('git diff HEAD'), 'allow'],
      [shell('npm run deploy'), 'ask'],
    ],
    [/^Bash\(npm run test:\*\): here flags/, /^default: /],
  ],
  [
    'everything but a few commands',
    { permissions: { allow: ['Bash(*)'], deny: ['Bash(rm *)', 'Bash(sudo:*)'] } },
    [
      [shell('node x'), 'allow'],
      [shell('rm x'), 'deny'],
      [shell('cd x && sudo -u root ls'), 'deny'],
    ],
    [/^Bash rules that deny or ask: /],
  ],
  [
    'stars in the middle',
    { permissions: { allow: ['Bash(* --version)', 'Bash(git * main)'] } },
    [
      [shell('node --version'), 'allow'],
      [shell('git checkout main'), 'allow'],
      [shell('git checkout other'), 'ask'],
    ],
    [],
  ],
  [
    'secrets',
    {
      permissions: {
        deny: ['Read(~/.ssh/**)', 'Read(./.env)', 'Read(./.env.*)', 'Read(secrets/**)', 'Read(//etc/shadow)'],
      },
    },
    [
      [read('~/.ssh/id_rsa'), 'deny'],
      [read('.env.local'), 'deny'],
      [shell('cat secrets/key'), 'deny'],
      [read('/etc/shadow'), 'deny'],
      [edit('.env'), 'deny'],
    ],
    [
      /^Read\(secrets\/\*\*\): there it begins at the working directory; here it holds at any depth/,
      /^Read\(secrets\/\*\*\): here the sandbox enforces it too/,
      /^Read\(secrets\/\*\*\): here it covers editing/,
    ],
  ],
  [
    'files that may be edited, by every tool that edits',
    { permissions: { allow: ['Edit(/src/**)', 'Edit(docs/**)'] } },
    [
      [edit('src/a.ts'), 'allow'],
      [write('src/a.ts'), 'allow'],
      [write('docs/a.md'), 'allow'],
      [write('other'), 'ask'],
    ],
    [/^Edit\(\/src\/\*\*\): there it begins where the settings file/, /^Edit\(\/src\/\*\*\): here two rules/],
  ],
  [
    'a path of Write',
    { permissions: { deny: ['Write(/dist/**)'] } },
    [[write('dist/a'), 'deny']],
    [/^Write\(\/dist\/\*\*\): there a path in a Write rule/, /^Write\(\/dist\/\*\*\): there it begins where/],
  ],
  [
    'tools as a whole',
    { permissions: { allow: ['Read', 'Grep', 'Glob', 'LS'], deny: ['Edit'] } },
    [
      [read('x'), 'allow'],
      [['grep', { pattern: 'x' }], 'allow'],
      [['list_dir', { path: '.' }], 'allow'],
      [write('x'), 'deny'],
    ],
    [/^Edit: here edit_file and write_file/],
  ],
  [
    'the web',
    {
      permissions: { allow: ['WebFetch(domain:example.com)', 'WebSearch'], deny: ['WebFetch(domain:*.evil.example)'] },
    },
    [
      [['fetch', { url: 'https://example.com/x' }], 'allow'],
      [['fetch', { url: 'https://a.evil.example' }], 'deny'],
    ],
    [/^WebFetch\(domain:example.com\): this version has no tool/, /^WebSearch: this version/],
  ],
  [
    'servers of tools',
    { permissions: { allow: ['mcp__github', 'mcp__puppeteer__*', 'mcp__a__b'], deny: ['mcp__github__delete*'] } },
    [
      [['github__get', {}], 'allow'],
      [['github__delete_repo', {}], 'deny'],
      [['puppeteer__click', {}], 'allow'],
      [['a__b', {}], 'allow'],
      [['a__c', {}], 'ask'],
    ],
    [],
  ],
  [
    'rules that cannot hold together',
    {
      permissions: {
        deny: ['Edit(.git/**)', 'Write(package-lock.json)'],
        allow: ['Bash(git commit:*)', 'Bash(npm install)', 'Bash(ls)'],
      },
    },
    [
      [shell('ls'), 'allow'],
      [edit('.git/config'), 'deny'],
    ],
    [/^shell\(git commit:\*\): left out; .*'git commit' has to write in \.git/, /^shell\(npm install\): left out/],
  ],
  [
    'agents, skills and what is no rule',
    {
      permissions: {
        deny: ['Agent(Explore)', 'Skill(deploy *)', 'Bash(A=1 make)', 'Bash(a && b)', 'Read()', ''],
        allow: [5, null],
      },
    },
    [[shell('ls'), 'ask']],
    [
      /^Agent\(Explore\): left out; this version has no tool called Agent/,
      /^Skill\(deploy \*\): left out; this version has no tool called Skill/,
      /^Bash\(A=1 make\): left out/,
      /^Bash\(a && b\): left out/,
      /^Read\(\): left out/,
      /^5: left out/,
      /^null: left out/,
    ],
  ],
  [
    'modes, directories and other settings',
    {
      permissions: {
        defaultMode: 'plan',
        additionalDirectories: ['../x'],
        disableBypassPermissionsMode: 'disable',
        denny: [],
      },
      hooks: {},
      env: { A: 'x' },
      sandbox: {},
      allowedMcpServers: [],
      disabledMcpjsonServers: ['x'],
      model: 'opus',
    },
    [[shell('ls'), 'ask']],
    [
      /^defaultMode 'plan': not taken over; set permissionMode: 'plan'/,
      /^additionalDirectories: /,
      /^disableBypassPermissionsMode: /,
      /^denny: not known/,
      /^hooks: /,
      /^env: /,
      /^sandbox: /,
      /^allowedMcpServers: /,
      /^disabledMcpjsonServers: /,
    ],
  ],
  [
    'a mode that goes past rules',
    { permissions: { defaultMode: 'bypassPermissions' } },
    [],
    [/no mode here goes past/],
  ],
  ['nothing about permissions', { hooks: {} }, [[shell('ls'), 'ask']], [/^permissions: there are none/]],
  ['the permissions alone', { ask: ['Bash(git push *)'] }, [[shell('git push'), 'ask']], [/^Bash rules/]],
];

describe('importClaudeSettings()', () => {
  it.each(SETTINGS)('takes over %s, and tells what differs', (_name, settings, calls, expected) => {
    const { policy, notes } = importClaudeSettings(settings);
    const loaded = parsePolicy(policy);
    for (const [[toolName, args], effect] of calls)
      expect(loaded.decide({ toolName, args }).effect, JSON.stringify(args)).toBe(effect);
    for (const pattern of expected) expect(notes).toContainEqual(expect.stringMatching(pattern));
    expect(notes.some((note) => note.startsWith('model'))).toBe(false);
  });
});
