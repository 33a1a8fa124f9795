import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDockerSandbox } from '../../../src/sandbox/docker/create-docker-sandbox.js';
import { LABEL } from '../../../src/sandbox/docker/engine/labels.js';
import { codeOf, eventually } from '../attacks/attack.js';
import { containerOf, leftovers } from '../engine.js';
import { COPIED, giveAllToWorkspaceOwner, makeWorkspace } from '../workspaces.js';
import { describeWithBusybox, makeBusybox, makeWithoutNode, removeImages } from './images.js';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const MiB = 1024 * 1024;

const BUSYBOX = 'caisson-test:busybox';
const NO_NODE = 'caisson-test:no-node-no-libraries';

describeWithBusybox('the exec transport', (engine) => {
  let image = '';
  const open = (options = {}) => createDockerSandbox({ image, transport: 'exec', ...options });

  beforeAll(async () => {
    image = await makeBusybox(engine, BUSYBOX);
    await makeWithoutNode(engine, NO_NODE);
  }, 120_000);
  afterAll(() => removeImages(engine, BUSYBOX, NO_NODE));

  it('is chosen where no Node can run, shown in capabilities, and has what the image has', async () => {
    await using session = createDockerSandbox({ image: NO_NODE });
    await session.start();
    expect([session.capabilities.transport, session.capabilities.shell]).toEqual(['exec', 'bash']);
    expect(session.description).toMatch(/with bash; found: .*git.*python3/);
    const result = await session.exec('shopt -s extglob; python3 -c "print(6 * 7)"; pip --version | cut -c 1-3');
    expect(result.stdout).toBe('42\npip\n');
  }, 60_000);

  it('is not chosen where Node is, and can be forced there', async () => {
    await using agent = createDockerSandbox();
    await agent.start();
    expect(agent.capabilities.transport).toBe('agent');
    await using forced = createDockerSandbox({ transport: 'exec' });
    expect((await forced.exec('node -p 6*7')).stdout).toBe('42\n');
    expect(forced.capabilities.transport).toBe('exec');
  }, 60_000);

  it("is refused where it is asked for 'agent' and no Node can run, and leaves nothing", async () => {
    expect(await codeOf(createDockerSandbox({ image: NO_NODE, transport: 'agent' }).start())).toBe('unsupported');
    expect(await leftovers(engine)).toEqual([]);
  }, 60_000);

  it('gives commands no capabilities and no way to new privileges', async () => {
    await using session = open();
    const { stdout } = await session.exec('cat /proc/self/status; cat /proc/self/oom_score_adj');
    for (const line of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
      expect(stdout).toMatch(new RegExp(`^${line}:\t0+$`, 'm'));
    // The bounding set keeps the one that the main process has.
    expect(stdout).toMatch(/^CapBnd:\t0*20$/m);
    expect(stdout).toMatch(/^NoNewPrivs:\t1$/m);
    expect(stdout).toMatch(/^Seccomp:\t2$/m);
    const { HostConfig } = await (await containerOf(engine, session.id)).inspect();
    expect(HostConfig.CapAdd).toEqual([expect.stringMatching(/KILL/)]);
  }, 60_000);

  it('keeps its main process out of the reach of commands', async () => {
    await using session = open();
    const result = await session.exec(
      [
        'for p in /proc/[0-9]*; do',
        '  [ "$(stat -c %u "$p" 2>/dev/null)" = 0 ] || continue',
        '  n=${p#/proc/}; found="$found $n"',
        '  for what in environ mem fd/0 fd/1; do cat "$p/$what" && echo "read $p/$what"; done',
        '  echo forged > "$p/fd/1" && echo "wrote to $p"',
        '  for s in STOP TERM KILL; do kill -$s "$n" && echo "sent $s to $n"; done',
        'done 2>/dev/null',
        'kill -KILL -1; echo $found',
      ].join('\n'),
    );
    expect(result.stdout).not.toMatch(/read|wrote|sent/);
    expect((await session.exec('echo alive')).stdout).toBe('alive\n');
    await session.fs.writeFile('after', 'x');
  }, 60_000);

  it('ends with a host that is killed', async () => {
    const host = spawn(
      process.execPath,
      [
        '--no-warnings',
        '--import',
        join(FIXTURES, 'typescript-hooks.mjs'),
        join(FIXTURES, 'holds-an-exec-session.ts'),
        image,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, DOCKER_HOST: engine.endpoint.host } },
    );
    const id = await new Promise<string>((resolve, reject) => {
      host.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      host.once('exit', () => reject(new Error('The host ended before it had a session')));
    });
    host.kill('SIGKILL');
    await eventually('the container of the killed host is gone', async () => {
      const left = await engine.docker.listContainers({
        all: true,
        filters: JSON.stringify({ label: [`${LABEL}=${id}`] }),
      });
      return left.length === 0;
    });
  }, 60_000);

  it('finds a container that was paused over a call, and says so', async () => {
    const session = open();
    await session.start();
    const pending = session.exec('sleep 30').catch((error: Error & { code: string }) => error);
    const container = await containerOf(engine, session.id);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await container.pause();
    expect(await pending).toMatchObject({ code: 'sandbox_crashed', message: expect.stringMatching(/paused/) });
    await session.dispose();
    expect(await leftovers(engine)).toEqual([]);
  }, 90_000);

  const escapes = {
    'leaves its session': 'setsid sh -c \'trap "" TERM HUP; sleep 71\'',
    'double-forks away': "sh -c '(setsid sleep 71 &) &'; sleep 71",
    'drops its environment': "env -i setsid sh -c '(/bin/sleep 71 &)'; sleep 71",
    'spoils its marks': '(ulimit -f 1000; ulimit -d 100000; setsid sleep 71 &) & sleep 71',
    'spoils one of its marks': '(ulimit -d 100000; setsid sleep 71 &) & sleep 71',
  };
  for (const [what, command] of Object.entries(escapes)) {
    it(`ends a process that ${what}, verified, while other calls go on`, async () => {
      await using session = open();
      await session.start();
      const other = session.exec('sleep 4; echo untouched');
      const result = await session.exec(command, { timeoutMs: 900 });
      expect([result.cause, result.killed]).toEqual(['timeout', 'verified']);
      expect((await session.exec('ps | grep -c "[s]leep 71"')).stdout).toBe('0\n');
      expect((await other).stdout).toBe('untouched\n');
    }, 60_000);
  }

  it('ends a fork bomb and goes on', async () => {
    await using session = open({ limits: { maxProcesses: 64 } });
    const result = await session.exec('bomb() { bomb | bomb & bomb; }; bomb', { timeoutMs: 2_000 });
    expect(result.exitCode === 0).toBe(false);
    await eventually('commands run again', async () => {
      const next = await session.exec('echo next').catch(() => undefined);
      return next?.stdout === 'next\n';
    });
  }, 90_000);

  it('never takes a forged end for the end, nor a killed parent for success', async () => {
    await using session = open();
    const forged = await session.exec(
      'for i in 1 2 3; do printf "%032d 0\\n" $i; printf "%032d 0\\n" $i >&2; done; exit 7',
    );
    expect([forged.exitCode, forged.stdout.split('\n').length]).toEqual([7, 4]);
    const orphaned = await session.exec('sleep 72 & kill -KILL $PPID; sleep 1; echo not told');
    expect([orphaned.exitCode, orphaned.cause, orphaned.signal]).toEqual([137, 'killed', 'SIGKILL']);
    expect(orphaned.stillRunning?.length).toBeGreaterThan(0);
  }, 60_000);

  it('answers soon after the shell has ended, whatever holds its output, and names what still runs', async () => {
    await using session = open();
    const result = await session.exec('sleep 73 & echo out; exit 5');
    expect([result.stdout, result.exitCode]).toEqual(['out\n', 5]);
    expect(result.stillRunning?.map(({ command }) => command)).toEqual(['sleep 73']);
  }, 60_000);

  it('does not wait for the engine to be done with what earlier commands left when one is ended', async () => {
    await using session = open();
    for (const left of ['sleep 74', 'yes']) await session.exec(`${left} & echo out`);
    const process = await session.spawn('sleep', ['75']);
    const begun = performance.now();
    expect(await process.kill()).toBe(true);
    expect((await process.wait()).signal).toBe('SIGTERM');
    await session.exec('true', { cwd: 'nowhere' }).catch(() => {});
    // The engine holds such an end back for two seconds, and once more for each that was left.
    expect(performance.now() - begun).toBeLessThan(2_000);
  }, 60_000);

  it('tells how a program ended whose child floods an output that nobody reads', async () => {
    await using session = open();
    const process = await session.spawn('sh', ['-c', 'echo first; yes & sleep 0.2; exit 3']);
    const result = await process.wait();
    expect([result.exitCode, result.stdout.slice(0, 6)]).toEqual([3, 'first\n']);
    // BusyBox is the shell and `yes` in one.
    expect(result.stillRunning?.map(({ command }) => command)).toEqual([expect.stringContaining('yes')]);
  }, 30_000);

  it('keeps twenty concurrent calls apart', async () => {
    await using session = open();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => session.exec(`cat; echo err${n} >&2; exit ${n}`, { stdin: `in${n}` })),
    );
    expect(results.map(({ stdout, stderr, exitCode }) => [stdout, stderr, exitCode])).toEqual(
      Array.from({ length: 20 }, (_, n) => [`in${n}`, `err${n}\n`, n]),
    );
  }, 60_000);

  it('names why a command could not run', async () => {
    await using session = open();
    await session.exec('echo x > plain; mkdir full');
    expect((await session.exec('no-such-program')).cause).toBe('command_not_found');
    expect((await session.exec('./plain')).cause).toBe('not_executable');
    expect((await session.exec('dd if=/dev/zero of=big bs=1M count=600')).cause).toBe('no_space');
    expect((await session.exec('kill -SEGV $$')).cause).toBe('killed');
    expect(await codeOf(session.exec('true', { cwd: 'nowhere' }))).toBe('invalid_cwd');
  }, 60_000);

  it('runs a command line of a megabyte, and still gives it its input', async () => {
    await using session = open();
    const words = 'x'.repeat(MiB);
    const result = await session.exec(`: ${words}\ncat; echo "$0"`, { stdin: 'given\n' });
    expect(result.stdout).toBe('given\n/bin/sh\n');
  }, 60_000);

  it('reads no name as a piece of shell', async () => {
    await using session = open();
    const names = [
      '$(touch canary)',
      '`touch canary`',
      "'; touch canary; '",
      '-rf',
      '\\0101',
      'new\nline\n',
      'ü\u202e',
      '*',
    ];
    for (const name of names) {
      await session.fs.writeFile(`dir ${name}/${name}`, name);
      expect(Buffer.from((await session.fs.readFile(`dir ${name}/${name}`)) ?? []).toString()).toBe(name);
      await session.fs.rename(`dir ${name}/${name}`, `moved ${name}`);
    }
    expect((await session.fs.glob('**/canary')).paths).toEqual([]);
    expect((await session.fs.list('.'))?.length).toBe(names.length * 2);
  }, 60_000);

  it('holds rules on paths against file calls, through links as well', async () => {
    await using session = open({
      plan: { denyRead: [{ glob: '**/.env', rule: 'secret' }], denyWrite: [{ glob: 'locked/**', rule: 'fixed' }] },
    });
    await session.exec('echo key > .env; ln -s .env link; mkdir locked; ln -s / root');
    expect(await codeOf(session.fs.readFile('.env'))).toBe('access_denied');
    expect(await codeOf(session.fs.readFile('link'))).toBe('access_denied');
    expect(await codeOf(session.fs.writeFile('locked/new', 'x'))).toBe('access_denied');
    expect(await codeOf(session.fs.readFile('root/etc/passwd'))).toBe('path_escape');
    expect((await session.fs.grep('key')).matches).toEqual([]);
  }, 60_000);

  it('does file work again after a command ended its shell', async () => {
    await using session = open();
    await session.fs.writeFile('a', '1');
    await session.exec('kill -KILL -1');
    expect(Buffer.from((await session.fs.readFile('a')) ?? []).toString()).toBe('1');
  }, 60_000);

  for (const [form, limits] of Object.entries({ 'a volume': {}, 'a copy': COPIED.limits })) {
    it(`keeps the changes of a workspace apart in ${form}, and commits them`, async () => {
      const workspace = await makeWorkspace();
      await writeFile(join(workspace, 'old'), 'before');
      await giveAllToWorkspaceOwner(workspace);
      await using session = open({ workspace, workspaceMode: 'overlay', limits });
      await session.fs.writeFile('made', 'by a call');
      await session.exec('echo after > old; mkdir sub; echo new > sub/file; ln -s file sub/link');
      expect((await session.changes()).map(({ path, kind }) => `${kind} ${path}`)).toEqual([
        'added made',
        'modified old',
        'added sub',
        'added sub/file',
        'added sub/link',
      ]);
      expect(await readFile(join(workspace, 'old'), 'utf8')).toBe('before');
      expect(await session.commit()).toEqual({ added: 4, modified: 1, deleted: 0 });
      expect(await readFile(join(workspace, 'old'), 'utf8')).toBe('after\n');
      await rm(workspace, { recursive: true });
    }, 60_000);
  }

  it('takes snapshots and goes back to them', async () => {
    await using session = open();
    await session.exec('echo one > a; mkdir d; echo two > d/b');
    const snapshot = await session.snapshot?.();
    await session.exec('rm -r d; echo changed > a; echo c > c');
    if (snapshot !== undefined) await session.restore?.(snapshot);
    expect((await session.exec('cat a d/b; ls')).stdout).toBe('one\ntwo\na\nd\n');
  }, 60_000);
});
