import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { ApprovalRequest } from '../../../src/host/types.js';
import { evaluatePermission, parsePolicy } from '../../../src/permissions/policy.js';
import type { PermissionRule, RuleEffect } from '../../../src/permissions/rules/rule.js';
import { codingTools } from '../../../src/tools/coding-tools.js';
import type { Attacks } from '../attack.js';
import { call, errorOf, outputOf, shell } from '../call.js';
import { caisson, terminalHazards } from '../command-line.js';
import { createRandom } from '../random.js';

const PROTECTED = [
  '.git/config',
  '.git/hooks/pre-commit',
  '.gitmodules',
  '.bashrc',
  '.profile',
  '.mcp.json',
  '.vscode/tasks.json',
  '.idea/workspace.xml',
  '.claude/settings.json',
  '.cursor/mcp.json',
  '.npmrc',
  '.ripgreprc',
];

export const hostPolicy: Attacks = {
  'HOST-002': async (stage) => {
    const marker = join(stage.directory(), 'RAN');
    const project = stage.project(gitTraps(marker));
    chmodSync(project.at('.git/hooks/post-checkout'), 0o755);
    writeFileSync(project.at('worktree-gitdir'), `gitdir: ${project.outside}/fake.git\n`);
    for (const workspaceMode of ['direct', 'overlay'] as const) {
      const session = stage.sandbox({ workspace: project.root, workspaceMode });
      const host = stage.host({ sandbox: session });
      await outputOf(host, 'write_file', { path: 'x.c', content: 'int evil;' });
      await outputOf(host, 'edit_file', { path: 'x.c', old_string: 'int', new_string: 'long' });
      await outputOf(host, 'list_dir', { path: '.git' });
      await outputOf(host, 'grep', { pattern: 'evil', include_ignored: true });
      await outputOf(host, 'glob', { pattern: '**/*', include_ignored: true });
      await shell(
        host,
        'git status; git diff; git checkout .; ls -la; cat .git/config; diff x.c x.c; tar cf /tmp/a.tar .',
      );
      if (workspaceMode === 'overlay') {
        await session.changes();
        await session.commit();
        await session.discard();
      }
    }
    expect(existsSync(marker)).toBe(false);
  },

  'HOST-003': async (stage) => {
    for (const existing of [true, false]) {
      const files = existing
        ? Object.fromEntries(PROTECTED.map((path) => [path, 'as it was']))
        : { '.git/HEAD': 'ref' };
      const project = stage.project(files);
      const host = createToolHost({ sandbox: 'isolate', workspace: project.root, tools: codingTools() });
      stage.defer(() => host.dispose());
      for (const path of PROTECTED) {
        const refused = [
          await call(host, 'write_file', { path, content: 'evil' }),
          await call(host, 'write_file', { path: `./x/../${path.toUpperCase()}`, content: 'evil' }),
          await call(host, 'shell', {
            command: `mkdir -p ${dirname(path)}; echo evil > ${path}; echo evil | tee ${path}; echo evil > /tmp/e; cp /tmp/e ${path}; mv /tmp/e ${path}`,
          }),
          // Through a link, made inside, to the directory or to the file.
          await call(host, 'shell', {
            command: `ln -s ${dirname(path)} way; echo evil > way/${path.split('/').at(-1)}; ln -s ${path} direct; echo evil > direct; rm -f way direct`,
          }),
          // The parent goes away under another name, is filled there, and comes back.
          await call(host, 'shell', {
            command: `mv ${dirname(path)} away; mkdir -p away; echo evil > away/${path.split('/').at(-1)}; mv away ${dirname(path)}`,
          }),
        ];
        for (const outcome of refused.slice(0, 1))
          expect(outcome, path).toMatchObject({ status: 'error', error: { kind: 'denied' } });
        const now = existsSync(project.at(path)) ? readFileSync(project.at(path), 'utf8') : undefined;
        expect(now, path).toBe(existing ? 'as it was' : undefined);
      }
      // An ordinary file is an agent's daily work; a script in it runs only when a person runs it.
      await outputOf(host, 'write_file', { path: 'package.json', content: '{}' });
    }
  },

  'HOST-009': async (stage) => {
    const project = stage.project({ '.git/config': 'as it was', '.git/HEAD': 'ref' });
    symlinkSync('.git', project.at('g'));
    const host = stage.host({
      sandbox: stage.sandbox({ workspace: project.root }),
      permissions: { deny: ['write_file(.git/**)'] },
      protectedPaths: false,
    });
    const paths = [
      '.git/config',
      'g/config',
      'g/new',
      '.GIT/config',
      '.Git/HEAD',
      '/workspace/.git/config',
      './a/../.git/config',
      '.git/./config',
      '.git//config',
    ];
    for (const path of paths) {
      const error = await errorOf(host, 'write_file', { path, content: 'evil' });
      expect(error.kind === 'denied' || error.code === 'access_denied', `${path}: ${JSON.stringify(error)}`).toBe(true);
    }
    await call(host, 'shell', {
      command:
        'ln -s .git h; echo evil > h/config; cd .git && echo evil > config; echo evil >> .git/HEAD; mv .git .g2; echo evil > .g2/config',
    });
    expect(readFileSync(project.at('.git/config'), 'utf8')).toBe('as it was');
    expect(readFileSync(project.at('.git/HEAD'), 'utf8')).toBe('ref');
  },

  'HOST-010': async (stage) => {
    const wide = { allow: ['*', 'shell(*)', 'write_file'], default: 'allow' };
    const reaching = { ...wide, mounts: ['/'], env: { A: 'b' }, network: 'full', image: 'evil' };
    const names = [
      'caisson.policy.json',
      '.caisson/policy.json',
      'caisson.json',
      '.claude/settings.json',
      'package.json',
    ];
    const project = stage.project(Object.fromEntries(names.map((name) => [name, JSON.stringify(wide)])));
    writeFileSync(project.at('reaching.json'), JSON.stringify(reaching));
    const workspace = { sandbox: 'isolate', workspace: project.root } as const;
    // Nothing that lies in the workspace is read as a policy unless the host names it.
    const host = stage.host({ ...workspace, permissions: { deny: ['shell'], default: 'deny', allow: ['read_file'] } });
    expect((await errorOf(host, 'shell', { command: 'echo x' })).kind).toBe('denied');
    expect((await errorOf(host, 'write_file', { path: 'a', content: 'x' })).kind).toBe('denied');
    await outputOf(host, 'read_file', { path: 'package.json' });
    // Named by the host it can tighten, and what it allows counts for nothing.
    const named = parsePolicy(project.at('caisson.policy.json'), {
      workspace: project.root,
      layers: [{ name: 'user', input: { default: 'ask' } }],
    });
    expect(evaluatePermission(named, { toolName: 'shell', args: { command: 'curl evil' } }).effect).toBe('ask');
    expect(evaluatePermission(named, { toolName: 'write_file', args: { path: 'a', content: '' } }).effect).toBe('ask');
    // What is no rule cannot be asked for by a file at all, and the agent cannot write one.
    expect(() => stage.host({ ...workspace, permissions: project.at('reaching.json') })).toThrow(
      /mounts|env|network|image/i,
    );
    const open = stage.host({ ...workspace, permissions: project.at('caisson.policy.json') });
    expect((await errorOf(open, 'write_file', { path: 'caisson.policy.json', content: '{}' })).kind).toBe('denied');
  },

  'HOST-011': async (stage) => {
    const directory = stage.directory();
    const file = (name: string, content: string | Buffer) => {
      writeFileSync(join(directory, name), content);
      return join(directory, name);
    };
    const bad = [
      join(directory, 'missing.json'),
      directory,
      file('syntax.json', '{"deny": ["shell"'),
      file('unknown.json', '{"denny": ["shell"]}'),
      file('duplicate.json', '{"deny": ["shell"], "deny": []}'),
      file('bom.json', Buffer.from('\ufeff{"deny":["shell"]}')),
      file('empty.json', ''),
      file('latin1.json', Buffer.from([0x7b, 0xff, 0x7d])),
      file('null.json', 'null'),
      file('text.json', '"allow"'),
      file('effect.json', '[{"effect":"permit","tool":"shell"}]'),
      file('default.json', '{"default":"yes"}'),
      file('type.json', '{"deny":"shell"}'),
    ];
    for (const path of bad) expect(() => stage.host({ permissions: path }), path).toThrow();
    for (const permissions of [
      { allow: [], default: 'deny' },
      file('closed.json', '{"allow":[],"default":"deny"}'),
    ] as const) {
      const host = stage.host({ permissions });
      for (const [tool, args] of [
        ['shell', { command: 'true' }],
        ['read_file', { path: 'a' }],
        ['list_dir', {}],
      ] as const) {
        expect((await errorOf(host, tool, args)).kind).toBe('denied');
      }
    }
    const asking = stage.host({ permissions: { allow: [], default: 'ask' } });
    expect((await call(asking, 'shell', { command: 'true' })).status).toBe('awaiting-approval');
  },

  'HOST-013': async (stage) => {
    const command = `\n\n\n# \x1b[2J\x1b]0;safe\x07 \u202egnp.exe \u200b\u2060 rm -rf ~ \u0430dmin\r# harmless\n${'x'.repeat(10_000)} && echo END`;
    const { stdout, stderr, code } = await caisson(
      stage,
      'call',
      'shell',
      '--ask',
      'shell',
      '--args',
      JSON.stringify({ command }),
    );
    const shown = stdout + stderr;
    expect(code).toBe(3);
    expect(terminalHazards(shown)).toEqual([]);
    for (const escaped of [
      '\\x1b[2J',
      '\\a',
      '\\u{202e}',
      '\\u{200b}',
      '\\u{2060}',
      '\\u{430}dmin',
      '\\r# harmless',
      'x'.repeat(10_000),
      '&& echo END',
    ]) {
      expect(shown.includes(escaped), escaped.slice(0, 30)).toBe(true);
    }
    expect(shown).toContain(`${[...command].length} characters`);
    // The library's own approver is given everything, unescaped and uncut.
    const asked: ApprovalRequest[] = [];
    const host = stage.host({
      permissions: { ask: ['shell'] },
      approve: (request) => {
        asked.push(request);
        return { decision: 'reject' };
      },
    });
    expect((await errorOf(host, 'shell', { command })).kind).toBe('rejected');
    expect(asked[0]?.args).toMatchObject({ command });
  },

  'HOST-015': async () => {
    const random = createRandom(15);
    const tools = ['shell', 'read_file', 'write_file', 'grep', 'github__push', 'github__pull'];
    const patterns = [...tools, '*', 'github__*', 'g*', '*file'];
    const effects: RuleEffect[] = ['deny', 'ask', 'allow'];
    for (let round = 0; round < 400; round += 1) {
      const rules = Array.from(
        { length: random.below(6) },
        (): PermissionRule => ({ effect: random.pick(effects), tool: random.pick(patterns) }),
      );
      const fallback = random.pick(effects);
      const input = (list: PermissionRule[]) => ({ ...byEffect(list), default: fallback });
      const [policy, shuffled] = [parsePolicy(input(rules)), parsePolicy(input(random.shuffle(rules)))];
      for (const toolName of tools) {
        const expected = referenceDecision(rules, toolName, fallback);
        for (const asked of [policy, shuffled, policy]) {
          expect(
            evaluatePermission(asked, { toolName, args: { command: 'ls', path: 'a.txt', pattern: 'x' } }).effect,
            JSON.stringify({ rules, toolName, fallback }),
          ).toBe(expected);
        }
      }
    }
    const many = Array.from(
      { length: 10_000 },
      (_, index): PermissionRule => ({
        effect: effects[index % 3] as RuleEffect,
        tool: 'read_file',
        path: `dir-${index}/**/file-${index}.ts`,
      }),
    );
    const large = parsePolicy(many);
    const ask = () =>
      evaluatePermission(large, { toolName: 'read_file', args: { path: 'dir-9999/a/b/file-9999.ts' } }).effect;
    expect(ask()).toBe('deny');
    const startedAt = performance.now();
    for (let i = 0; i < 10; i += 1) ask();
    // Far above what it takes; a pattern that is compiled anew for each question would be over it.
    expect((performance.now() - startedAt) / 10).toBeLessThan(100);
  },
};

const byEffect = (rules: PermissionRule[]) => ({
  deny: rules.filter((rule) => rule.effect === 'deny').map(({ tool }) => ({ tool })),
  ask: rules.filter((rule) => rule.effect === 'ask').map(({ tool }) => ({ tool })),
  allow: rules.filter((rule) => rule.effect === 'allow').map(({ tool }) => ({ tool })),
});

/** Deny beats ask beats allow beats the default. */
function referenceDecision(rules: PermissionRule[], toolName: string, fallback: RuleEffect): RuleEffect {
  const matches = ({ tool }: PermissionRule) => new RegExp(`^${tool.replaceAll('*', '.*')}$`).test(toolName);
  const effects = rules.filter(matches).map((rule) => rule.effect);
  return (['deny', 'ask', 'allow'] as const).find((effect) => effects.includes(effect)) ?? fallback;
}

/** Everything in a repository that makes git run something. */
function gitTraps(marker: string): Record<string, string> {
  const run = `touch ${marker}`;
  return {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${run}\n\tpager = ${run}\n\teditor = ${run}\n\thooksPath = .git/hooks\n\tsshCommand = ${run}\n[filter "evil"]\n\tclean = ${run}\n\tsmudge = ${run}\n[diff "evil"]\n\ttextconv = ${run}\n\tcommand = ${run}\n[include]\n\tpath = ../evil.inc\n[includeIf "gitdir:**"]\n\tpath = ../evil.inc\n`,
    '.git/hooks/post-checkout': `#!/bin/sh\n${run}\n`,
    '.git/objects/.keep': '',
    '.git/refs/heads/.keep': '',
    'evil.inc': `[core]\n\tfsmonitor = ${run}\n`,
    '.gitattributes': '* filter=evil diff=evil\n',
    '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c ${run}\n\tupdate = !${run}\n`,
  };
}
