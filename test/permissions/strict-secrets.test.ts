import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOtherNames as lookThrough } from '../../sandbox/container/names/find-other-names.js';
import { createToolHost } from '../../src/host/create-tool-host.js';
import { parsePolicy } from '../../src/permissions/policy.js';
import { findOtherNames } from '../../src/sandbox/docker/names/find-other-names.js';
import { createIsolateSandbox } from '../../src/sandbox/isolate/create-isolate-sandbox.js';
import { codingTools } from '../../src/tools/coding-tools.js';

const git = (cwd: string, ...calls: string[][]) => {
  for (const args of calls) execFileSync('git', args, { cwd });
};

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'strict-'));
  writeFileSync(join(workspace, '.env'), 'TOKEN=1\n');
});
afterEach(() => rmSync(workspace, { recursive: true }));

function mkdirAt(name: string): string {
  mkdirSync(join(workspace, name));
  return join(workspace, name);
}

const plan = parsePolicy({ deny: ['read_file(.env)'] }).plan();

describe('denied content under another name', () => {
  it('is found where it is a hard link, or tracked by git', async () => {
    linkSync(join(workspace, '.env'), join(workspace, 'notes.txt'));
    git(workspace, ['init', '-q'], ['add', '-f', '.env', 'notes.txt']);
    const { exposures, unseen } = await findOtherNames(workspace, plan);
    expect(unseen).toEqual([]);
    expect(exposures).toEqual([
      { path: '.env', rule: 'read_file(.env)', how: 'hard link', also: 'notes.txt' },
      { path: '.env', rule: 'read_file(.env)', how: 'git', also: 'git show HEAD:.env' },
    ]);
  });

  it('is found where what is denied is a link: its target, through links on the way, absolute ones and directories', async () => {
    const link = (target: string, name: string) => symlinkSync(target, join(workspace, name));
    mkdirSync(join(workspace, 'data/keys'), { recursive: true });
    for (const file of ['real', 'data/a', 'data/keys/b.key', 'data/.env']) writeFileSync(join(workspace, file), 'k');
    writeFileSync(join(workspace, 'empty'), '');
    link('hop', 'a.env');
    link('/workspace/real', 'hop');
    link('data', 'secrets');
    link('data/keys', 'keys');
    link('data/keys', 'data/more');
    link('data', 'mid');
    link('data/.env', 'b.env');
    link('later', 'c.env');
    link('empty', 'd.env');
    link('/etc/passwd', 'e.env');
    link('f.env', 'f.env');
    link('nowhere/x', 'g.env');
    link('.', 'self');
    const deny = ['.env', '*.env', '/secrets/**', '/keys/*.key', '/mid/keys/*.key', '/self/*/a'];
    const wide = parsePolicy({ deny: deny.map((path) => `read_file(${path})`) }).plan();
    const { exposures, unseen } = await findOtherNames(workspace, wide);
    expect(unseen).toEqual([]);
    expect(exposures.map(({ path, how, also }) => `${path} ${how} ${also}`).sort()).toEqual([
      'a.env symbolic link real',
      'c.env symbolic link later',
      'keys/b.key symbolic link data/keys/b.key',
      'secrets symbolic link data',
      'self/mid/a symbolic link data/a',
    ]);
  });

  it('is not reported where the target of a link is denied too', async () => {
    writeFileSync(join(workspace, 'real'), 'k');
    symlinkSync('real', join(workspace, 'a.env'));
    const both = parsePolicy({ deny: ['read_file(a.env)', 'read_file(real)'] }).plan();
    expect((await findOtherNames(workspace, both)).exposures).toEqual([]);
  });

  it('is found in repositories further down, and in submodules', async () => {
    mkdirSync(join(workspace, 'inner'));
    writeFileSync(join(workspace, 'inner/.env'), 'TOKEN=2\n');
    git(join(workspace, 'inner'), ['init', '-q'], ['add', '-f', '.env']);
    git(workspace, ['init', '-q']);
    mkdirSync(join(workspace, '.git/modules'));
    renameSync(join(workspace, 'inner/.git'), join(workspace, '.git/modules/inner'));
    linkSync(join(workspace, '.env'), join(workspace, 'zz'));
    expect(await findOtherNames(workspace, plan)).toMatchObject({
      exposures: [
        { path: '.env', rule: 'read_file(.env)', how: 'hard link', also: 'zz' },
        { path: 'inner/.env', rule: 'read_file(.env)', how: 'git', also: 'git show HEAD:.env' },
      ],
      unseen: [],
    });
  });

  it('is found in an index of long object ids, in a split one, in a linked worktree and in a renamed submodule', async () => {
    const commit = ['-c', 'user.email=a@b', '-c', 'user.name=a', 'commit', '-q', '--allow-empty', '-m', 'x'];
    const repository = (name: string, ...calls: string[][]) => {
      writeFileSync(join(mkdirAt(name), '.env'), name);
      git(join(workspace, name), ...calls);
    };
    repository('long', ['init', '-q', '--object-format=sha256'], ['add', '-f', '.env']);
    repository('split', ['init', '-q'], ['add', '-f', '.env'], ['update-index', '--split-index']);
    repository('main', ['init', '-q'], commit, ['worktree', 'add', '-q', 'linked']);
    writeFileSync(join(workspace, 'main/linked/.env'), 'linked');
    git(join(workspace, 'main/linked'), ['add', '-f', '.env']);
    repository('module', ['init', '-q'], ['add', '-f', '.env'], ['config', 'core.worktree', '../../../renamed']);
    mkdirSync(join(workspace, 'main/.git/modules'));
    renameSync(join(workspace, 'module/.git'), join(workspace, 'main/.git/modules/module'));
    const { exposures, unseen } = await findOtherNames(workspace, plan);
    expect(unseen).toEqual([]);
    expect(exposures.map(({ path, also }) => `${path}: ${also}`).sort()).toEqual([
      'long/.env: git show HEAD:.env',
      'main/linked/.env: git show worktrees/linked/HEAD:.env',
      'main/renamed/.env: git show HEAD:.env',
      'split/.env: git show HEAD:.env',
    ]);
  });

  it('is not known of directories that a sparse index leaves out', async () => {
    for (const directory of ['in', 'out']) writeFileSync(join(mkdirAt(directory), 'a'), 'a');
    const commit = ['-c', 'user.email=a@b', '-c', 'user.name=a', 'commit', '-q', '-m', 'x'];
    git(workspace, ['init', '-q'], ['add', 'in', 'out'], commit, ['sparse-checkout', 'set', '--sparse-index', 'in']);
    const { unseen } = await findOtherNames(workspace, plan);
    expect(unseen).toEqual(["a sparse git index does not say what is in 'out'"]);
    const whole = parsePolicy({ deny: ['read_file(/out/**)'] }).plan();
    expect((await findOtherNames(workspace, whole)).exposures).toMatchObject([{ path: 'out', how: 'git' }]);
  });

  it('says what it could not look at, and strictSecrets does not start then', async () => {
    git(workspace, ['init', '-q']);
    writeFileSync(join(workspace, '.git/index'), 'no index');
    const { unseen } = await findOtherNames(workspace, plan);
    expect(unseen).toEqual(["the git index in '.git' cannot be read"]);
    await using host = createToolHost({
      sandbox: 'isolate',
      workspace,
      permissions: { deny: ['read_file(.env)'] },
      strictSecrets: true,
    });
    await expect(host.ready()).rejects.toThrow('cannot be read');
  });

  it('is not left unlooked for because the sandbox was made elsewhere', () => {
    const sandbox = createIsolateSandbox({ workspace });
    expect(() => createToolHost({ sandbox, strictSecrets: true })).toThrow("'strictSecrets' looks through");
  });

  it('is looked for in so many files as there is time for, and it says so when there are more', () => {
    for (let index = 0; index < 20; index += 1) writeFileSync(join(workspace, `${index}`), '');
    const here = process.cwd();
    try {
      expect(lookThrough(workspace, plan, 10).unseen).toEqual(['the workspace has more files than are looked at']);
      expect(lookThrough(workspace, plan, 30).unseen).toEqual([]);
    } finally {
      process.chdir(here);
    }
  });

  it('keeps a host with strictSecrets from starting, until it is gone', async () => {
    const link = join(workspace, 'notes.txt');
    linkSync(join(workspace, '.env'), link);
    // Before any container: no engine is asked.
    await using inContainers = createToolHost({
      sandbox: 'docker',
      workspace,
      permissions: { deny: ['read_file(.env)'] },
      strictSecrets: true,
    });
    await expect(inContainers.ready()).rejects.toThrow("'.env' (hard link: notes.txt)");
    await using host = createToolHost({
      sandbox: 'isolate',
      workspace,
      tools: codingTools(),
      permissions: { deny: ['read_file(.env)'] },
      strictSecrets: true,
    });
    await expect(host.ready()).rejects.toThrow("'.env' (hard link: notes.txt)");
    const refused = await host.call({ toolName: 'shell', args: { command: 'ls' } });
    expect(refused).toMatchObject({ status: 'error', error: { kind: 'sandbox' } });
    rmSync(link);
    writeFileSync(join(workspace, 'real'), 'TOKEN=1');
    symlinkSync('../real', join(mkdirAt('sub'), '.env'));
    await expect(host.ready()).rejects.toThrow("'sub/.env' (symbolic link: real)");
    rmSync(join(workspace, 'sub'), { recursive: true });
    expect((await host.call({ toolName: 'shell', args: { command: 'ls' } })).status).toBe('ok');
  });
});
