import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { HostEvent, ToolHost, ToolHostOptions } from '../../src/host/types.js';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { createDockerSandbox } from '../../src/sandbox/docker/create-docker-sandbox.js';
import { findOtherNames } from '../../src/sandbox/docker/names/find-other-names.js';
import { codingTools } from '../../src/tools/coding-tools.js';
import { describeOnDocker } from './engine.js';
import { makeWorkspace, WORKSPACE_UID } from './workspaces.js';

const SECRET = 'canary-51d0c2';

describeOnDocker('masks over a directory that the host works on too', () => {
  let root: string;
  let session: SandboxSession;
  let host: ToolHost;
  let events: HostEvent[];
  const at = (path: string) => join(root, path);
  const make = (path: string, content: string) => {
    mkdirSync(at(join(path, '..')), { recursive: true });
    writeFileSync(at(path), content);
    execFileSync('chown', ['-R', `${WORKSPACE_UID}:${WORKSPACE_UID}`, root]);
  };
  /** As editors save: another file takes the name. */
  const save = (path: string, content: string) => {
    make('.tmp-save', content);
    renameSync(at('.tmp-save'), at(path));
  };
  const open = (options: ToolHostOptions = {}) => {
    session = createDockerSandbox({ workspace: root, workspaceMode: 'direct' });
    host = createToolHost({
      sandbox: session,
      workspace: root,
      tools: codingTools(),
      permissions: { deny: ['read_file(.env)', 'read_file(secrets/**)'] },
      policyFiles: false,
      onEvent: (event) => events.push(event),
      ...options,
    });
  };
  const renewals = () => events.filter(({ type }) => type === 'sandbox.renewed');
  const readAll = () => session.exec('cat .env app/.env secrets/* 2>/dev/null; grep -r "" . 2>/dev/null');

  beforeEach(async () => {
    root = await makeWorkspace();
    events = [];
    make('.env', `A=${SECRET}`);
    make('app/code', 'plain');
    make('secrets/key', SECRET);
  });
  afterEach(async () => {
    await host?.dispose();
    await session?.dispose();
    await rm(root, { recursive: true, force: true });
  });

  it('hide a file again that the host saved by rename, before the next command, and say so', async () => {
    open();
    expect((await readAll()).stdout).not.toContain(SECRET);
    save('.env', `B=${SECRET}`);
    const { stdout } = await readAll();
    expect(stdout).not.toContain(SECRET);
    expect(stdout).toContain('plain');
    await host.ready();
    save('.env', `C=${SECRET}`);
    expect((await readAll()).stdout).not.toContain(SECRET);
    expect(renewals()).toMatchObject([{ reason: expect.stringContaining("'.env'") }]);
    expect(renewals()).toMatchObject([{ reason: expect.stringContaining('read_file(.env)') }]);
  });

  it('hide what comes later under a denied name, wherever it comes', async () => {
    open();
    await host.ready();
    expect((await session.exec('echo ready')).stdout).toBe('ready\n');
    make('fresh/deep/.env', SECRET);
    make('app/.env', SECRET);
    expect((await readAll()).stdout).not.toContain(SECRET);
    rmSync(at('secrets'), { recursive: true });
    make('secrets/other', SECRET);
    expect((await readAll()).stdout).not.toContain(SECRET);
    expect(renewals()).toHaveLength(2);
  });

  it('end what runs when the host replaces a denied file under it, and give nothing of its output', async () => {
    open();
    await host.ready();
    const running = session.exec('while :; do cat .env 2>/dev/null; sleep 0.001; done', { timeoutMs: 20_000 });
    const ended = running.then(
      ({ stdout, cause }) => ({ stdout, cause }),
      (error: { code: string; message: string }) => error,
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    save('.env', `B=${SECRET}`);
    expect(await ended).toMatchObject({ code: 'mask_lost', message: expect.stringContaining('read_file(.env)') });
    expect(JSON.stringify(await ended)).not.toContain(SECRET);
    expect((await readAll()).stdout).not.toContain(SECRET);
    expect(renewals()).toHaveLength(1);
  });

  it('let no further command start while something runs beside a denied file that is new', async () => {
    open();
    await host.ready();
    const server = await session.spawn('sleep', ['60']);
    make('app/.env', SECRET);
    const refused = await host.call({ toolName: 'shell', args: { command: 'ls app' } });
    expect(refused).toMatchObject({ status: 'error', error: { kind: 'sandbox', code: 'mask_lost' } });
    expect(JSON.stringify(refused)).toContain("'app/.env'");
    await server.kill('SIGKILL');
    await server.wait();
    expect(await host.call({ toolName: 'shell', args: { command: 'ls app' } })).toMatchObject({ status: 'ok' });
    expect((await readAll()).stdout).not.toContain(SECRET);
  });

  it('end what a command left running with a denied file open, when the rule comes later', async () => {
    session = createDockerSandbox({ workspace: root, workspaceMode: 'direct' });
    await session.exec('(sleep 1; cat <&3 > late.txt) 3<.env >/dev/null 2>&1 &');
    session.enforce({ denyRead: [{ glob: '**/.env', rule: 'read_file(.env)' }], denyWrite: [] });
    expect((await session.exec('cat .env; echo next')).stdout).toBe('next\n');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await session.exec('cat late.txt')).stdout).not.toContain(SECRET);
  });

  it('start no command while a spawned process runs that rules came too late for', async () => {
    session = createDockerSandbox({ workspace: root, workspaceMode: 'direct' });
    const reader = await session.spawn('sh', ['-c', 'exec 3<.env; sleep 60; cat <&3']);
    session.enforce({ denyRead: [{ glob: '**/.env', rule: 'read_file(.env)' }], denyWrite: [] });
    await expect(session.exec('cat .env')).rejects.toMatchObject({ code: 'mask_lost' });
    await reader.kill('SIGKILL');
    await reader.wait();
    expect((await session.exec('cat .env; echo next')).stdout).toBe('next\n');
  });

  it('do not reach hard links and what git keeps: those are named, and strictSecrets does not start with them', async () => {
    linkSync(at('.env'), at('app/linked'));
    for (const args of [
      ['init', '-q'],
      ['add', '-f', '.env'],
      ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x'],
    ])
      execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: root });
    make('app/more', '');
    open();
    expect((await session.exec('cat app/linked')).stdout).toContain(SECRET);
    expect((await session.exec('git show HEAD:.env')).stdout).toContain(SECRET);
    const { exposures } = await findOtherNames(root, host.permissions.plan());
    expect(exposures).toEqual([
      { path: '.env', rule: 'read_file(.env)', how: 'hard link', also: 'app/linked' },
      { path: '.env', rule: 'read_file(.env)', how: 'git', also: 'git show HEAD:.env' },
    ]);
    await host.dispose();
    open({ permissions: { deny: ['read_file(.env)'] }, strictSecrets: true });
    await expect(host.ready()).rejects.toThrow("'.env' (hard link: app/linked)");
  });

  it('are not made anew for files that are written in place, nor for other files', async () => {
    open();
    await host.ready();
    await session.exec('echo kept > /tmp/mark');
    writeFileSync(at('.env'), `D=${SECRET}`);
    save('app/code', 'other');
    make('app/more', 'x');
    expect((await session.exec('cat /tmp/mark app/code')).stdout).toBe('kept\nother');
    expect((await readAll()).stdout).not.toContain(SECRET);
    expect(renewals()).toEqual([]);
  });

  it('cover what a link with a denied name leads to', async () => {
    make('app/real', SECRET);
    symlinkSync('hop', at('app/.env'));
    symlinkSync('/workspace/app/real', at('app/hop'));
    open();
    expect((await session.exec('cat app/.env app/hop app/real; cat ./app/re*')).stdout).toBe('');
  });

  it('stay over what they hide when a command moves what is above it, or removes the link that named it', async () => {
    make('app/in/one', SECRET);
    make('conf/real', SECRET);
    make('pkg/.env', SECRET);
    symlinkSync('conf/real', at('.token'));
    open({ permissions: { deny: ['read_file(.env)', 'read_file(/app/in/one)', 'read_file(/.token)'] } });
    await host.ready();
    const moved = await session.exec(
      'python3 -c \'import os\nfor one in ("app/in", "app", "conf", "pkg"):\n try: os.rename(one, one + "2"); print(one)\n except OSError: pass\'; rm .token; touch new.env x.env; mkdir y; touch y/.env',
    );
    // By its name alone what is in `pkg` is hidden wherever that is.
    expect(moved.stdout).toBe('pkg\n');
    expect(
      (await session.exec('cat conf/real app/in/one pkg2/.env; grep -r canary conf app pkg*')).stdout,
    ).not.toContain(SECRET);
    expect(renewals()).not.toEqual([]);
    expect((await session.exec('mv app/code app/in/code; cat app/in/code')).stdout).toBe('plain');
  });

  it('say what they refuse to everyday commands, which do the rest of their work', async () => {
    make('ci/build.yml', 'ci');
    make('junk/a', 'a');
    execFileSync('git', ['init', '-q', root]);
    execFileSync('chown', ['-R', `${WORKSPACE_UID}:${WORKSPACE_UID}`, root]);
    open({ permissions: { deny: ['read_file(.env)', 'write_file(/ci/**)', 'write_file(/b.lock)'] } });
    make('b.lock', 'lock');
    await host.ready();
    const run = async (command: string) => {
      const { stdout, stderr, exitCode } = await session.exec(command);
      return `${exitCode} ${stdout}${stderr}`;
    };
    expect(await run('sed -i s/ci/X/ ci/build.yml')).toMatch(/^4 .*Read-only file system/);
    expect(await run('sed -i s/lock/X/ b.lock')).toMatch(/^4 .*Device or resource busy/);
    expect(await run('chmod 777 b.lock')).toMatch(/^1 .*Read-only file system/);
    expect(await run('echo X > new; mv -f new b.lock')).toMatch(/^1 .*Device or resource busy/);
    expect(await run('mv -f app/code ci/build.yml')).toMatch(/^1 .*Read-only file system/);
    expect(await run('git clean -fdxq')).toMatch(/^1 .*\.env: Device or resource busy/);
    expect(await run('ls -A')).toBe('0 .env\n.git\nb.lock\nci\n');
    expect([readFileSync(at('ci/build.yml'), 'utf8'), readFileSync(at('b.lock'), 'utf8')]).toEqual(['ci', 'lock']);
    expect(await run('sed -i s/ci/X/ a 2>&1; echo a > a; sed -i s/a/b/ a; chmod 600 a; mv a c; cat c')).toContain(
      'b\n',
    );
  });

  it('keep what is there from commands that only could remove it, which run', async () => {
    make('keep/in/a.snap', 'kept');
    make('b.snap', 'x');
    open({ permissions: { deny: ['write_file(keep/**)'] } });
    for (const command of [
      'x=$(echo keep); rm -rf $x',
      "find . -name '*.snap' -delete",
      'rm k*/in/*',
      'rmdir "k"*/in',
    ]) {
      const outcome = await host.call({ toolName: 'shell', args: { command } });
      expect(outcome).toMatchObject({ status: 'ok', output: { exitCode: 1 } });
    }
    expect(existsSync(at('keep/in/a.snap'))).toBe(true);
    expect(existsSync(at('b.snap'))).toBe(false);
  });

  it('hold nothing in node_modules: there a command that only could remove what a rule denies is refused', async () => {
    make('node_modules/x/a', 'kept');
    open({ permissions: { deny: ['write_file(node_modules/x/**)'] }, protectedPaths: false });
    const remove = { toolName: 'shell', args: { command: 'x=$(echo node_modules/x); rm -rf $x' } };
    expect(await host.call(remove)).toMatchObject({ status: 'error', error: { kind: 'denied' } });
    await host.ready();
    expect(await host.call(remove)).toMatchObject({ status: 'error', error: { kind: 'denied' } });
    expect(existsSync(at('node_modules/x/a'))).toBe(true);
  });

  it('protect again what the host made anew, and name what a command made that no command may write', async () => {
    make('.git/config', '[core]');
    open({ permissions: [] });
    await host.ready();
    save('.git/config', '[core]\nbare = false');
    expect((await session.exec('echo evil >> .git/config; mv .git away')).exitCode).not.toBe(0);
    expect(renewals()).toMatchObject([{ reason: expect.stringContaining('.git/config') }]);
    const made = await session.exec('echo kept > /tmp/mark; echo evil > .npmrc; mkdir -p node_modules/x/.vscode');
    expect(made.exitCode).toBe(0);
    expect((await session.exec('cat .git/config /tmp/mark')).stdout).toBe('[core]\nbare = falsekept\n');
    expect(events.filter(({ type }) => type === 'sandbox.written')).toMatchObject([
      { path: '.npmrc', rule: 'protected path **/.npmrc' },
    ]);
    expect(renewals()).toHaveLength(1);
  });

  it('keep a directory in its place that holds what no command may write, and let work go on in it', async () => {
    make('.github/workflows/ci.yml', 'ci');
    make('pkg/.git/HEAD', 'ref');
    make('pkg/.git/hooks/pre-commit', 'hook');
    make('pkg/src/a', 'a');
    open({ permissions: { deny: ['write_file(.github/workflows/**)'] } });
    await host.ready();
    const evil = (from: string, to: string, path: string) =>
      session.exec(
        `python3 -c 'import os; os.rename("${from}", "${to}"); os.makedirs(os.path.dirname("${path}")); open("${path}", "w").write("EVIL")'`,
      );
    expect((await evil('.github', 'g', '.github/workflows/ci.yml')).stderr).toContain('busy');
    expect((await evil('pkg', 'p', 'pkg/.git/hooks/pre-commit')).stderr).toContain('busy');
    expect((await session.exec('rm -rf .github pkg/.git')).exitCode).not.toBe(0);
    expect(readFileSync(at('.github/workflows/ci.yml'), 'utf8')).toBe('ci');
    expect(readFileSync(at('pkg/.git/hooks/pre-commit'), 'utf8')).toBe('hook');
    const work = await session.exec(
      'echo b >> pkg/src/a; mv pkg/src pkg/lib; mv pkg/lib/a moved; cat moved; rmdir pkg/lib',
    );
    expect(work).toMatchObject({ stdout: 'ab\n', exitCode: 0 });
    expect(events.filter(({ type }) => /^sandbox\.(written|renewed)$/.test(type))).toEqual([]);
    renameSync(at('pkg'), at('away'));
    make('pkg/new', 'of the host');
    expect((await session.exec('cat pkg/new; ls away')).stdout).toBe('of the host');
    expect(renewals()).toMatchObject([{ reason: expect.stringContaining("'pkg' was moved or replaced") }]);
  });

  it('cannot stop a link above what no command may write: what stands there then is named', async () => {
    open({ permissions: { deny: ['write_file(.github/workflows/**)'] } });
    await host.ready();
    await session.exec('mkdir -p g/workflows; echo EVIL > g/workflows/ci.yml; ln -s g .github');
    await session.exec('mkdir -p c/fish; ln -s c .config; echo EVIL > c/fish/config.fish');
    await session.exec('mkdir -p n/.zed; echo EVIL > n/.zed/x; mv n new');
    const written = () => events.flatMap((event) => (event.type === 'sandbox.written' ? [event.path] : []));
    const wanted = ['.github', 'g/workflows/ci.yml', '.config', 'c/fish/config.fish', 'new/.zed/x'];
    await expect.poll(written).toEqual(expect.arrayContaining(wanted));
  });

  it('leave git at work: only what git runs on the host is closed', async () => {
    execFileSync('git', ['init', '-q', root]);
    make('app/more', '');
    open({ permissions: [] });
    await host.ready();
    const first = await session.exec('git add app && git commit -qm one && git log --oneline | wc -l');
    expect(first).toMatchObject({ stdout: '1\n', exitCode: 0 });
    const second = await session.exec(
      'git checkout -qb x && echo two >> app/code && git commit -qam two && git log --oneline | wc -l',
    );
    expect(second).toMatchObject({ stdout: '2\n', exitCode: 0 });
    expect((await session.exec('git config core.fsmonitor evil')).exitCode).not.toBe(0);
    expect((await session.exec('echo evil > .git/hooks/pre-commit')).exitCode).not.toBe(0);
    expect((await session.exec('mv .git .other')).exitCode).not.toBe(0);
    expect((await session.exec('rm -rf .git/hooks .git/config')).exitCode).not.toBe(0);
    expect(existsSync(at('.git/config'))).toBe(true);
    expect(renewals()).toEqual([]);
  });

  it('close the workspace to writing when a rule denies every write in it', async () => {
    open({ permissions: { deny: ['write_file(**)'] } });
    expect((await session.exec('echo x > new; echo y > app/code; mkdir z; cat app/code')).stdout).toBe('plain');
    expect(existsSync(at('new'))).toBe(false);
  });

  it('say at the start which write rules commands can go around', async () => {
    open({
      permissions: { deny: ['write_file(later.txt)', 'write_file(app/**)', 'read_file(.env)'] },
      protectedPaths: false,
    });
    await host.ready();
    expect(events.find(({ type }) => type === 'sandbox.started')).toMatchObject({
      unenforced: ['write_file(later.txt)'],
    });
  });

  it('are as many as a workspace needs, and refused where they cannot be', async () => {
    for (let index = 0; index < 400; index += 1) writeFileSync(at(`app/${index}.pem`), SECRET);
    make('app/x.pem', SECRET);
    open({ permissions: { deny: ['read_file(*.pem)'] }, protectedPaths: false });
    expect((await session.exec('cat app/*.pem 2>/dev/null')).stdout).toBe('');
    await session.dispose();
    for (let index = 400; index < 1_100; index += 1) writeFileSync(at(`app/${index}.pem`), SECRET);
    open({ permissions: { deny: ['read_file(*.pem)'] }, protectedPaths: false });
    await expect(host.ready()).rejects.toThrow(/read_file\(\*\.pem\).*overlay/);
  });
});
