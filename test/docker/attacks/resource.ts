import { expect } from 'vitest';
import { containerOf } from '../engine.js';
import { type Attacks, codeOf, MiB, pause } from './attack.js';

/** More than a fair share of something. */
export const resourceAttacks: Attacks = {
  'DOC-020': async ({ open }) => {
    const session = await open({ limits: { maxProcesses: 64 } });
    const bomb = await session.exec('f() { f | f & }; f; sleep 30', { timeoutMs: 3_000 });
    expect(['timeout', 'pids_exhausted']).toContain(bomb.cause);
    if (bomb.cause === 'timeout') expect(bomb.killed).toBe('verified');
    expect((await session.exec('echo usable')).stdout).toBe('usable\n');
  },
  'DOC-022': async ({ open }) => {
    await expect(open({ limits: { memoryBytes: 256 * MiB, maxDiskBytes: 1024 * MiB } })).rejects.toThrow(
      /memory limit/,
    );
    await expect(open({ limits: { memoryBytes: 256 * MiB }, tmpfs: { tmp: 300 * MiB } })).rejects.toThrow(
      /memory limit/,
    );
  },
  'DOC-023': async ({ open }) => {
    const session = await open({ limits: { maxDiskBytes: 16 * MiB, maxDiskEntries: 200 } });
    const full = await session.exec('head -c 300m /dev/zero > f');
    expect(full.cause).toBe('no_space');
    expect((await session.exec('rm f; echo x > g; cat g')).stdout).toBe('x\n');
    const inodes = await session.exec('for i in $(seq 1000); do : > n$i || exit 9; done');
    expect(inodes.cause).toBe('no_space');
    expect((await session.exec('rm n*; echo x > g; cat g')).stdout).toBe('x\n');
  },
  'DOC-025': async ({ sandbox, engine }) => {
    await sandbox.exec('yes AAAAAAAAAAAAAAAAAAAAAAAAAAAAA > /proc/1/fd/1', { timeoutMs: 1_000 });
    const { LogPath, HostConfig } = await (await containerOf(engine, sandbox.id)).inspect();
    expect([LogPath, HostConfig.LogConfig?.Type]).toEqual(['', 'none']);
  },
  'DOC-027': async ({ sandbox }) => {
    const greedy = await sandbox.exec(
      'python3 -c "\nimport resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))\nf=[]\ntry:\n  while True: f.append(open(\'/dev/null\'))\nexcept OSError as e: print(e.errno, len(f))"; cat /dev/null && echo others fine',
    );
    expect(greedy.stdout).toMatch(/^24 \d+\nothers fine\n$/);
    expect(Number((await sandbox.exec('ulimit -Hn')).stdout)).toBeLessThan(65_537);
  },
  'DOC-028': async ({ open, sandbox }) => {
    const other = await open();
    const uid = async (session: typeof sandbox) => (await session.exec('id -u')).stdout;
    expect(await uid(other)).not.toBe(await uid(sandbox));
    const exhaust =
      'python3 -c "import ctypes,time\nl=ctypes.CDLL(None)\nn=0\nwhile l.inotify_init()>=0: n+=1\nprint(n,flush=True)\ntime.sleep(3)"';
    const pending = other.exec(exhaust);
    await pause(1_500);
    const mine = await sandbox.exec('python3 -c "import ctypes; print(ctypes.CDLL(None).inotify_init() >= 0)"');
    expect(mine.stdout).toBe('True\n');
    await pending;
  },
  'DOC-029': async ({ sandbox }) => {
    await sandbox.exec('for i in $(seq 30); do (setsid sh -c "sleep 0.1 &" &) ; done');
    await pause(1_000);
    expect((await sandbox.exec("ps -eo stat --no-headers | grep -c '^Z'")).stdout).toBe('0\n');
  },
  'DOC-031': async ({ sandbox }) => {
    await sandbox.exec('head -c 50000000 /dev/zero');
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 5);
    const result = await sandbox.exec('head -c 1000000000 /dev/zero').finally(() => clearInterval(watch));
    expect(result.exitCode).toBe(0);
    expect((result.truncated?.stdoutBytes ?? 0) + result.stdout.length).toBe(1_000_000_000);
    expect(peak - before).toBeLessThan(50 * MiB);
  },
  'DOC-032': async ({ sandbox }) => {
    // The reader of one stream stalls; another call goes on, and the writer waits instead of filling memory.
    const child = await sandbox.spawn('yes', []);
    await pause(1_500);
    const before = process.memoryUsage.rss();
    await pause(500);
    expect(process.memoryUsage.rss() - before).toBeLessThan(20 * MiB);
    expect((await sandbox.exec('echo meanwhile')).stdout).toBe('meanwhile\n');
    const cpu = async () => Number((await sandbox.exec(`awk '{ print $14 + $15 }' /proc/${child.pid}/stat`)).stdout);
    const spent = await cpu();
    await pause(500);
    expect((await cpu()) - spent).toBeLessThan(10);
    expect(await child.kill('SIGKILL')).toBe(true);
    await child.stdout.cancel();
    await child.wait();
  },
  'DOC-034': async ({ sandbox }) => {
    await sandbox.exec('truncate -s 100G sparse');
    expect(await codeOf(sandbox.fs.readFile('sparse'))).toBe('file_too_large');
    expect((await sandbox.fs.stat('sparse'))?.size).toBe(100 * 1024 * MiB);
    await sandbox.fs.remove('sparse');
  },
  'DOC-035': async ({ sandbox }) => {
    // There is no archive anywhere: a bomb made inside is one file of its own size.
    await sandbox.exec('head -c 20000000 /dev/zero | gzip > bomb.tgz');
    const bytes = await sandbox.fs.readFile('bomb.tgz');
    expect(bytes?.length ?? 0).toBeLessThan(MiB);
    await sandbox.fs.remove('bomb.tgz');
  },
  'DOC-036': async ({ sandbox }) => {
    const result = await sandbox.exec('ulimit -c; ulimit -Hc; kill -SEGV $$');
    expect(result.stdout).toBe('0\n0\n');
    expect([result.exitCode, result.signal]).toEqual([139, 'SIGSEGV']);
    expect((await sandbox.exec('ls /tmp/core* core* 2>/dev/null')).stdout).toBe('');
  },
};
