import { symlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { SandboxCapabilities, SandboxSession } from '../../../src/sandbox/contract.js';
import type { ContractBackend } from '../../contract/suite/contract-backend.js';
import { describeSandboxContract } from '../../contract/suite/describe-sandbox-contract.js';
import type { TestApi } from '../../contract/suite/test-api.js';
import type { Attacks } from '../attack.js';
import { outputOf } from '../call.js';
import { caisson, terminalHazards } from '../command-line.js';
import { evaluate, expectAnswers } from '../evaluate.js';
import { eventually } from '../eventually.js';
import { watchHost } from '../host-watch.js';
import { isRunning, processState, workerOf, workersOf } from '../processes.js';

export const run: Attacks = {
  'RUN-002': async (stage) => {
    const session = stage.sandbox();
    await session.start();
    const { result, elapsedMs } = await watchHost(() =>
      session.exec('(sleep 2; touch survivor) & sleep 30 & sleep 30', { timeoutMs: 1_000 }),
    );
    expect(result).toMatchObject({ cause: 'timeout', timedOut: true, exitCode: null });
    expect(elapsedMs).toBeLessThan(1_500 + 2_000);
    expect(result.killed).toBe('verified');
    await sleep(1_500);
    expect(await session.fs.readFile('survivor')).toBeNull();
    await expectAnswers(session);
  },

  'RUN-003': async (stage) => {
    const session = stage.sandbox();
    await session.start();
    const ignoring = "trap '' TERM HUP INT 2>/dev/null";
    const commands = [
      `${ignoring}; ( ( while :; do :; done ) & ) & while :; do :; done`,
      `${ignoring}; nohup sh -c 'while :; do echo x > /dev/null; done' & wait; while :; do :; done`,
      `f() { ${ignoring}; f || f; }; until false; do f; done; sleep 30`,
    ];
    for (const command of commands) {
      const worker = workerOf(session);
      const { result, elapsedMs } = await watchHost(() => session.exec(command, { timeoutMs: 500 }));
      expect(result.exitCode, command).not.toBe(0);
      expect(elapsedMs, command).toBeLessThan(6_000);
      await expectAnswers(session);
      // Where the guest did not stop by itself its whole process is gone.
      if (result.cause === 'timeout' && !workersOf(session).includes(worker))
        expect(isRunning(worker), command).toBe(false);
    }
  },

  'RUN-005': async (stage) => {
    const hostile = [
      '\x1b[31mred',
      '\x1b]52;c;ZXZpbA==\x07',
      '\x1b]8;;http://evil\x1b\\link',
      'safe\rEVIL',
      '\x07',
      '\u202eevil',
      '\u200b',
      '\x9b2J',
    ];
    const text = `${hostile.join('|')}\n`;
    const host = stage.host();
    await outputOf(host, 'write_file', { path: 'hostile.txt', content: text });
    // The library's own caller gets the bytes as they are.
    expect(await outputOf(host, 'shell', { command: 'cat hostile.txt' })).toMatchObject({ stdout: text });
    const project = stage.project({ 'hostile.txt': text, 'evil\x1b[2Jname': '' });
    const commands = [
      ['call', 'shell', '-w', project.root, '--args', '{"command":"cat hostile.txt; ls; cat hostile.txt >&2; exit 3"}'],
      ['call', 'read_file', '-w', project.root, '--args', '{"path":"hostile.txt"}'],
      ['call', 'list_dir', '-w', project.root, '--json'],
      ['call', 'read_file', '-w', project.root, '--args', JSON.stringify({ path: 'nope\x1b[2J\u202e' })],
    ];
    for (const command of commands) {
      const { stdout, stderr } = await caisson(stage, ...command);
      expect(terminalHazards(stdout + stderr), command.join(' ')).toEqual([]);
      expect((stdout + stderr).length, command.join(' ')).toBeGreaterThan(0);
    }
    const raw = await caisson(
      stage,
      'call',
      'shell',
      '-w',
      project.root,
      '--raw',
      '--args',
      '{"command":"cat hostile.txt"}',
    );
    expect(raw.stdout).toContain('\x1b[31mred');
  },

  'RUN-007': async (stage) => {
    for (const workspaceMode of ['direct', 'overlay'] as const) {
      const project = stage.project({ 'd/f.txt': 'f', 'e/f.txt': 'f', 'file.txt': 'x' });
      symlinkSync('/', project.at('root'));
      symlinkSync('../outside', project.at('out'));
      const session = stage.sandbox({ workspace: project.root, workspaceMode });
      for (const cwd of [
        '..',
        '../outside',
        project.outside,
        'root',
        'root/etc',
        'out',
        'nowhere',
        'file.txt',
        '/workspace2',
        '/proc/self',
      ]) {
        await expect(session.exec('ls; cat secret.txt etc/passwd', { cwd }), cwd).rejects.toMatchObject({
          code: 'invalid_cwd',
        });
        await expect(session.run('ls', [], { cwd }), cwd).rejects.toMatchObject({ code: 'invalid_cwd' });
      }
      const deleted = await session.exec('rm -rf ../d; ls; pwd; cat f.txt; cd ..; ls', { cwd: 'd' });
      expect(deleted.stdout).not.toContain('secret');
      // What a call names as its directory says nothing about what it may write.
      const wide = await session.exec('echo x > /etc/passwd; echo x > ../../escaped; touch /escaped', { cwd: 'e' });
      expect(wide.exitCode).not.toBe(0);
      await expectAnswers(session);
    }
  },

  'RUN-011': async (stage) => {
    const session = stage.sandbox();
    await session.start();
    const workers = workersOf(session);
    const pending = Array.from({ length: 20 }, (_, index) => {
      if (index % 3 === 0) return session.exec('while :; do :; done');
      if (index % 3 === 1) return evaluate(session, 'for (;;);');
      return session.exec('sleep 20');
    });
    const settled = Promise.allSettled(pending);
    await sleep(200);
    const disposing = [session.dispose(), session.dispose()];
    await expect(session.exec('true')).rejects.toMatchObject({ code: 'sandbox_disposed' });
    const other = stage.sandbox();
    await expectAnswers(other);
    await Promise.all(disposing);
    for (const pid of workers) expect(isRunning(pid)).toBe(false);
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'sandbox_disposed' } });
    }
    const starting = stage.sandbox();
    const start = starting.start().catch((error: { code: string }) => error.code);
    await starting.dispose();
    expect(await start).toBe('sandbox_disposed');
    await eventually('no worker of a session disposed while it started', () => workersOf(starting).length === 0);
    await expect(starting.exec('true')).rejects.toMatchObject({ code: 'sandbox_disposed' });
  },

  'RUN-012': async (stage) => {
    const session = stage.sandbox();
    // The caller gives up before the worker is there; the worker comes up later all the same.
    const early = await session.exec('touch late', { signal: AbortSignal.timeout(5) });
    expect(early).toMatchObject({ aborted: true, exitCode: null });
    await eventually('a worker that came too late is found', () => workersOf(session).length > 0).catch(
      () => undefined,
    );
    const workers = workersOf(session);
    expect(await session.fs.readFile('late')).toBeNull();
    await session.dispose();
    for (const pid of [...workers, ...workersOf(session)]) expect(isRunning(pid)).toBe(false);
    const gone = stage.sandbox();
    const starting = gone.exec('echo x').catch((error: { code: string }) => error.code);
    await sleep(10);
    const during = workersOf(gone);
    await gone.dispose();
    expect(await starting).toBe('sandbox_disposed');
    for (const pid of during) expect(isRunning(pid)).toBe(false);
  },

  'RUN-013': async (stage) => {
    const session = stage.sandbox();
    await session.start();
    const { now } = Date;
    stage.defer(() => (Date.now = now));
    for (const jumpMs of [3_600_000, -3_600_000]) {
      const calm = session.exec('sleep 0.5; echo slept', { timeoutMs: 5_000 });
      Date.now = () => now() + jumpMs;
      expect(await calm).toMatchObject({ stdout: 'slept\n', exitCode: 0 });
      const { result, elapsedMs } = await watchHost(() => session.exec('while :; do :; done', { timeoutMs: 500 }));
      expect(result.cause).toBe('timeout');
      expect(elapsedMs).toBeLessThan(5_000);
      Date.now = now;
    }
    await suspendWorker(session);
  },

  'RUN-014': async (stage) => {
    const session = stage.sandbox();
    const other = stage.sandbox();
    const third = stage.sandbox();
    await Promise.all([session.start(), other.start(), third.start()]);
    const worker = workerOf(session);
    const wedgedWorker = workerOf(third);
    const stuck = session.exec('while :; do :; done', { timeoutMs: 300 });
    const wedged = evaluate(third, '[].includes.call({ length: 2 ** 53 - 1 }, 1)', { timeoutMs: 300 });
    const fine = other.exec('sleep 0.1; echo in time', { timeoutMs: 1_000 });
    await sleep(50);
    const until = performance.now() + 2_500;
    while (performance.now() < until);
    // Nobody of this process had a turn since: the worker stopped by itself, or was ended by its own watchdog.
    expect(processState(worker)).not.toBe('R');
    expect(['Z', 'X', undefined]).toContain(processState(wedgedWorker));
    expect(await stuck).toMatchObject({ cause: 'timeout' });
    expect(await wedged).toMatchObject({ status: 'error', code: 'timeout' });
    expect(await fine).toMatchObject({ stdout: 'in time\n', exitCode: 0 });
    await expectAnswers(session);
  },

  'RUN-015': async (stage) => {
    const idle = stage.sandbox({ idleLifeMs: 200 });
    await idle.fs.writeFile('kept.txt', 'kept');
    await idle.exec('echo tmp > /tmp/kept');
    const workers = workersOf(idle);
    await eventually('an idle session gives its workers up', () => workers.every((pid) => !isRunning(pid)));
    expect(await idle.exec('cat kept.txt /tmp/kept')).toMatchObject({ stdout: 'kepttmp\n' });
    const old = stage.sandbox({ hardLifeMs: 700 });
    await old.start();
    const [pid] = workersOf(old);
    await eventually('an old session ends', () => pid === undefined || !isRunning(pid));
    await expect(old.exec('echo x')).rejects.toMatchObject({ code: 'sandbox_expired' });
    await expect(old.fs.readFile('x')).rejects.toMatchObject({ code: 'sandbox_expired' });
  },

  'RUN-016': async (stage) => {
    const session = stage.sandbox();
    const isolate = titlesOf({ name: 'a', capabilities: session.capabilities, create: () => session });
    expect(isolate.length).toBeGreaterThan(60);
    expect(titlesOf({ name: 'b', capabilities: session.capabilities, create: () => session })).toEqual(isolate);
    // Another backend runs the same checks; what it cannot do is a skip that names the capability.
    const poorer: SandboxCapabilities = { ...session.capabilities, evaluate: false, fileModes: false };
    const others = titlesOf({ name: 'c', capabilities: poorer, create: () => session });
    const plain = (title: string) => title.replace(/ \(skipped: needs .*\)$/, '');
    expect(others.map(plain)).toEqual(isolate.map(plain));
    const changed = others.filter((title) => !isolate.includes(title));
    expect(changed.length).toBeGreaterThan(0);
    for (const title of changed) expect(title).toMatch(/\(skipped: needs /);
  },
};

/** What the contract suite registers for a backend, without running it. */
function titlesOf(backend: ContractBackend): string[] {
  const titles: string[] = [];
  const api = {
    describe: (_title: string, body: () => void) => body(),
    it: (title: string) => void titles.push(title),
    expect,
  } as unknown as TestApi;
  describeSandboxContract(api, backend);
  return titles.filter((title) => !title.startsWith('skipped by capability'));
}

/** A machine that sleeps in the middle of a call: a call with time left goes on, one without is ended. */
async function suspendWorker(session: SandboxSession): Promise<void> {
  const calm = session.exec('sleep 0.3; echo woke', { timeoutMs: 10_000 });
  await sleep(100);
  process.kill(workerOf(session), 'SIGSTOP');
  await sleep(800);
  process.kill(workerOf(session), 'SIGCONT');
  expect(await calm).toMatchObject({ stdout: 'woke\n' });
  const stopped = session.exec('sleep 0.2; echo never', { timeoutMs: 500 });
  await sleep(50);
  process.kill(workerOf(session), 'SIGSTOP');
  expect(await stopped).toMatchObject({ cause: 'timeout' });
  await expectAnswers(session);
}
