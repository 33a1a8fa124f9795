import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { codingTools } from '../../src/tools/coding-tools.js';
import { describeOnDocker } from './engine.js';
import { giveAllToWorkspaceOwner, makeWorkspace } from './workspaces.js';

const SECRET = 'canary-overlay';

describeOnDocker('rules over an overlay volume', () => {
  let root: string;
  beforeEach(async () => {
    root = await makeWorkspace();
    writeFileSync(join(root, '.env'), SECRET);
    writeFileSync(join(root, 'code'), 'plain\n');
    execFileSync('git', ['init', '-q', root]);
    mkdirSync(join(root, 'node_modules/x/.vscode'), { recursive: true });
    writeFileSync(join(root, 'node_modules/x/.npmrc'), 'x');
    await giveAllToWorkspaceOwner(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('let no command start while the host has something new under a denied name, and lose no changes by it', async () => {
    await using session = createDockerSandbox({ workspace: root, workspaceMode: 'overlay' });
    await using host = createToolHost({
      sandbox: session,
      workspace: root,
      tools: codingTools(),
      permissions: { deny: ['read_file(.env)'] },
      policyFiles: false,
    });
    await host.ready();
    expect(session.capabilities.overlay).toBe('volume');
    await session.exec('echo mine > made');
    writeFileSync(join(root, '.env2'), SECRET);
    renameSync(join(root, '.env2'), join(root, '.env'));
    expect((await session.exec('cat .env; cat made')).stdout).toBe('mine\n');
    mkdirSync(join(root, 'app'));
    writeFileSync(join(root, 'app/.env'), SECRET);
    await expect(session.exec('cat app/.env')).rejects.toMatchObject({
      code: 'mask_lost',
      message: expect.stringContaining('read_file(.env)'),
    });
    expect(await session.changes()).toMatchObject([{ path: 'made', kind: 'added', after: 'mine\n' }]);
    rmSync(join(root, 'app'), { recursive: true });
    expect((await session.exec('cat made')).stdout).toBe('mine\n');
    expect(await session.commit()).toEqual({ added: 1, modified: 0, deleted: 0 });
  });

  it('show a file made inside under a denied name as a change, without its content, and so do copies', async () => {
    for (const overlay of ['volume', 'copy'] as const) {
      await using session = createDockerSandbox({
        workspace: root,
        workspaceMode: 'overlay',
        plan: { denyRead: [{ glob: '**/*.key', rule: 'read_file(*.key)' }], denyWrite: [] },
        ...(overlay === 'copy' ? { limits: { maxDiskBytes: 64 * 1024 * 1024 } } : {}),
      });
      await session.exec(`printf ${SECRET} > made.key; printf x > made`);
      expect(session.capabilities.overlay).toBe(overlay);
      const [made, closed] = await session.changes();
      expect(made).toMatchObject({ path: 'made', after: 'x' });
      expect(closed).toEqual({ path: 'made.key', kind: 'added', type: 'file', mode: expect.any(Number) });
    }
  });

  it('hide a directory that its owner may not look into, which a command could open', async () => {
    mkdirSync(join(root, 'closed'));
    writeFileSync(join(root, 'closed/.env'), SECRET);
    await giveAllToWorkspaceOwner(root);
    chmodSync(join(root, 'closed'), 0o300);
    await using session = createDockerSandbox({
      workspace: root,
      workspaceMode: 'overlay',
      plan: { denyRead: [{ glob: '**/.env', rule: 'read_file(.env)' }], denyWrite: [] },
    });
    const { stdout } = await session.exec('chmod 755 closed; cat closed/.env; mv closed open; cat open/.env; cat code');
    expect(stdout).toBe('plain\n');
    await session.exec('rm -rf open closed');
    expect(await session.changes()).toEqual([]);
  });

  it('leave git and installed packages at work', async () => {
    await using host = createToolHost({
      sandbox: 'docker',
      workspace: root,
      workspaceMode: 'overlay',
      tools: codingTools(),
    });
    const command = 'git add code && git commit -qm one && git log --oneline | wc -l && rm -rf node_modules && ls';
    const outcome = await host.call({ toolName: 'shell', args: { command } });
    expect(outcome.status).toBe('ok');
    expect(JSON.stringify(outcome)).toContain('1\\ncode');
    await host.workspace.commit();
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
  });
});
