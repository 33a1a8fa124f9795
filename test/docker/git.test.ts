import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import type { DockerSandboxOptions } from '../../src/sandbox/docker/options.js';
import { codingTools } from '../../src/tools/coding-tools.js';
import { describeOnDocker } from './engine.js';
import { giveToWorkspaceOwner } from './workspaces.js';

describeOnDocker('git in a container', () => {
  const sessions: SandboxSession[] = [];
  const directories: string[] = [];
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.dispose()));
    await Promise.all(directories.splice(0).map((path) => rm(path, { recursive: true, force: true })));
  });

  const open = (options: DockerSandboxOptions = {}): SandboxSession => {
    const session = createDockerSandbox(options);
    sessions.push(session);
    return session;
  };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t.invalid', ...args], { cwd, stdio: 'pipe' });
  const repository = async (): Promise<string> => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'caisson-git-')));
    directories.push(root);
    git(root, 'init', '-q', '-b', 'main', 'repo');
    await writeFile(join(root, 'repo/a.txt'), 'one\n');
    git(join(root, 'repo'), 'add', '.');
    git(join(root, 'repo'), 'commit', '-qm', 'first');
    return root;
  };

  it('works in a repository that another user owns', async () => {
    const root = await repository();
    // The workspace is its owner's; what is in it still belongs to whoever runs the tests.
    await giveToWorkspaceOwner(join(root, 'repo'));
    for (const workspaceMode of ['direct', 'overlay'] as const) {
      const session = open({ workspace: join(root, 'repo'), workspaceMode });
      const { exitCode, stdout, stderr } = await session.exec('git log --format=%s && git status --short');
      expect([workspaceMode, exitCode, stdout, stderr]).toEqual([workspaceMode, 0, 'first\n', '']);
    }
  });

  it('commits under a default identity, under that of env, and under that of the repository', async () => {
    const commit = 'git init -q r && cd r && touch a && git add a && git commit -qm x && git log --format="%an <%ae>"';
    expect(await open().exec(commit)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\S.* <agent@caisson\.invalid>\n$/),
    });
    const env = {
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    };
    expect((await open({ env }).exec(commit)).stdout).toBe('Ada <ada@example.org>\n');
    const own = commit.replace('touch a', 'git config user.name Bo && git config user.email bo@example.org && touch a');
    expect((await open().exec(own)).stdout).toBe('Bo <bo@example.org>\n');
  });

  it('never waits for an editor, a pager, a password or a person', async () => {
    const session = open();
    const { exitCode, stdout } = await session.exec(
      [
        'git init -q r && cd r && for i in $(seq 60); do echo $i >> a; git add a; git commit -qm "c $i"; done',
        'git commit -q --amend',
        'git rebase -q -i HEAD~3',
        'git log | tail -1 | tr -d " "',
        'git --no-optional-locks log --oneline | wc -l',
        'echo "$GIT_EDITOR $PAGER $CI $GIT_TERMINAL_PROMPT"',
      ].join(' && '),
      { timeoutMs: 20_000 },
    );
    expect([exitCode, stdout]).toEqual([0, 'c1\n60\ntrue cat 1 0\n']);
  });

  it('explains a worktree whose repository is outside, and works when that is mounted', async () => {
    const root = await repository();
    git(join(root, 'repo'), 'worktree', 'add', '-q', '../tree', '-b', 'topic');
    const session = open({ workspace: join(root, 'tree'), workspaceMode: 'overlay' });
    const host = createToolHost({ sandbox: session, tools: codingTools(), policyFiles: false });
    const outcome = JSON.stringify(await host.call({ toolName: 'shell', args: { command: 'git status' } }));
    expect(outcome).toContain('fatal: not a git repository');
    expect(outcome).toContain('The .git file here (of a worktree or a submodule) points to');
    expect(outcome).toContain("the main repository's .git as a mount under that path");
    const target = join(root, 'repo/.git');
    const mounted = open({
      workspace: join(root, 'tree'),
      workspaceMode: 'overlay',
      mounts: [{ source: target, target }],
    });
    expect(await mounted.exec('git log --format=%s && git status --short')).toMatchObject({
      exitCode: 0,
      stdout: 'first\n',
    });
  });
});
