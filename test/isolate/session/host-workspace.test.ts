import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import { codingTools } from '../../../src/tools/index.js';
import { session, temporaryDirectory } from './fixture.js';

describe('host.workspace', () => {
  it('shows, commits and discards what calls changed in an overlay', async () => {
    const workspace = temporaryDirectory();
    await using host = createToolHost({
      sandbox: 'isolate',
      workspace,
      workspaceMode: 'overlay',
      tools: codingTools(),
    });
    await host.call({ toolName: 'write_file', args: { path: 'a.txt', content: 'kept' } });
    expect((await host.workspace.changes()).map(({ path, kind }) => [path, kind])).toEqual([['a.txt', 'added']]);
    expect(await host.workspace.commit()).toEqual({ added: 1, modified: 0, deleted: 0 });
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('kept');
    await host.call({ toolName: 'write_file', args: { path: 'a.txt', content: 'dropped' } });
    await host.workspace.discard();
    expect(await host.workspace.changes()).toEqual([]);
  });

  it('is refused where nothing is kept apart', async () => {
    const run = async () => ({ stdout: '', stderr: '', exitCode: 0 });
    const host = createToolHost({ sandbox: { name: 'bare', run, writeFile: async () => {} } });
    await expect(host.workspace.changes()).rejects.toMatchObject({ code: 'unsupported' });
    await expect(createToolHost().workspace.commit()).rejects.toMatchObject({ code: 'sandbox_not_configured' });
  });

  it('keeps a guest from naming another directory as the repository, or hooks of its own', async () => {
    await using host = createToolHost({ sandbox: 'isolate', tools: codingTools() });
    const shell = async (command: string) => (await host.sandbox?.exec(command))?.exitCode;
    for (const command of [
      'mkdir bare; echo "gitdir: bare" > x; mv x .git',
      'mkdir -p src; ln -s ../bare src/.git',
      'mkdir -p .git; echo ../bare > .git/commondir',
      'mkdir -p m/.git/modules/a/b; echo x > m/.git/modules/a/b/config',
      'mkdir -p .husky; echo x > .husky/pre-commit',
    ]) {
      expect([command, await shell(command)]).not.toEqual([command, 0]);
    }
    expect((await host.sandbox?.exec('find . -name .git -o -name pre-commit'))?.stdout).toBe('');
  });
});

describe('a path longer than any file system takes', () => {
  it('is refused by name, cut to what can be read, and costs no worker', async () => {
    await using host = createToolHost({ sandbox: 'isolate', tools: codingTools() });
    const path = `${'a/'.repeat(5000)}b`;
    const outcome = await host.call({ toolName: 'read_file', args: { path } });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'execution', code: 'invalid_input' } });
    await expect(host.sandbox?.exec('true', { cwd: path })).rejects.toMatchObject({ code: 'invalid_cwd' });
    expect((await host.sandbox?.exec('echo on'))?.stdout).toBe('on\n');
  });
});

describe('an evaluation that returns and goes on for ever', () => {
  it('has timed out', async () => {
    const code = 'async function f() { for (;;) await 0 } f(); return 1';
    const result = await session().evaluate(code, { timeoutMs: 500 });
    expect(result).toMatchObject({ status: 'error', code: 'timeout' });
  });
});
