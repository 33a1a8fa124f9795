import { chownSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createSandboxPool } from '../../../src/sandbox/pool.js';
import type { Attacks } from '../attack.js';
import { evaluate, expectAnswers, returned } from '../evaluate.js';
import { eventually } from '../eventually.js';
import { isRunning, processFile, workerOf, workersOf } from '../processes.js';

export const isolation: Attacks = {
  'ISO-100': async (stage) => {
    const session = stage.sandbox();
    const poison = `
      globalThis.leak = 42;
      Array.prototype.map = Object.keys = JSON.stringify = JSON.parse = () => 'evil';
      Object.defineProperty(Object.prototype, 'everywhere', { value: 'evil' });
      return 1`;
    expect(await returned(session, poison)).toBe(1);
    const look = `return [typeof leak, [1].map((x) => x + 1), ({}).everywhere === undefined, JSON.stringify({ a: 1 })]`;
    expect(await returned(session, look)).toEqual(['undefined', [2], true, '{"a":1}']);
    expect(await session.exec('leak=41; f() { echo evil; }; cd /tmp; alias ls=evil')).toMatchObject({ exitCode: 0 });
    expect(await session.exec('echo "[$leak]"; type f >/dev/null 2>&1 || echo none; pwd')).toMatchObject({
      stdout: '[]\nnone\n/workspace\n',
    });
  },

  'ISO-101': async (stage) => {
    const [one, two] = [stage.sandbox(), stage.sandbox()];
    await Promise.all([expectAnswers(one), expectAnswers(two)]);
    const [ones, twos] = [workersOf(one), workersOf(two)];
    expect(ones.length).toBeGreaterThan(0);
    expect(twos.length).toBeGreaterThan(0);
    expect(ones.filter((pid) => twos.includes(pid))).toEqual([]);
    expect([...ones, ...twos]).not.toContain(process.pid);
    await one.fs.writeFile('only-in-one.txt', '1');
    expect(await two.fs.readFile('only-in-one.txt')).toBeNull();
  },

  'ISO-103': async (stage) => {
    process.env.CAISSON_ATTACK_SECRET = 'host-environment-secret';
    stage.defer(() => delete process.env.CAISSON_ATTACK_SECRET);
    const session = stage.sandbox({ env: { TOKEN: 'session-secret' } });
    await session.start();
    const worker = workerOf(session);
    expect(processFile(worker, 'environ').replaceAll('\0', '')).toBe('');
    expect(processFile(worker, 'cmdline')).not.toMatch(/secret/);
    // It starts in `/`; the file gate then works from the directories that the session may use, never from the host's.
    expect(readlinkSync(`/proc/${worker}/cwd`)).toMatch(/^\/$|\/caisson-session-/);
    const { stdout } = await session.exec('env; echo "$CAISSON_ATTACK_SECRET"; cat /proc/self/environ 2>/dev/null');
    expect(stdout).not.toContain('host-environment-secret');
    expect(stdout).toContain('TOKEN=session-secret');
    expect(await returned(session, 'return typeof process')).toBe('undefined');
  },

  'ISO-105': async (stage) => {
    const nowhere = stage.sandbox();
    await nowhere.start();
    const project = stage.project({ 'a.txt': 'a' });
    if (process.getuid?.() !== 0) {
      expect(uidOf(workerOf(nowhere))).toBe(process.getuid?.());
      return;
    }
    expect(uidOf(workerOf(nowhere))).toBe(65_534);
    const roots = stage.sandbox({ workspace: project.root });
    await roots.start();
    expect(uidOf(workerOf(roots))).toBe(0);
    const owned = stage.project();
    chownSync(owned.root, 12_345, 12_345);
    // The host's temporary directory above it is open to its owner alone.
    chownSync(`${owned.root}/..`, 12_345, 12_345);
    const dropped = stage.sandbox({ workspace: owned.root });
    await dropped.fs.writeFile('mine.txt', 'x');
    await dropped.exec('echo x > too.txt');
    for (const pid of workersOf(dropped)) expect(uidOf(pid)).toBe(12_345);
    expect(statSync(owned.at('mine.txt')).uid).toBe(12_345);
    expect(statSync(owned.at('too.txt')).uid).toBe(12_345);
    for (const pid of workersOf(dropped)) expect(capabilitiesOf(pid)).toBe(0n);
  },

  'ISO-106': async (stage) => {
    const project = stage.project({ 'a.txt': 'needle\n' });
    // Twice: the first builds the snapshot that the second loads.
    for (let round = 0; round < 2; round += 1) {
      const session = stage.sandbox({ workspace: project.root, jitless: true });
      await expectAnswers(session);
      expect(processFile(workerOf(session), 'cmdline').split('\0')).toContain('--jitless');
      expect(await returned(session, 'return typeof WebAssembly')).toBe('undefined');
      expect(await session.exec('grep -n needle a.txt | sed s/needle/pin/ | awk -F: "{ print \\$2 }"')).toMatchObject({
        stdout: 'pin\n',
      });
      expect((await session.fs.grep('ne+dle')).matches).toHaveLength(1);
      expect(await session.exec('while :; do :; done', { timeoutMs: 500 })).toMatchObject({ cause: 'timeout' });
      expect(await evaluate(session, 'for (;;);', { timeoutMs: 500 })).toMatchObject({ code: 'timeout' });
      await expectAnswers(session);
    }
    const usual = stage.sandbox();
    await usual.start();
    expect(processFile(workerOf(usual), 'cmdline')).not.toContain('jitless');
  },

  'ISO-108': async (stage) => {
    const session = stage.sandbox();
    const functions = { end: () => session.dispose() };
    await expect(evaluate(session, 'await tools.end(); return 1', { functions })).rejects.toMatchObject({
      code: 'sandbox_disposed',
    });
    await expectAnswers(stage.sandbox());
  },

  'ISO-109': async (stage) => {
    const session = stage.sandbox();
    await expectAnswers(session);
    await Promise.all([session.dispose(), session.dispose()]);
    await session.dispose();
    const calls = [
      () => session.exec('true'),
      () => session.run('true', []),
      () => evaluate(session, 'return 1'),
      () => session.fs.readFile('a'),
      () => session.writeFile('a', 'b'),
      () => session.start(),
    ];
    for (const again of calls) await expect(again()).rejects.toMatchObject({ code: 'sandbox_disposed' });
  },

  'ISO-110': async (stage) => {
    const session = stage.sandbox();
    const { promise, resolve } = Promise.withResolvers<number>();
    await session.start();
    const running = evaluate(session, 'return await tools.late()', { functions: { late: () => promise } });
    const refused = expect(running).rejects.toMatchObject({ code: 'sandbox_disposed' });
    await sleep(300);
    await session.dispose();
    await refused;
    resolve(1);
    await sleep(50);
    await expectAnswers(stage.sandbox());
  },

  'ISO-111': async (stage) => {
    const [session, other] = [stage.sandbox(), stage.sandbox()];
    await Promise.all([session.start(), other.start()]);
    const killed = session.exec('while :; do :; done');
    const refused = expect(killed).rejects.toMatchObject({ code: 'sandbox_crashed' });
    const queued = [session.exec('echo queued'), other.exec('echo other')];
    await sleep(200);
    const first = workerOf(session);
    process.kill(first, 'SIGKILL');
    await refused;
    expect((await Promise.all(queued)).map((result) => result.stdout)).toEqual(['queued\n', 'other\n']);
    expect(workersOf(session)).not.toContain(first);
    await expectAnswers(session);
  },

  'ISO-116': async (stage) => {
    const pool = createSandboxPool({ backend: 'isolate', size: 1 });
    stage.defer(() => pool.dispose());
    const first = await pool.acquire();
    stage.defer(() => first.dispose());
    // Started before anybody asked: its worker is there before the first call.
    const warm = workersOf(first);
    expect(warm).toHaveLength(1);
    await expectAnswers(first);
    expect(workersOf(first)).toContain(warm[0]);
    const second = await pool.acquire();
    stage.defer(() => second.dispose());
    expect(workersOf(second)).not.toContain(warm[0]);
    expect(await second.fs.list('.')).toEqual([]);
  },

  'ISO-117': async (stage) => {
    const session = stage.sandbox();
    await session.start();
    const argv = processFile(workerOf(session), 'cmdline').split('\0');
    for (const flag of ['--no-node-snapshot', '--permission', '--disable-sigusr1']) expect(argv).toContain(flag);
    expect(argv.filter((word) => word.startsWith('--allow-fs-') && /=(\*|\/)?$/.test(word))).toEqual([]);
    expect(argv).not.toContain('--allow-child-process');
    // SIGUSR1 would open an inspector, and with it everything.
    process.kill(workerOf(session), 'SIGUSR1');
    await sleep(100);
    await eventually('the session answers', async () => (await session.exec('echo a')).stdout === 'a\n');
    expect(workersOf(session).every(isRunning)).toBe(true);
  },

  'ISO-119': async (stage) => {
    const MiB = 1024 * 1024;
    const session = stage.sandbox({ limits: { maxDiskBytes: 24 * MiB, maxDiskEntries: 500 }, timeoutMs: 20_000 });
    let written = 0;
    const piece = Buffer.alloc(MiB, 'x');
    const fill = async () => {
      for (let i = 0; i < 1024; i += 1) {
        await session.fs.writeFile(`big/f${i}`, piece);
        written += 1;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: expect.stringMatching(/^(no_space|quota_exceeded)$/) });
    expect(written).toBeLessThanOrEqual(24);
    expect(written).toBeGreaterThan(12);
    expect((await session.exec('for i in $(seq 1 40); do cp big/f0 /tmp/g$i || exit 3; done')).exitCode).not.toBe(0);
    await session.fs.remove('big', { recursive: true });
    const bomb = await session.exec('i=0; while [ $i -lt 1000 ]; do : > e$i || exit 3; i=$((i+1)); done');
    expect(bomb.exitCode).not.toBe(0);
    expect((await session.fs.list('.'))?.length).toBeLessThanOrEqual(500);
    await session.exec('rm -f e*; rm -f /tmp/g*');
    await expectAnswers(session);
  },

  'ISO-120': async (stage) => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'prototype', 'valueOf'];
    const project = stage.project();
    for (const session of [stage.sandbox(), stage.sandbox({ workspace: project.root, workspaceMode: 'overlay' })]) {
      for (const name of names) {
        expect(await session.fs.readFile(name), name).toBeNull();
        await session.fs.writeFile(`${name}/${name}`, name);
        await session.exec(`echo shell >> ${name}/${name}; echo ${name} > /tmp/${name}`);
        expect(Buffer.from((await session.fs.readFile(`${name}/${name}`)) ?? []).toString()).toBe(`${name}shell\n`);
      }
      expect((await session.fs.list('.'))?.map((entry) => entry.name).sort()).toEqual([...names].sort());
      expect((await session.exec('cat /tmp/__proto__ /tmp/constructor')).stdout).toBe('__proto__\nconstructor\n');
      expect((await session.changes()).map((change) => change.path)).toContain('__proto__/__proto__');
    }
  },

  'ISO-122': async (stage) => {
    const session = stage.sandbox();
    const endless = [
      'while :; do :; done',
      'a() { a | a & }; a',
      'f() { f; }; f',
      'x=a; while :; do x=$x$x; done',
      'for ((;;)); do (:); done',
      'until false; do echo x; done | sort',
    ];
    const large = [
      'yes | cat > /dev/null',
      'echo {1..99999999}',
      'echo $(($(yes)))',
      'printf "%1000000000d" 1',
      'eval "$(printf \'(%.0s\' {1..20000})"',
      'cat /dev/zero > /dev/null; tail -f /dev/null',
      'seq 1 1000000000 | sort',
      'echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
      'awk "BEGIN { while (1) x = x "aaaaaaaaaaaaaaaa" }"',
      "jq -n '[range(1e9)] | length'",
    ];
    const commands = [...endless, ...large];
    for (const command of commands) {
      const startedAt = performance.now();
      const result = await session.exec(command, { timeoutMs: 700 });
      // A limit of the interpreter, or the deadline: what never ends must not look like success.
      if (endless.includes(command)) expect(result.exitCode, command).not.toBe(0);
      expect(performance.now() - startedAt, command).toBeLessThan(8_000);
      expect(await session.exec('echo next'), command).toMatchObject({ stdout: 'next\n' });
    }
    await expectAnswers(session);
  },
};

function uidOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(processFile(pid, 'status'))?.[1]);
}

function capabilitiesOf(pid: number): bigint {
  return BigInt(`0x${/^CapEff:\s+([0-9a-f]+)/m.exec(processFile(pid, 'status'))?.[1] ?? 'f'}`);
}
