import type { SandboxProcess } from '../../../../../src/sandbox/contract.js';
import type { Contract } from '../../contract.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Background work and `spawn()`, where there are real processes. */
export function describeProcesses({ describe, check, expect }: Contract): void {
  const needs = ['backgroundProcesses'] as const;

  describe('background processes', () => {
    check(
      'a call returns when its shell has ended, whatever it left in the background, and says what still runs',
      async ({ sandbox }) => {
        const result = await sandbox.exec('sleep 31 & echo hi');
        expect([result.stdout, result.exitCode]).toEqual(['hi\n', 0]);
        expect(result.durationMs).toBeLessThan(10_000);
        expect((result.stillRunning ?? []).length === 1 || result.killed === 'verified').toBe(true);
      },
      { needs },
    );

    check(
      'a process substitution does not hold a call open',
      async ({ sandbox }) => {
        const result = await sandbox.exec('cat < <(echo a; sleep 20 >/dev/null &)');
        expect(result.stdout).toBe('a\n');
        expect(result.durationMs).toBeLessThan(10_000);
      },
      { needs: [...needs, 'shell: bash'] },
    );

    check(
      'two hundred ended background processes leave room for the next command',
      async ({ sandbox }) => {
        for (let round = 0; round < 10; round += 1) {
          await Promise.all(Array.from({ length: 20 }, () => sandbox.exec('sleep 0.1 &')));
        }
        await pause(500);
        expect((await sandbox.exec('echo ok')).stdout).toBe('ok\n');
        const zombies = await sandbox.exec("ps -eo stat | grep -c '^Z'");
        expect(Number(zombies.stdout)).toBeLessThan(5);
      },
      { needs, timeoutMs: 60_000 },
    );
  });

  describe('spawn', () => {
    check(
      'a process streams its output while it runs, and wait() gives its result again and again',
      async ({ sandbox }) => {
        const child = await sandbox.spawn('sh', ['-c', 'echo one; sleep 0.5; echo two >&2; exit 4']);
        const [stdout, stderr, result] = await Promise.all([text(child.stdout), text(child.stderr), child.wait()]);
        expect([stdout, stderr, result.exitCode]).toEqual(['one\n', 'two\n', 4]);
        expect((await child.wait()).exitCode).toBe(4);
      },
      { needs },
    );

    check(
      'a process is read on and on, however much it writes',
      async ({ sandbox }) => {
        const child = await sandbox.spawn('sh', ['-c', 'head -c 3000000 /dev/zero; sleep 0.2; echo; echo end']);
        let bytes = 0;
        for await (const chunk of child.stdout) bytes += chunk.length;
        expect([bytes, (await child.wait()).exitCode]).toEqual([3_000_005, 0]);
      },
      { needs, timeoutMs: 30_000 },
    );

    check(
      'a process goes on when the reader of its output leaves',
      async ({ sandbox }) => {
        const child = await sandbox.spawn('sh', ['-c', 'head -c 3000000 /dev/zero; echo end >&2']);
        await child.stdout.cancel();
        expect(await text(child.stderr)).toBe('end\n');
      },
      { needs, timeoutMs: 30_000 },
    );

    check(
      'a process whose output nobody reads ends when it is killed or its time is up',
      async ({ sandbox }) => {
        const killed = await sandbox.spawn('sh', ['-c', 'exec yes']);
        const late = await sandbox.spawn('sh', ['-c', 'exec yes'], { timeoutMs: 1_000 });
        await pause(500);
        expect(await killed.kill('SIGKILL')).toBe(true);
        expect(((await killed.wait()).exitCode ?? 137) === 0).toBe(false);
        expect((await late.wait()).cause).toBe('timeout');
      },
      { needs, timeoutMs: 30_000 },
    );

    check(
      'what a process wrote can be read after wait()',
      async ({ sandbox }) => {
        const child = await sandbox.spawn('sh', ['-c', 'head -c 300000 /dev/zero; exit 3']);
        expect((await child.wait()).exitCode).toBe(3);
        expect((await text(child.stdout)).length).toBe(300_000);
      },
      { needs, timeoutMs: 30_000 },
    );

    check(
      'kill() says whether the process was running, and may be called again',
      async ({ sandbox }) => {
        const child = await sandbox.spawn('sleep', ['60']);
        expect(await child.kill()).toBe(true);
        const result = await child.wait();
        expect(result.exitCode === 0).toBe(false);
        expect(await child.kill()).toBe(false);
      },
      { needs },
    );

    check(
      'a process reads what is written to its stdin',
      async ({ sandbox }) => {
        const child = await sandbox.spawn('cat', []);
        const writer = child.stdin?.getWriter();
        await writer?.write(new TextEncoder().encode('to the cat'));
        await writer?.close();
        const [stdout, result] = await Promise.all([text(child.stdout), child.wait()]);
        expect([stdout, result.exitCode]).toEqual(['to the cat', 0]);
      },
      { needs: [...needs, 'writableStdin'] },
    );

    check(
      'a process outlives the call that started it, and ends with the session',
      async ({ open, failure }) => {
        const session = await open();
        const child: SandboxProcess = await session.spawn('sleep', ['60']);
        expect((await session.exec('echo meanwhile')).stdout).toBe('meanwhile\n');
        await session.dispose();
        const outcome = await Promise.race([
          child.wait().then(
            () => 'ended',
            () => 'ended',
          ),
          pause(10_000).then(() => 'still waiting'),
        ]);
        expect(outcome).toBe('ended');
        expect((await failure(session.exec('true'))).code).toBe('sandbox_disposed');
      },
      { needs },
    );

    check(
      'spawn() is refused with unsupported where there are no background processes',
      async ({ sandbox, failure }) => {
        expect((await failure(sandbox.spawn('sleep', ['1']))).code).toBe('unsupported');
      },
      { needs: ['no backgroundProcesses'] },
    );
  });
}

async function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
