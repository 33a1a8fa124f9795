import { describe, expect, it } from 'vitest';
import { deathOf, WorkerDriver } from './worker-driver.js';

const MiB = 1024 * 1024;

describe('a command that is out of time', () => {
  it.each([
    'echo before; while :; do :; done',
    'echo before; sleep 10; echo after',
    'echo before; f() { for i in 1 2 3 4 5; do sleep 3; done; }; f | cat',
    'echo before; for ((;;)); do x=$(echo y); done',
    'echo before; seq 1 30000 | while read -r l; do :; done',
    'echo before; timeout 20 sleep 20',
  ])('ends at its next statement with what it wrote: %s', async (command) => {
    await using worker = await WorkerDriver.start();
    const answer = await worker.exec(command, { timeoutMs: 300 });
    expect(answer).toMatchObject({ exitCode: null, cause: 'timeout', text: 'before\n' });
    expect((await worker.exec('echo alive')).text).toBe('alive\n');
  });

  it.each(['sh', 'bash', '/bin/sh', '/usr/bin/bash'])(
    'has told what it wrote as the script of an argv: %s',
    async (shell) => {
      await using worker = await WorkerDriver.start();
      const answer = await worker.exec([shell, '-c', 'echo before; sleep 10'], { timeoutMs: 300 });
      expect(answer).toMatchObject({ exitCode: null, cause: 'timeout', text: 'before\n' });
    },
  );

  it('is killed with its worker when it does not reach a next statement', async () => {
    await using worker = await WorkerDriver.start();
    const id = worker.nextId();
    const death = await deathOf(worker.exec("echo before; awk 'BEGIN { while (1) {} }'", { timeoutMs: 300, id }));
    expect(death).toMatchObject({ signal: 'SIGKILL', lastWords: 'timeout' });
  });

  it('has told what it wrote before it was killed', async () => {
    await using worker = await WorkerDriver.start();
    const command = "echo before; sleep 0.05; awk 'BEGIN { while (1) {} }'";
    await deathOf(worker.exec(command, { timeoutMs: 300 }));
    expect(worker.received.map((message) => message.body.toString())).toContain('before\n');
  });
});

describe('a cancelled command', () => {
  it('ends while it waits', async () => {
    await using worker = await WorkerDriver.start();
    const id = worker.nextId();
    const call = worker.exec('echo a; sleep 10', { id });
    setTimeout(() => worker.cancel(id), 100);
    expect(await call).toMatchObject({ exitCode: null, cause: 'aborted', text: 'a\n' });
    expect((await worker.exec('echo alive')).text).toBe('alive\n');
  });

  it('ends while it is busy', async () => {
    await using worker = await WorkerDriver.start();
    const id = worker.nextId();
    const call = worker.exec('echo a; while :; do :; done', { id });
    setTimeout(() => worker.cancel(id), 100);
    expect(await call).toMatchObject({ exitCode: null, cause: 'aborted', text: 'a\n' });
  });

  it('is killed with its worker when it does not listen', async () => {
    await using worker = await WorkerDriver.start();
    const id = worker.nextId();
    const call = worker.exec("awk 'BEGIN { while (1) {} }'", { id, timeoutMs: 20_000 });
    setTimeout(() => worker.cancel(id), 100);
    expect(await deathOf(call)).toMatchObject({ signal: 'SIGKILL', lastWords: 'aborted' });
  });

  it('does not start when the cancellation comes with it or while it waits its turn', async () => {
    await using worker = await WorkerDriver.start();
    const first = worker.exec('sleep 0.3');
    const id = worker.nextId();
    const second = worker.exec('touch /workspace/started', { id });
    worker.cancel(id);
    await expect(second).rejects.toMatchObject({ code: 'aborted' });
    await first;
    expect((await worker.exec('ls')).text).toBe('');
  });

  it('leaves the call after it alone', async () => {
    await using worker = await WorkerDriver.start();
    const id = worker.nextId();
    await worker.exec('true', { id });
    worker.cancel(id);
    expect((await worker.exec('sleep 0.6; echo whole')).text).toBe('whole\n');
  });
});

describe('a call that takes too much memory', () => {
  it.each(['x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done', 'while :; do x="$x$(printf %1000000s y)"; done'])(
    'kills the worker, which says why: %s',
    async (command) => {
      await using worker = await WorkerDriver.start({ memoryBytes: 192 * MiB });
      const death = await deathOf(worker.exec(command, { timeoutMs: 15_000 }));
      expect(death).toMatchObject({ signal: 'SIGKILL', lastWords: 'oom' });
    },
  );
});

describe('honest work is not stopped by the interpreter', () => {
  it('in the number of commands, loop turns and words', async () => {
    await using worker = await WorkerDriver.start();
    const { text } = await worker.exec(
      'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; echo $i; for n in {1..20000}; do :; done; echo $n; echo {1..15000} | wc -w',
      { timeoutMs: 18_000 },
    );
    expect(text.replaceAll(' ', '')).toBe('30000\n20000\n15000\n');
  });

  it('and endless recursion is, with an error', async () => {
    await using worker = await WorkerDriver.start();
    const answer = await worker.exec('f() { f; }; f');
    expect(answer.exitCode).toBe(126);
    expect(answer.stderr).toContain('recursion depth');
  });

  it('and endless output is, with the cause', async () => {
    await using worker = await WorkerDriver.start({ memoryBytes: 2048 * MiB });
    const answer = await worker.exec('x=$(seq 1 200000); while :; do echo "$x"; done', {
      timeoutMs: 18_000,
      maxOutputBytes: 1000,
    });
    expect(answer).toMatchObject({ exitCode: 126, cause: 'output_limit' });
    expect(answer.text).toMatch(/^1\n2\n/);
    expect(answer.droppedStdoutBytes).toBeGreaterThan(200 * MiB);
  });
});

describe('a full disk', () => {
  it('fails the command with the cause', async () => {
    await using worker = await WorkerDriver.start({ mode: 'memory' });
    const answer = await worker.exec(
      'head -c 1000000 /bin/ls > a; x=$(printf %4000000s x); for i in {1..40}; do echo "$x" > f$i || exit 3; done',
      {
        timeoutMs: 15_000,
      },
    );
    expect([answer.exitCode, answer.cause]).toEqual([3, 'no_space']);
    expect(answer.stderr).toContain('No space left on device');
  });
});
