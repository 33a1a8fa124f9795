import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { privateDirectoryParent } from '../../../src/sandbox/private-directory.js';
import { delay, isAlive, session, temporaryDirectory } from './fixture.js';

const privateDirectories = () =>
  readdirSync(privateDirectoryParent().path).filter((name) => name.startsWith(`caisson-session-${process.pid}-`));

describe('an isolate session', () => {
  it('starts nothing before its first call', async () => {
    const sandbox = session();
    expect(sandbox.processIds()).toEqual([]);
    expect((await sandbox.exec('echo hi')).stdout).toBe('hi\n');
    expect(sandbox.processIds()).toHaveLength(1);
  });

  it('leaves no process and no directory behind when it is disposed, twice if need be', async () => {
    const sandbox = session();
    await sandbox.exec('echo x > /tmp/f; echo y > f');
    await sandbox.fs.grep('y');
    const pids = sandbox.processIds();
    expect(pids).toHaveLength(2);
    await Promise.all([sandbox.dispose(), sandbox.dispose()]);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(privateDirectories()).toEqual([]);
  });

  it('refuses calls after it was disposed', async () => {
    const sandbox = session();
    await sandbox.start();
    await sandbox.dispose();
    const disposed = { name: 'SandboxCrashedError', code: 'sandbox_disposed' };
    await expect(sandbox.exec('true')).rejects.toMatchObject(disposed);
    await expect(sandbox.fs.stat('.')).rejects.toMatchObject(disposed);
    await expect(sandbox.evaluate('1')).rejects.toMatchObject(disposed);
    await expect(sandbox.start()).rejects.toMatchObject(disposed);
  });

  it('rejects running and waiting calls when it is disposed', async () => {
    const sandbox = session();
    await sandbox.start();
    const settled = Promise.allSettled([
      sandbox.exec('sleep 20'),
      ...Array.from({ length: 19 }, (_, i) => sandbox.exec(`echo ${i}`)),
    ]);
    await delay(50);
    await sandbox.dispose();
    expect((await settled).map((one) => one.status === 'rejected' && one.reason.code)).toEqual(
      Array(20).fill('sandbox_disposed'),
    );
  });

  it('can be disposed while it starts', async () => {
    const sandbox = session();
    const starting = sandbox.exec('echo hi');
    await sandbox.dispose();
    await expect(starting).rejects.toMatchObject({ code: 'sandbox_disposed' });
    expect(sandbox.processIds()).toEqual([]);
    expect(privateDirectories()).toEqual([]);
  });

  it('is disposed by `await using`', async () => {
    let pids: number[];
    {
      await using sandbox = session();
      await sandbox.exec('true');
      pids = sandbox.processIds();
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('ends its workers when idle, and finds every file in the next', async () => {
    const sandbox = session({ idleLifeMs: 100 });
    await sandbox.exec('echo kept > f');
    const [first] = sandbox.processIds();
    await delay(400);
    expect(sandbox.processIds()).toEqual([]);
    expect((await sandbox.exec('cat f')).stdout).toBe('kept\n');
    expect(sandbox.processIds()).not.toContain(first);
  });

  it('does not rest during a call that is longer than its idle life', async () => {
    const sandbox = session({ idleLifeMs: 100 });
    expect((await sandbox.exec('sleep 0.5; echo done')).stdout).toBe('done\n');
  });

  it('expires when its life is over', async () => {
    const sandbox = session({ hardLifeMs: 700 });
    await sandbox.start();
    const pids = sandbox.processIds();
    await delay(900);
    await expect(sandbox.exec('true')).rejects.toMatchObject({ code: 'sandbox_expired' });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('names the workspace that it cannot open, and starts once it is there', async () => {
    const workspace = join(temporaryDirectory(), 'later');
    const sandbox = session({ workspace });
    await expect(sandbox.exec('ls')).rejects.toMatchObject({
      name: 'SandboxUnavailableError',
      code: 'sandbox_unavailable',
      path: workspace,
    });
    mkdirSync(workspace);
    writeFileSync(join(workspace, 'f'), '');
    expect((await sandbox.exec('ls')).stdout).toBe('f\n');
  });

  it('has an empty environment and no arguments that tell of the host', async () => {
    const sandbox = session();
    process.env.CAISSON_TEST_SECRET = 'planted';
    try {
      expect((await sandbox.exec('env; cat /proc/1/environ /proc/self/environ')).stdout).not.toContain('planted');
    } finally {
      delete process.env.CAISSON_TEST_SECRET;
    }
  });

  it.runIf(process.getuid?.() === 0)('runs as nobody without a workspace, and as the owner of one', async () => {
    const workspace = temporaryDirectory();
    chownSync(workspace, 1234, 1235);
    const memory = session();
    const owned = session({ workspace });
    await Promise.all([memory.start(), owned.exec('echo x > made')]);
    // Not the owner of /proc/<pid>: a process that changed its user is not dumpable, and its files stay root's.
    const statusUid = (pid: number | undefined) =>
      /Uid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    expect(statusUid(memory.processIds()[0])).toBe('65534');
    expect(statusUid(owned.processIds()[0])).toBe('1234');
    expect(statSync(join(workspace, 'made'))).toMatchObject({ uid: 1234, gid: 1235 });
  });

  it('does not keep its host process alive', async () => {
    const script = `
      const { createIsolateSandbox } = await import(${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)});
      const sandbox = createIsolateSandbox();
      await sandbox.exec('echo x > f');
      await sandbox.fs.glob('*');
      console.log('done');`;
    expect(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 15_000 }),
    ).toBe('done\n');
  });

  it('loses its worker when the host is killed', async () => {
    const script = `
      const { createIsolateSandbox } = await import(${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)});
      const sandbox = createIsolateSandbox();
      await sandbox.start();
      sandbox.exec('while :; do :; done');
      console.log(JSON.stringify(sandbox.processIds()));
      setInterval(() => {}, 1000);`;
    const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await new Promise<[Buffer]>((resolve) => host.stdout.once('data', (data) => resolve([data])));
    const pids = JSON.parse(output.toString()) as number[];
    expect(pids.every(isAlive)).toBe(true);
    host.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), { timeout: 5_000 }).toEqual([]);
    await session().start();
    const left = readdirSync(privateDirectoryParent().path);
    expect(left.filter((name) => name.startsWith(`caisson-session-${host.pid}-`))).toEqual([]);
  });
});
