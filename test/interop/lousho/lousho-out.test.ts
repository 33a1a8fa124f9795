import { afterAll, describe, expect, it } from 'vitest';
import { createIsolateSandbox, createToolHost } from '../../../src/index.js';
import { type LoushoSandboxAdapter, loushoShell } from './lousho.js';

const session = createIsolateSandbox({ workspaceMode: 'memory' });
/** What Lousho would be given. */
const adapter: LoushoSandboxAdapter = session;

afterAll(() => session.dispose());

describe('our sandbox, where Lousho expects one', () => {
  it('has a name and runs argv that no shell touches', async () => {
    expect(adapter.name).toBe('isolate');
    const args = ['%s\n', "it's", '$HOME', '`id`', '*', 'a  b', ''];
    expect(await adapter.run('printf', args)).toMatchObject({
      stdout: "it's\n$HOME\n`id`\n*\na  b\n\n",
      stderr: '',
      exitCode: 0,
    });
  });

  it('never rejects on a non-zero exit', async () => {
    expect(await adapter.run('sh', ['-c', 'echo out; echo err >&2; exit 3'])).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
    });
    expect(await adapter.run('no-such-program', [])).toMatchObject({ exitCode: 127 });
  });

  it('writes files that commands see, and makes their directories', async () => {
    await adapter.writeFile('deep/er/a.txt', 'é\n');
    expect(await adapter.run('cat', ['deep/er/a.txt'])).toMatchObject({ stdout: 'é\n' });
    expect(await adapter.run('cat', ['a.txt'], { cwd: 'deep/er' })).toMatchObject({ stdout: 'é\n' });
  });

  it('takes variables, and shows none of the host even when asked to inherit', async () => {
    process.env.CAISSON_LOUSHO_TEST = 'leak';
    try {
      const options = { env: { GIVEN: 'yes' }, inheritEnv: true };
      const { stdout } = await adapter.run('sh', ['-c', 'echo "$GIVEN,$CAISSON_LOUSHO_TEST"'], options);
      expect(stdout).toBe('yes,\n');
    } finally {
      delete process.env.CAISSON_LOUSHO_TEST;
    }
  });

  it('rejects on timeout in the words by which Lousho’s shell knows one', async () => {
    expect(await loushoShell(adapter, 'sleep 30', { timeoutMs: 200 })).toMatchObject({
      timedOut: true,
      exitCode: null,
    });
    await expect(adapter.run('sh', ['-c', 'echo begun; sleep 30'], { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'timeout',
      stdout: 'begun\n',
    });
  });

  it('rejects with an AbortError on abort', async () => {
    const signal = AbortSignal.timeout(200);
    expect(await loushoShell(adapter, 'sleep 30', { signal })).toMatchObject({ aborted: true });
    await expect(adapter.run('true', [], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('is the same from a host', async () => {
    await using host = createToolHost({ sandbox: session });
    await host.ready();
    const fromHost: LoushoSandboxAdapter | undefined = host.sandbox;
    expect(await fromHost?.run('echo', ['hi'])).toMatchObject({ stdout: 'hi\n', exitCode: 0 });
  });
});
