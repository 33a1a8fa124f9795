import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { privateDirectoriesOf, runCli, survivors } from './run-cli.js';
import { createWorkspace } from './workspace.js';

const EDIT = JSON.stringify({ path: 'README.md', old_string: 'teh', new_string: 'the' });

describe('caisson call', () => {
  it('prints the output of a shell command and exits with 0', async () => {
    const { code, stdout, stderr } = await runCli(['call', 'shell', '--args', '{"command":"seq 3 | tac"}']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '3\n2\n1\n', stderr: '' });
  });

  it('shows the exit code of a command that failed, which is still a call that succeeded', async () => {
    const { code, stderr } = await runCli(['call', 'shell', '--args', '{"command":"exit 7"}']);
    expect(code).toBe(0);
    expect(stderr).toContain('exit code 7');
  });

  it('reads a file of the workspace', async () => {
    await using workspace = await createWorkspace({ 'src/a.txt': 'hello from disk\n' });
    const { code, stdout } = await runCli(['call', 'read_file', '-w', workspace.path, '-a', '{"path":"src/a.txt"}']);
    expect(code).toBe(0);
    expect(stdout).toContain('hello from disk');
  });

  it('takes the arguments from stdin with --args -', async () => {
    const { code, stdout } = await runCli(['call', 'shell', '--args', '-'], { input: '{"command":"echo from stdin"}' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'from stdin\n' });
  });

  it('works in an empty memory workspace when none is given, and never in the current directory', async () => {
    await using workspace = await createWorkspace({ 'secret.txt': 'x' });
    const { code, stdout } = await runCli(['call', 'shell', '--args', '{"command":"ls -A; touch made"}'], {
      cwd: workspace.path,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(spawnSync('ls', ['-A', workspace.path], { encoding: 'utf8' }).stdout).toBe('secret.txt\n');
  });

  it('--timeout stops a command and says so', async () => {
    const args = ['call', 'shell', '--timeout', '400', '--args', '{"command":"while true; do :; done"}', '--json'];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'ok', output: { exitCode: null, cause: 'timeout' } });
  });

  it('leaves no process and no private directory behind', async () => {
    const result = await runCli(['call', 'shell', '--args', '{"command":"echo hi > a; cat a"}']);
    expect(result.code).toBe(0);
    expect(result.descendants.length).toBeGreaterThan(0);
    expect(await survivors(result.descendants)).toEqual([]);
    expect(privateDirectoriesOf(result.pid)).toEqual([]);
  });
});

describe('caisson call --json', () => {
  it('prints one object with the outcome of a call that succeeded', async () => {
    const { code, stdout, stderr } = await runCli(['call', 'shell', '--json', '--args', '{"command":"echo hi"}']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'ok',
      isError: false,
      toolName: 'shell',
      toolCallId: expect.any(String),
      durationMs: expect.any(Number),
      output: { stdout: 'hi\n', exitCode: 0 },
    });
  });

  it('prints one object with the error of a call that failed', async () => {
    const { code, stdout } = await runCli(['call', 'read_file', '--json', '--args', '{"path":"../x"}']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'error',
      isError: true,
      error: { kind: 'execution', code: 'path_escape' },
    });
  });

  it('adds changes and diff in overlay mode', async () => {
    await using workspace = await createWorkspace({ 'README.md': 'teh end\n' });
    const args = ['call', 'edit_file', '--json', '-w', workspace.path, '--workspace-mode', 'overlay', '-a', EDIT];
    const outcome = JSON.parse((await runCli(args)).stdout);
    expect(outcome.changes).toMatchObject([
      { path: 'README.md', kind: 'modified', before: 'teh end\n', after: 'the end\n' },
    ]);
    expect(outcome.diff).toContain('+the end');
    expect(outcome).not.toHaveProperty('committed');
  });
});

describe('caisson call with errors', () => {
  it('exits with 1 for an unknown tool', async () => {
    const { code, stderr } = await runCli(['call', 'launch_rocket']);
    expect(code).toBe(1);
    expect(stderr).toContain("Tool 'launch_rocket' not found");
  });

  it('exits with 1 for bad arguments and names each', async () => {
    const { code, stderr } = await runCli(['call', 'read_file', '--args', '{"path":42}']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/validation read_file/);
    expect(stderr).toMatch(/^ {2}path: /m);
  });

  it('exits with 1 for arguments that are not JSON', async () => {
    const { code, stderr } = await runCli(['call', 'read_file', '--args', '{path']);
    expect(code).toBe(1);
    expect(stderr).toContain('validation');
  });

  it('exits with 4 for a workspace that is not there', async () => {
    const { code, stderr } = await runCli(['call', 'list_dir', '--workspace', '/nonexistent/caisson']);
    expect(code).toBe(4);
    expect(stderr).toContain('sandbox');
  });

  it.each([
    [['call']],
    [['call', 'shell', '--sandbox', 'unsafe-host']],
    [['call', 'shell', '--timeout', 'soon']],
    [['call', 'shell', '--timeout', '600001']],
    [['call', 'shell', '--commit']],
    [['call', 'shell', '--workspace-mode', 'overlay']],
    [['call', 'shell', '--workspace-mode', 'memory', '--workspace', '.']],
    [['call', 'shell', '--deny', 'shell(']],
    [['call', 'shell', '--no-such-option']],
    [['no-such-command']],
    [[]],
  ])('exits with 2 and says why for caisson %j', async (args) => {
    const { code, stderr, stdout } = await runCli(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trim()).not.toBe('');
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});

describe('caisson call with rules', () => {
  it('exits with 3 when a rule denies the tool, and shows no byte of the file', async () => {
    await using workspace = await createWorkspace({ '.env': 'KEY=hunter2\n' });
    const args = ['call', 'read_file', '-w', workspace.path, '--deny', 'read_file(**/.env)', '-a', '{"path":".env"}'];
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(3);
    expect(stderr).toContain('denied');
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it('keeps a denied file from every command of the shell', async () => {
    await using workspace = await createWorkspace({ '.env': 'KEY=hunter2\n' });
    const command =
      'cat .env; f=.e; cat "$f"nv; cp .env b; cat b; ln -s .env c; cat c; mv .env d; cat d; grep -r KEY .';
    const args = [
      'call',
      'shell',
      '-w',
      workspace.path,
      '--deny',
      'read_file(**/.env)',
      '-a',
      JSON.stringify({ command }),
    ];
    const { stdout, stderr } = await runCli(args);
    expect(stdout + stderr).not.toContain('hunter2');
    expect(await readFile(join(workspace.path, '.env'), 'utf8')).toBe('KEY=hunter2\n');
  });

  it('takes --deny more than once', async () => {
    const rules = ['--deny', 'shell(rm:*)', '--deny', 'shell(mv:*)'];
    expect((await runCli(['call', 'shell', ...rules, '-a', '{"command":"mv a b"}'])).code).toBe(3);
    expect((await runCli(['call', 'shell', ...rules, '-a', '{"command":"rm a"}'])).code).toBe(3);
    expect((await runCli(['call', 'shell', ...rules, '-a', '{"command":"echo a"}'])).code).toBe(0);
  });

  it('without a terminal, an ask rule exits with 3, runs nothing and shows the whole request', async () => {
    const command = `echo ${'x'.repeat(500)} > made`;
    const { code, stdout, stderr } = await runCli([
      'call',
      'shell',
      '--ask',
      'shell',
      '-a',
      JSON.stringify({ command }),
    ]);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain(command);
    expect(stderr).toContain('Not run');
  });
});

describe('caisson call --workspace-mode overlay', () => {
  it('prints a diff that patch takes, and leaves the workspace as it was', async () => {
    await using workspace = await createWorkspace({ 'README.md': 'teh end\n' });
    const args = ['call', 'edit_file', '-w', workspace.path, '--workspace-mode', 'overlay', '-a', EDIT, '--raw'];
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(0);
    expect(stderr).toContain('not written to the workspace');
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('teh end\n');
    const patch = stdout.slice(stdout.indexOf('diff --git'));
    const applied = spawnSync('git', ['apply', '-'], { cwd: workspace.path, input: patch, encoding: 'utf8' });
    expect(applied.stderr).toBe('');
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('the end\n');
  });

  it('--commit writes the changes', async () => {
    await using workspace = await createWorkspace({ 'README.md': 'teh end\n' });
    const args = ['call', 'edit_file', '-w', workspace.path, '--workspace-mode', 'overlay', '--commit', '-a', EDIT];
    const { code, stderr } = await runCli(args);
    expect(code).toBe(0);
    expect(stderr).toContain('Committed: 0 added, 1 modified, 0 deleted');
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('the end\n');
  });

  it('--commit writes nothing when the call failed', async () => {
    await using workspace = await createWorkspace({ 'README.md': 'nothing to mend\n' });
    const args = ['call', 'edit_file', '-w', workspace.path, '--workspace-mode', 'overlay', '--commit', '-a', EDIT];
    expect((await runCli(args)).code).toBe(1);
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('nothing to mend\n');
  });

  it('--commit writes nothing when the command was ended, and the exit code says so', async () => {
    await using workspace = await createWorkspace({ 'README.md': 'whole\n' });
    const command = JSON.stringify({ command: 'echo half > README.md; while :; do :; done' });
    const args = ['call', 'shell', '-w', workspace.path, '--workspace-mode', 'overlay', '--commit', '--timeout', '500'];
    expect((await runCli([...args, '-a', command])).code).toBe(1);
    expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('whole\n');
  });
});

describe('caisson call with hostile output (RUN-005)', () => {
  const command = String.raw`printf 'a\033]52;c;aGk=\007b\033[2Jc\rd\342\200\256e\n'`;

  it('escapes ANSI, OSC, carriage returns and bidirectional overrides', async () => {
    const { stdout } = await runCli(['call', 'shell', '-a', JSON.stringify({ command })]);
    expect(stdout).toBe('a\\x1b]52;c;aGk=\\ab\\x1b[2Jc\\rd\\u{202e}e\n');
  });

  it('--json carries the exact text without one raw control character', async () => {
    const { stdout } = await runCli(['call', 'shell', '--json', '-a', JSON.stringify({ command })]);
    for (const character of ['\u001b', '\u0007', '\r', '\u202e']) expect(stdout).not.toContain(character);
    expect(JSON.parse(stdout).output.stdout).toBe('a\u001b]52;c;aGk=\u0007b\u001b[2Jc\rd\u202ee\n');
  });

  it('--raw prints it as it is', async () => {
    const { stdout } = await runCli(['call', 'shell', '--raw', '-a', JSON.stringify({ command })]);
    expect(stdout).toBe('a\u001b]52;c;aGk=\u0007b\u001b[2Jc\rd\u202ee\n');
  });
});
