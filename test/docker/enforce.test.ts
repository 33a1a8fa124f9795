import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import type { DockerSandboxOptions } from '../../src/sandbox/docker/options.js';
import type { EnforcementPlan } from '../../src/sandbox/plan.js';
import { unifiedDiff } from '../../src/sandbox/unified-diff.js';
import { codeOf } from './attacks/attack.js';
import { describeOnDocker } from './engine.js';
import { COPIED, giveAllToWorkspaceOwner, giveToWorkspaceOwner, makeWorkspace } from './workspaces.js';

const MODES = {
  direct: { workspaceMode: 'direct' },
  overlay: { workspaceMode: 'overlay' },
  'overlay, copied': { workspaceMode: 'overlay', ...COPIED },
} satisfies Record<string, DockerSandboxOptions>;

const PLAN: EnforcementPlan = {
  denyRead: [
    { glob: '**/.env', rule: 'read_file(**/.env)' },
    { glob: 'secrets/**', rule: 'read_file(secrets/**)' },
  ],
  denyWrite: [{ glob: '.git/hooks/**', rule: 'write_file(.git/hooks/**)' }],
};

describeOnDocker('path rules held against commands', () => {
  const sessions: SandboxSession[] = [];
  const directories: string[] = [];

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.dispose()));
    await Promise.all(directories.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
  });

  const project = async (): Promise<string> => {
    const root = await makeWorkspace();
    directories.push(root);
    for (const directory of ['app', 'secrets', '.git', '.git/hooks']) {
      await mkdir(join(root, directory));
      await giveToWorkspaceOwner(join(root, directory));
    }
    await writeFile(join(root, '.env'), 'TOKEN=1\n');
    await writeFile(join(root, 'app/.env'), 'TOKEN=2\n');
    await writeFile(join(root, 'app/code'), 'code\n');
    await writeFile(join(root, 'secrets/key'), 'KEY\n');
    return root;
  };
  const open = (workspace: string, mode: keyof typeof MODES, plan?: EnforcementPlan): SandboxSession => {
    const session = createDockerSandbox({ workspace, ...MODES[mode], ...(plan && { plan }) });
    sessions.push(session);
    return session;
  };

  for (const mode of Object.keys(MODES) as (keyof typeof MODES)[]) {
    it(`${mode}: no command reads what a rule denies, however it is named, moved or opened`, async () => {
      const root = await project();
      const session = open(root, mode, PLAN);
      for (const command of [
        'cat .env app/.env secrets/key',
        'python3 -c "print(open(\'.env\').read())"',
        'ln -s .env link; cat link',
        'ln .env hard; cat hard',
        'mv .env moved; cat moved',
        'chmod 777 .env; cat .env',
        'cp -r . /tmp/copy; cat /tmp/copy/.env /tmp/copy/secrets/key',
        'rm -f .env; cat .env',
        'mv app renamed; cat renamed/.env',
        'tar cf - . | tar xOf - ./.env ./secrets/key',
      ]) {
        const { stdout } = await session.exec(command);
        expect([command, /TOKEN|KEY/.test(stdout)]).toEqual([command, false]);
      }
      const read = await session.fs.readFile('secrets/key').then(
        (bytes) => bytes,
        (error: { code: string }) => error.code,
      );
      expect(['access_denied', null]).toContain(read);
    });
  }

  for (const mode of ['direct', 'overlay'] as const) {
    it(`${mode}: what a rule denies to write stays as it is, and nothing new comes beside it`, async () => {
      const root = await project();
      if (mode === 'overlay') await giveAllToWorkspaceOwner(root);
      const session = open(root, mode, PLAN);
      for (const command of [
        'echo evil > .git/hooks/pre-commit',
        'mv .git/hooks .git/away',
        'rm -rf .git/hooks',
        'ln -s /tmp .git/hooks/x',
      ]) {
        expect([command, (await session.exec(command)).exitCode === 0]).toEqual([command, false]);
      }
      expect(await codeOf(session.fs.writeFile('.git/hooks/pre-commit', 'evil'))).toBe('access_denied');
      expect((await session.exec('echo fine > app/new; cat app/code app/new')).stdout).toBe('code\nfine\n');
      expect(await readFile(join(root, '.env'), 'utf8')).toBe('TOKEN=1\n');
    });
  }

  for (const mode of ['direct', 'overlay', 'overlay, copied'] as const) {
    it(`${mode}: what a rule names through links is closed by every name`, async () => {
      const root = await project();
      await mkdir(join(root, 'real/deep'), { recursive: true });
      for (const path of ['real/k.txt', 'real/deep/j.txt', 'app/[x] y']) await writeFile(join(root, path), 'TOKEN=3\n');
      await writeFile(join(root, 'real/plain'), 'plain\n');
      await symlink('real', join(root, 'one'));
      await symlink('one', join(root, 'two'));
      await symlink('../app', join(root, 'real/inner'));
      if (mode !== 'overlay, copied') await giveAllToWorkspaceOwner(root);
      await symlink('..', join(root, 'real/round'));
      const session = open(root, mode, {
        denyRead: ['two/k.txt', 'two/deep/**', 'one/inner/?x]*', 'one/**/nothing'].map((glob) => ({
          glob,
          rule: glob,
        })),
        denyWrite: [],
      });
      const { stdout } = await session.exec(
        'cat two/k.txt one/k.txt real/k.txt one/inner/* app/?x*; cat one/plain app/code; find -L . -type f -exec cat {} + 2>/dev/null',
      );
      expect(stdout).toMatch(/^plain\ncode\n/m);
      expect(stdout.replaceAll(/TOKEN=[12]/g, '')).not.toContain('TOKEN');
      if (mode === 'direct') return;
      await session.exec('rm -f real/k.txt; echo EVIL > real/k.txt');
      expect(unifiedDiff(await session.changes())).not.toContain('TOKEN');
      await expect(session.commit()).rejects.toThrow(/'real\/k\.txt'.*two\/k\.txt/);
    });
  }

  it('overlay: a commit that a rule denies writes nothing, and says which rule', async () => {
    const root = await project();
    const session = open(root, 'overlay, copied', PLAN);
    await session.exec('echo fine > new; echo evil > .git/hooks/pre-commit');
    await expect(session.commit()).rejects.toThrow(/'\.git\/hooks\/pre-commit'.*write_file\(\.git\/hooks\/\*\*\)/);
    await expect(readFile(join(root, 'new'))).rejects.toThrow();
    await session.exec('rm .git/hooks/pre-commit');
    expect(await session.commit()).toEqual({ added: 1, modified: 0, deleted: 0 });
    expect(await readFile(join(root, '.env'), 'utf8')).toBe('TOKEN=1\n');
  });

  for (const mode of ['overlay', 'overlay, copied'] as const) {
    it(`${mode}: a commit writes no link above what a rule denies, nor what a link of the workspace leads to`, async () => {
      const root = await project();
      await mkdir(join(root, 'lib'));
      await symlink('lib', join(root, '.config'));
      await symlink('lib/npmrc', join(root, '.npmrc'));
      const outside = join(await project(), 'secrets/key');
      await symlink(outside, join(root, '.zshrc'));
      if (mode === 'overlay') await giveAllToWorkspaceOwner(root);
      const session = open(root, mode, {
        denyRead: [],
        denyWrite: ['.github/workflows/**', '.config/fish/**', '.npmrc', '.zshrc'].map((path) => ({
          glob: `**/${path}`,
          rule: `write_file(${path})`,
        })),
      });
      expect((await session.exec('cat .zshrc')).stdout).toBe('');
      await session.exec('mkdir -p g/workflows; echo EVIL > g/workflows/ci.yml; ln -s g .github');
      await expect(session.commit()).rejects.toThrow(/'\.github'.*write_file\(\.github\/workflows\/\*\*\)/);
      await session.exec('rm .github; mkdir -p lib/fish; echo EVIL > lib/fish/config.fish');
      await expect(session.commit()).rejects.toThrow(/'lib\/fish.*write_file\(\.config\/fish\/\*\*\)/);
      await session.exec('rm -r lib/fish; echo EVIL > lib/npmrc');
      await expect(session.commit()).rejects.toThrow(/'lib\/npmrc'.*write_file\(\.npmrc\)/);
      // More links than fit a frame's header.
      const many = `mkdir many; python3 -c 'import os; [os.symlink("../" + "x" * 600, f"many/{i}") for i in range(8000)]'`;
      await session.exec(`rm lib/npmrc; ln -s app app2; ${many}`);
      expect(await session.commit()).toMatchObject({ added: 8005, deleted: 0 });
    });
  }

  for (const mode of ['overlay', 'overlay, copied', 'memory'] as const) {
    it(`${mode}: a rule that comes after the start holds when the changes are written back, or is named as not held`, async () => {
      const session = mode === 'memory' ? createDockerSandbox({}) : open(await project(), mode);
      sessions.push(session);
      await session.exec('echo EVIL > made.txt; mkdir -p g; ln -s g late');
      session.enforce({
        denyRead: [{ glob: '**/late.key', rule: 'read_file(late.key)' }],
        denyWrite: [
          { glob: 'made.txt', rule: 'write_file(made.txt)' },
          { glob: 'late/**', rule: 'write_file(late/**)' },
        ],
      });
      await session.exec('true');
      expect(session.unenforced).toEqual(expect.arrayContaining(['read_file(late.key)', 'write_file(made.txt)']));
      expect(await codeOf(session.fs.writeFile('made.txt', 'x'))).toBe('access_denied');
      if (mode !== 'memory') await expect(session.commit()).rejects.toThrow(/'g'|'late'|'made\.txt'/);
    });
  }

  it('direct: rules that are added later hold for the commands that start later', async () => {
    const session = open(await project(), 'direct');
    expect((await session.exec('cat .env')).stdout).toBe('TOKEN=1\n');
    session.enforce(PLAN);
    expect((await session.exec('cat .env app/.env')).stdout).toBe('');
    expect(await codeOf(session.fs.readFile('.env'))).toBe('access_denied');
  });
});
