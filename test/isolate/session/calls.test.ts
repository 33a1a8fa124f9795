import { describe, expect, it } from 'vitest';
import { delay, isAlive, session } from './fixture.js';

describe('calls of one session', () => {
  it('run one at a time and do not cross', async () => {
    const sandbox = session();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) => sandbox.exec(`echo ${i} > f; cat f; echo ${i}`)),
    );
    expect(results.map((result) => result.stdout)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}\n${i}\n`));
  });

  it('survive a worker that another call wedged: only that call fails', async () => {
    const sandbox = session();
    await sandbox.exec('echo kept > f');
    const wedge = sandbox.evaluate('for (;;);', { timeoutMs: 300 });
    const waiting = [sandbox.exec('cat f'), sandbox.exec('echo two')];
    expect(await wedge).toMatchObject({ status: 'error', code: 'timeout' });
    expect((await Promise.all(waiting)).map((result) => result.stdout)).toEqual(['kept\n', 'two\n']);
  });

  it('survive a worker that is killed: the running one is a crash, the waiting ones run', async () => {
    const sandbox = session();
    await sandbox.start();
    const running = sandbox.exec('sleep 20');
    const waiting = sandbox.exec('echo next');
    await delay(100);
    const [pid] = sandbox.processIds();
    process.kill(pid as number, 'SIGKILL');
    await expect(running).rejects.toMatchObject({ name: 'SandboxCrashedError', code: 'sandbox_crashed' });
    expect((await waiting).stdout).toBe('next\n');
  });

  it('reach files while a command runs', async () => {
    const sandbox = session();
    const command = sandbox.exec('echo written > f; sleep 1; cat f');
    await expect.poll(async () => (await sandbox.fs.readFile('f'))?.length, { timeout: 900 }).toBe(8);
    await sandbox.fs.writeFile('f', 'changed\n');
    expect((await command).stdout).toBe('changed\n');
  });

  it('do not start when their signal has aborted', async () => {
    const sandbox = session();
    const result = await sandbox.exec('echo ran > f', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ cause: 'aborted', exitCode: null, aborted: true });
    expect(await sandbox.fs.readFile('f')).toBeNull();
  });

  it('that wait for their turn leave when they are aborted', async () => {
    const sandbox = session();
    const first = sandbox.exec('sleep 0.5');
    const controller = new AbortController();
    const second = sandbox.exec('echo ran > f', { signal: controller.signal });
    controller.abort();
    expect((await second).cause).toBe('aborted');
    expect((await first).exitCode).toBe(0);
    expect(await sandbox.fs.readFile('f')).toBeNull();
  });

  it('end when they are aborted, waiting or stuck, with the output so far', async () => {
    const sandbox = session();
    await sandbox.start();
    for (const command of ['echo started; sleep 20', 'echo started; while :; do :; done']) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 200);
      const result = await sandbox.exec(command, { signal: controller.signal });
      expect(result).toMatchObject({ cause: 'aborted', exitCode: null, stdout: 'started\n', killed: 'verified' });
      expect(result.durationMs).toBeLessThan(1_500);
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    expect(await sandbox.evaluate('for (;;);', { signal: controller.signal })).toMatchObject({ code: 'aborted' });
    expect((await sandbox.exec('echo on')).stdout).toBe('on\n');
  });

  it('answer at once after a kill where a spare worker is kept', async () => {
    const sandbox = session({ spareWorker: true });
    await sandbox.start();
    await expect.poll(() => sandbox.processIds().length).toBe(2);
    await delay(300);
    const [pid] = sandbox.processIds();
    const running = sandbox.exec('sleep 20').catch((error: unknown) => error);
    await delay(50);
    process.kill(pid as number, 'SIGKILL');
    await running;
    expect((await sandbox.exec('echo hi')).stdout).toBe('hi\n');
    expect(isAlive(pid as number)).toBe(false);
  });

  it('refuse bad options before anything starts', async () => {
    const sandbox = session();
    await expect(sandbox.exec('true', { timeoutMs: 0 })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sandbox.exec('true', { timeoutMs: 600_001 })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sandbox.exec('a\0b')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sandbox.exec('true', { env: { 'A=B': 'x' } })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sandbox.exec(`echo ${'x'.repeat(2 * 1024 * 1024)}`)).rejects.toMatchObject({
      code: 'command_too_long',
    });
    await expect(sandbox.run('echo', ['a\0'])).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(sandbox.spawn()).rejects.toMatchObject({ code: 'unsupported' });
    expect(sandbox.processIds()).toEqual([]);
  });

  it('give output as it comes, and a throwing listener fails only its own call', async () => {
    const sandbox = session();
    const seen: string[] = [];
    const result = await sandbox.exec('echo a; echo b >&2; sleep 0.2; echo c', {
      onOutput: ({ stream, data }) => seen.push(`${stream}:${Buffer.from(data).toString()}`),
    });
    expect(seen.join('')).toContain('stderr:b\n');
    expect(result.stdout).toBe('a\nc\n');
    const throwing = sandbox.exec('echo a', {
      onOutput: () => {
        throw new Error('listener');
      },
    });
    await expect(throwing).rejects.toThrow('listener');
    expect((await sandbox.exec('echo on')).stdout).toBe('on\n');
  });
});

describe('enforce()', () => {
  it('holds for calls that start later, in both workers and in those that come after a kill', async () => {
    const sandbox = session();
    await sandbox.fs.writeFile('.env', 'SECRET=1');
    await sandbox.fs.grep('SECRET');
    expect((await sandbox.exec('cat .env')).stdout).toBe('SECRET=1');
    sandbox.enforce({ denyRead: [{ glob: '**/.env', rule: 'read_file(.env)' }], denyWrite: [] });
    const denied = async () => {
      expect((await sandbox.exec('cat .env; cp .env copy; cat copy; ln -s .env l; cat l')).stdout).not.toContain(
        'SECRET',
      );
      await expect(sandbox.fs.readFile('.env')).rejects.toMatchObject({ code: 'access_denied' });
      expect((await sandbox.fs.grep('SECRET')).matches).toEqual([]);
    };
    await denied();
    for (const pid of sandbox.processIds()) process.kill(pid, 'SIGKILL');
    await expect.poll(() => sandbox.processIds()).toEqual([]);
    await denied();
  });
});
