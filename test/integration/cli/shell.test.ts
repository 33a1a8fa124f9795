import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { privateDirectoriesOf, runCli, survivors } from './run-cli.js';
import { createWorkspace } from './workspace.js';

describe('caisson shell on a pipe', () => {
  it('runs each line as a command and exits with 0 after the last succeeded', async () => {
    const { code, stdout } = await runCli(['shell'], { input: 'false\necho one\n\necho two | tr a-z A-Z\n' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'one\nTWO\n' });
  });

  it('exits with the exit code of the last command', async () => {
    expect((await runCli(['shell'], { input: 'echo hi\n(exit 7)\n' })).code).toBe(7);
  });

  it('exit ends with its own code, and later lines do not run', async () => {
    const { code, stdout } = await runCli(['shell'], { input: 'echo one\nexit 5\necho two\n' });
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'one\n' });
  });

  it('runs a last line without a newline', async () => {
    expect((await runCli(['shell'], { input: 'echo end' })).stdout).toBe('end\n');
  });

  it('exits with 0 on empty input', async () => {
    expect(await runCli(['shell'], { input: '' })).toMatchObject({ code: 0, stdout: '' });
  });

  it('carries files and cd over, but no variables', async () => {
    const input = 'mkdir -p a/b\ncd a/b\necho x > f\npwd\nX=1\necho "[$X]"\ncd\nls a/b\n';
    const { stdout, code } = await runCli(['shell'], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '/workspace/a/b\n[]\nf\n' });
  });

  it('a cd that fails stays where it was and says so', async () => {
    const { stdout, stderr } = await runCli(['shell'], { input: 'cd nowhere\npwd\n' });
    expect(stdout).toBe('/workspace\n');
    expect(stderr).toContain('nowhere');
  });

  it('joins a line that ends in a backslash with the next', async () => {
    expect((await runCli(['shell'], { input: 'echo one \\\ntwo\n' })).stdout).toBe('one two\n');
  });

  it('a denied command exits with 3 and the ones after it run', async () => {
    const denied = await runCli(['shell', '--deny', 'shell(rm:*)'], { input: 'rm x\n' });
    expect(denied.code).toBe(3);
    expect(denied.stderr).toContain('denied');
    const after = await runCli(['shell', '--deny', 'shell(rm:*)'], { input: 'rm x\necho after\n' });
    expect(after).toMatchObject({ code: 0, stdout: 'after\n' });
  });

  it('writes to the workspace in direct mode and not in overlay mode', async () => {
    await using workspace = await createWorkspace({ 'a.txt': 'old\n' });
    const overlay = ['shell', '-w', workspace.path, '--workspace-mode', 'overlay'];
    expect((await runCli(overlay, { input: 'echo new > a.txt\ncat a.txt\n' })).stdout).toBe('new\n');
    expect(await readFile(join(workspace.path, 'a.txt'), 'utf8')).toBe('old\n');
    await runCli(['shell', '-w', workspace.path], { input: 'echo new > a.txt\n' });
    expect(await readFile(join(workspace.path, 'a.txt'), 'utf8')).toBe('new\n');
  });

  it('--timeout ends a command with 124 and the next one runs', async () => {
    const looping = await runCli(['shell', '--timeout', '400'], { input: 'while true; do :; done\n' });
    expect(looping.code).toBe(124);
    expect(looping.stderr).toContain('timeout');
    const after = await runCli(['shell', '--timeout', '400'], { input: 'while true; do :; done\necho alive\n' });
    expect(after).toMatchObject({ code: 0, stdout: 'alive\n' });
  });

  it('exits with 4 for a workspace that is not there', async () => {
    expect((await runCli(['shell', '-w', '/nonexistent/caisson'], { input: 'ls\n' })).code).toBe(4);
  });

  it('escapes what a guest prints, and --raw does not', async () => {
    const input = "printf '\\033[31mred\\n'\n";
    expect((await runCli(['shell'], { input })).stdout).toBe('\\x1b[31mred\n');
    expect((await runCli(['shell', '--raw'], { input })).stdout).toBe('\u001b[31mred\n');
  });

  it('leaves no process and no private directory behind', async () => {
    const result = await runCli(['shell'], { input: 'echo a > b\ncat b\n' });
    expect(result.descendants.length).toBeGreaterThan(0);
    expect(await survivors(result.descendants)).toEqual([]);
    expect(privateDirectoriesOf(result.pid)).toEqual([]);
  });
});
