import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHELL_COMMANDS } from '../../../sandbox/protocol/shell-commands.js';
import { parsePolicy } from '../../../src/permissions/policy.js';
import { WorkerDriver } from './worker-driver.js';

let worker: WorkerDriver;
beforeAll(async () => {
  worker = await WorkerDriver.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

describe('exec', () => {
  it('runs a pipeline and answers with its output and exit code', async () => {
    const answer = await worker.exec('echo hi | cat; exit 7');
    expect([answer.text, answer.stderr, answer.exitCode, answer.cause]).toEqual(['hi\n', '', 7, undefined]);
  });

  it('keeps stdout and stderr apart', async () => {
    const answer = await worker.exec('echo out; echo err >&2; echo more');
    expect([answer.text, answer.stderr]).toEqual(['out\nmore\n', 'err\n']);
  });

  it('works on the files of the workspace', async () => {
    writeFileSync(join(worker.workspace, 'in.txt'), 'b\na\n');
    const answer = await worker.exec('sort in.txt > sorted.txt && mkdir -p d/e && cp sorted.txt d/e && find d -type f');
    expect(answer.text).toBe('d/e/sorted.txt\n');
    expect(readFileSync(join(worker.workspace, 'd/e/sorted.txt'), 'utf8')).toBe('a\nb\n');
  });

  it('moves files between the workspace, /tmp and the home directory', async () => {
    const answer = await worker.exec('echo x > m && mv m /tmp/m && mv /tmp/m ~/m && cat /home/agent/m && ls m /tmp/m');
    expect([answer.text, answer.exitCode]).toEqual(['x\n', 2]);
  });

  it('runs the script of a shell in an argv, with arguments and without', async () => {
    const script = 'read -r l; echo "$l $#"; cat; exit 3';
    const answer = await worker.exec(['sh', '-c', script], { stdin: Buffer.from('a\nb') });
    expect([answer.text, answer.exitCode]).toEqual(['a 0\nb', 3]);
    expect((await worker.exec(['/bin/bash', '-c', 'echo "$0 $1"', 'name', 'x'])).text).toBe('name x\n');
    expect((await worker.exec(['bash', '-c', 'nosuch'])).exitCode).toBe(127);
  });

  it.each(['sh', '/bin/sh'])('does not run the script of a shell that a rule denies: %s', async (shell) => {
    const rule = { program: 'sh', operands: [], flags: [], names: {}, rule: 'deny Shell(sh:*)' };
    await using gated = await WorkerDriver.start({ plan: { denyRead: [], denyWrite: [], denyCommands: [rule] } });
    const answer = await gated.exec([shell, '-c', 'echo ran']);
    expect([answer.text, answer.exitCode]).toEqual(['', 126]);
  });

  it.each([
    ['sed -i', 'sed --in-place s/a/EVIL/ kept.txt'],
    ['sed -i', 'sed --in-pl s/a/EVIL/ kept.txt'],
    ['sort -o', 'sort --output=kept.txt /dev/null'],
    ['sort --output', 'sort -uo kept.txt /dev/null'],
    ['cp -r', 'cp -a other kept.txt'],
    ['rm -r', 'rm --r kept.txt'],
    ['grep', 'egrep a kept.txt'],
    ['grep -E', 'egrep a kept.txt'],
    ['gzip -d', 'gunzip kept.txt'],
  ])('a denied %s is denied in another spelling: %s', async (denied, command) => {
    const plan = parsePolicy({ deny: [`shell(${denied}:*)`] }).plan();
    await using gated = await WorkerDriver.start({ plan });
    writeFileSync(join(gated.workspace, 'kept.txt'), 'a\n');
    const answer = await gated.exec(command);
    expect([answer.exitCode, answer.text]).toEqual([126, '']);
    expect(answer.stderr).toContain('denied by the rule');
    expect(readFileSync(join(gated.workspace, 'kept.txt'), 'utf8')).toBe('a\n');
  });

  it('sorts lines, names and matches as the C.UTF-8 locale does', async () => {
    const answer = await worker.exec(
      "mkdir o && cd o && touch b A a B é; printf 'b\\nA\\né\\na\\nB\\n' | sort; ls; echo *; cd .. && rm -r o",
    );
    const lines = 'A\nB\na\nb\né\n';
    expect(answer.text).toBe(`${lines}${lines}A B a b é\n`);
  });

  it('gives the program of an argv its arguments untouched by any shell', async () => {
    const answer = await worker.exec(['printf', '%s|', 'a b', '$HOME', '`x`', "it's", '*', '']);
    expect(answer.text).toBe("a b|$HOME|`x`|it's|*||");
  });

  it('answers 127 and the cause for a program that is not there', async () => {
    for (const command of ['nosuch a', ['nosuch', 'a']]) {
      const answer = await worker.exec(command);
      expect([answer.exitCode, answer.cause]).toEqual([127, 'command_not_found']);
      expect(answer.stderr).toBe('bash: nosuch: command not found\n');
    }
  });

  it('answers 126 and the cause for a file that is not executable', async () => {
    writeFileSync(join(worker.workspace, 'plain'), 'echo no\n');
    const answer = await worker.exec('./plain');
    expect([answer.exitCode, answer.cause]).toEqual([126, 'not_executable']);
  });

  it('names no cause for a script that exits with 127 itself', async () => {
    expect((await worker.exec('exit 127')).cause).toBeUndefined();
  });

  it('runs an executable script of the workspace', async () => {
    writeFileSync(join(worker.workspace, 'script'), '#!/bin/bash\necho "got $1"\n');
    chmodSync(join(worker.workspace, 'script'), 0o755);
    expect((await worker.exec('./script x')).text).toBe('got x\n');
  });

  it.each([
    'git',
    'node',
    'npm',
    'python',
    'kill',
    'trap',
    'ps',
    'dd',
    'mkfifo',
    'jobs',
    'ulimit',
    'split',
    'curl',
    'tar',
  ])('does not pretend to have %s', async (name) => {
    expect((await worker.exec(`${name} x`)).stderr).toBe(`bash: ${name}: command not found\n`);
  });

  it('has the programs that descriptions name', async () => {
    expect((await worker.exec('ls /bin')).text.trim().split('\n')).toEqual([...SHELL_COMMANDS]);
  });

  it('reports a syntax error as bash does', async () => {
    const answer = await worker.exec('if then');
    expect(answer.exitCode).toBe(2);
    expect(answer.stderr).toMatch(/^bash: syntax error/);
  });
});

describe('the directory a command starts in', () => {
  it('is the one asked for', async () => {
    mkdirSync(join(worker.workspace, 'sub'), { recursive: true });
    expect((await worker.exec('pwd', { cwd: '/workspace/sub' })).text).toBe('/workspace/sub\n');
    expect((await worker.exec('pwd', { cwd: 'sub' })).text).toBe('/workspace/sub\n');
    expect((await worker.exec('pwd', { cwd: '/tmp' })).text).toBe('/tmp\n');
  });

  it.each(['/workspace/none', '/workspace/in.txt', '/etc', '/', '/workspace/../etc'])(
    'is refused with the path when it is %s',
    async (cwd) => {
      writeFileSync(join(worker.workspace, 'in.txt'), '');
      await expect(worker.exec('touch made', { cwd })).rejects.toMatchObject({
        code: 'invalid_cwd',
        message: expect.stringContaining(cwd === '/workspace/../etc' ? '/etc' : cwd),
      });
      expect(existsSync(join(worker.workspace, 'made'))).toBe(false);
    },
  );
});

describe('every command starts clean', () => {
  it('keeps no variable, function, alias, option, directory or found program', async () => {
    await worker.exec(
      'export A=1; readonly R=1; f() { :; }; alias x=y; cd /tmp; shopt -s nullglob; set -f; hash ls; umask 077; exec 3>/tmp/q; declare -a arr=(1)',
    );
    const answer = await worker.exec(
      'echo "[$A$R${arr[0]}]"; R=2; echo $R; type f; alias; pwd; shopt -q nullglob || echo off; echo *.none; hash | grep -c /ls; echo $0 $#; echo x >&3',
    );
    expect(answer.text).toBe('[]\n2\n/workspace\noff\n*.none\n0\nbash 0\n');
  });

  it('has the small environment and the variables given to this call', async () => {
    const { text } = await worker.exec('echo "$FOO:$HOME:$USER:$PATH:$CI:$PAGER:$GIT_EDITOR:$LANG:$PWD"', {
      env: { FOO: 'é x' },
    });
    expect(text).toBe('é x:/home/agent:agent:/usr/bin:/bin:1:cat:true:C.UTF-8:/workspace\n');
    expect((await worker.exec('echo "[$FOO]"; printenv FOO')).text).toBe('[]\n');
  });

  it('exports what it was given to the programs it runs', async () => {
    expect((await worker.exec("bash -c 'echo $FOO'", { env: { FOO: 'x' } })).text).toBe('x\n');
  });

  it('has its stdin at the end', async () => {
    expect((await worker.exec('cat; read x; echo $?')).text).toBe('1\n');
  });
});

describe('what lies outside the three writable directories', () => {
  it('cannot be changed, and says so', async () => {
    const answer = await worker.exec('echo x > /etc/x; echo $?; mkdir /foo; rm /bin/ls; touch /usr/x; ls /');
    expect(answer.text).toBe('1\nbin\ndev\netc\nhome\nproc\ntmp\nusr\nworkspace\n');
    expect(answer.stderr).toContain('bash: /etc/x: Read-only file system\n');
  });

  it('shows nothing of the host', async () => {
    const answer = await worker.exec(
      'cat /etc/shadow /proc/self/environ /etc/os-release; ls /root /var; cat /etc/passwd',
    );
    expect(answer.text).toBe('root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:/home/agent:/bin/bash\n');
  });

  it('takes what is written to /dev/null', async () => {
    expect((await worker.exec('echo x > /dev/null; echo y 2>/dev/null; cat /dev/null; echo $?')).text).toBe('y\n0\n');
  });
});

describe('a file that a rule denies', () => {
  it('is refused with the rule, whichever command tries and through links', async () => {
    const plan = { denyRead: [{ glob: '**/.env', rule: 'read_file(**/.env)' }], denyWrite: [] };
    await using denied = await WorkerDriver.start({ plan });
    writeFileSync(join(denied.workspace, '.env'), 'SECRET');
    const commands = [
      'cat .env',
      'head .env',
      'cat < .env',
      'ln -s .env l; cat l',
      'cp .env c; cat c',
      'base64 .env',
      'grep -r SECRET .',
      'source .env',
    ];
    for (const command of commands) {
      const answer = await denied.exec(command);
      expect(answer.text + answer.stderr, command).not.toContain('SECRET');
    }
    expect((await denied.exec('cat .env')).stderr).toBe(
      "cat: .env: Permission denied (denied by the rule 'read_file(**/.env)')\n",
    );
  });

  it('is refused from the next call on when the rule comes later', async () => {
    await using late = await WorkerDriver.start();
    writeFileSync(join(late.workspace, 'key'), 'SECRET');
    expect((await late.exec('cat key')).text).toBe('SECRET');
    late.send({ type: 'enforce', plan: { denyRead: [{ glob: 'key', rule: 'read_file(key)' }], denyWrite: [] } });
    expect((await late.exec('cat key')).text).toBe('');
  });
});

describe('a failed redirection', () => {
  it('fails its command and not the script', async () => {
    const answer = await worker.exec('echo a > nodir/x; echo $?; echo b > /workspace; echo c');
    expect(answer.text).toBe('1\nc\n');
    expect(answer.stderr).toBe('bash: nodir/x: No such file or directory\nbash: /workspace: Is a directory\n');
  });
});

describe('programs of our own', () => {
  it('answer as the real ones do', async () => {
    const command = [
      'uname; id -u; id -un; whoami; nproc',
      'echo a > p; echo b > q; cmp p q; cmp p p; echo $?; cmp -s p q; echo $?',
      'realpath d/../p; t=$(mktemp); test -f $t; echo $?; test -d $(mktemp -d); echo $?',
      'echo 1 2 3 | xargs -n2; echo "a b" | xargs -I{} echo "<{}>"; seq 3 | paste -sd,',
      "printf 'a\\0b' | tr '\\0' '\\n'",
    ].join('\n');
    expect((await worker.exec(command)).text).toBe(
      'Linux\n1000\nagent\nagent\n1\np q differ: byte 1, line 1\n0\n1\n/workspace/p\n0\n0\n1 2\n3\n<a b>\n1,2,3\na\nb',
    );
  });

  it('dumps bytes as od does', async () => {
    const { text } = await worker.exec(
      "printf 'AB\\377\\n' > o; od o; od -An -tx1 o; od -c o; od -A d -t u1 -j 1 -N 2 o",
    );
    expect(text).toBe(
      [
        '0000000 041101 005377',
        '0000004',
        ' 41 42 ff 0a',
        '0000000   A   B 377  \\n',
        '0000004',
        '0000001  66 255',
        '0000003',
        '',
      ].join('\n'),
    );
  });
});
