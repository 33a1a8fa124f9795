import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolHost } from '../../src/host/create-tool-host.js';
import type { SandboxSession } from '../../src/sandbox/contract.js';
import { codingTools } from '../../src/tools/coding-tools.js';

export interface ProbedBackend {
  create(): Promise<SandboxSession> | SandboxSession;
  /** Takes the sandbox away from under its session. */
  crash?(session: SandboxSession): Promise<void>;
  /** Starts sessions with a limit on memory and processes, and shows that they hold, or that they are refused. */
  limits(): Promise<void>;
  /** Rows about what this backend does not have. */
  without?: readonly string[];
}

const MiB = 1024 * 1024;

/**
 * Twenty-three things that sandboxes for agents were seen to get wrong, none of which got more than three in five right.
 * Each test is named by what was asked.
 */
export function itHoldsTheProbes({ create, crash, limits, without = [] }: ProbedBackend): void {
  let session: SandboxSession;
  beforeAll(async () => {
    session = await create();
    await session.start();
  });
  afterAll(() => session.dispose());
  const probe = (name: string, body: () => Promise<void>): void => {
    if (!without.includes(name)) it(name, { timeout: 60_000 }, body);
  };

  probe('timeout honoured', async () => {
    const result = await session.exec('echo begun; sleep 20', { timeoutMs: 600 });
    expect(result).toMatchObject({ cause: 'timeout', exitCode: null, stdout: 'begun\n' });
    expect(result.durationMs).toBeLessThan(5_000);
  });

  probe('timeout: tree dead after 2.5 s', async () => {
    const tree = aTree();
    const result = await session.exec(tree.command, { timeoutMs: 600 });
    expect([result.cause, result.killed]).toEqual(['timeout', 'verified']);
    await pause(2_500 - 600);
    expect(await tree.alive(session)).toBe(0);
  });

  probe('abort honoured', async () => {
    const startedAt = performance.now();
    const result = await session.exec('sleep 20', { signal: AbortSignal.timeout(400) });
    expect(result.cause).toBe('aborted');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  probe('abort: tree dead', async () => {
    const tree = aTree();
    const result = await session.exec(tree.command, { signal: AbortSignal.timeout(500) });
    expect([result.cause, result.killed]).toEqual(['aborted', 'verified']);
    expect(await tree.alive(session)).toBe(0);
  });

  probe('abort not reported as success', async () => {
    const result = await session.exec('echo begun; sleep 20', { signal: AbortSignal.timeout(400) });
    expect([result.exitCode, result.aborted, result.stdout]).toEqual([null, true, 'begun\n']);
    const run = session.run('sleep', ['20'], { signal: AbortSignal.timeout(400) });
    await expect(run).rejects.toMatchObject({ name: 'AbortError', code: 'aborted' });
  });

  probe('pre-aborted signal does not run', async () => {
    const result = await session.exec('touch it-ran', { signal: AbortSignal.abort() });
    expect([result.cause, result.exitCode]).toEqual(['aborted', null]);
    await pause(200);
    expect(await session.fs.stat('it-ran')).toBe(null);
  });

  probe('stdin is EOF by default (`cat`)', async () => {
    expect(await session.exec('cat; echo done', { timeoutMs: 10_000 })).toMatchObject({
      exitCode: 0,
      stdout: 'done\n',
    });
  });

  probe('UTF-8 split across frames (300k × é)', async () => {
    await session.fs.writeFile('accents', 'é'.repeat(300_000));
    const { stdout, bytes } = await session.exec('cat accents');
    expect([stdout.length, stdout.replaceAll('é', ''), bytes]).toEqual([300_000, '', undefined]);
    const decoder = new TextDecoder();
    let streamed = '';
    await session.exec('cat accents', {
      onOutput: ({ data }) => {
        streamed += decoder.decode(data, { stream: true });
      },
    });
    expect([streamed.length, streamed.replaceAll('é', '')]).toEqual([300_000, '']);
  });

  probe('bounded memory on 64 MiB output', async () => {
    await session.fs.writeFile('1-mib', 'y\n'.repeat(MiB / 2));
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 10);
    const result = await session.exec('for i in $(seq 64); do cat 1-mib; done', { timeoutMs: 50_000 });
    clearInterval(watch);
    const kept = Buffer.byteLength(result.stdout);
    expect(kept).toBeLessThanOrEqual(MiB);
    expect(kept + (result.truncated?.stdoutBytes ?? 0)).toBe(64 * MiB);
    // Those that were measured grew by 111 to 459 MB.
    expect((most - before) / MiB).toBeLessThan(64);
  });

  probe('missing cwd typed', async () => {
    const call = session.exec('touch it-ran', { cwd: 'no/such/directory' });
    await expect(call).rejects.toMatchObject({ code: 'invalid_cwd', message: expect.stringContaining('no/such') });
    expect(await session.fs.stat('it-ran')).toBe(null);
  });

  probe('cwd + env honoured', async () => {
    await session.fs.mkdir('sub dir');
    const { stdout } = await session.exec('pwd; echo "$GIVEN"', { cwd: 'sub dir', env: { GIVEN: "it's $HOME" } });
    expect(stdout).toBe("/workspace/sub dir\nit's $HOME\n");
  });

  probe('`kill -9 $$` → 137', async () => {
    const result = await session.exec('echo before; kill -9 $$');
    expect(result).toMatchObject({ exitCode: 137, signal: 'SIGKILL', cause: 'killed', stdout: 'before\n' });
  });

  probe('container removed mid-run is not a command result', async () => {
    const doomed = await create();
    await doomed.start();
    const call = doomed.exec('echo begun; sleep 20').then(
      (result) => ({ result }),
      (error: { code?: string }) => ({ code: error.code }),
    );
    await pause(500);
    await crash?.(doomed);
    expect(await call).toEqual({ code: 'sandbox_crashed' });
    await doomed.dispose();
  });

  probe('200 KiB command', async () => {
    const text = 'x'.repeat(200 * 1024);
    const { exitCode, stdout } = await session.exec(`text='${text}'; echo \${#text}`);
    expect([exitCode, stdout]).toEqual([0, `${text.length}\n`]);
  });

  probe('1 MiB write', async () => {
    const bytes = Buffer.alloc(
      MiB,
      Uint8Array.from({ length: 251 }, (_, index) => index),
    );
    const startedAt = performance.now();
    await session.fs.writeFile('deep/down/file.bin', bytes);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(bytes.equals((await session.fs.readFile('deep/down/file.bin')) ?? new Uint8Array(0))).toBe(true);
    expect((await session.exec('wc -c < deep/down/file.bin')).stdout.trim()).toBe(String(MiB));
  });

  probe('path injection canary', async () => {
    for (const path of ['a$(touch canary)', 'b`touch canary`', 'c"; touch canary; "', "d'; touch canary; '", '-rf']) {
      await session.fs.writeFile(path, path);
      expect(Buffer.from((await session.fs.readFile(path)) ?? []).toString()).toBe(path);
      expect((await session.run('cat', ['--', path])).stdout).toBe(path);
      await session.fs.remove(path);
    }
    expect((await session.fs.glob('**/canary')).paths).toEqual([]);
  });

  probe('missing file typed', async () => {
    expect(await session.fs.readFile('no-such-file')).toBe(null);
    const host = createToolHost({ sandbox: session, tools: codingTools(), policyFiles: false });
    const outcome = await host.call({ toolName: 'read_file', args: { path: 'no-such-file' } });
    expect(outcome).toMatchObject({ status: 'error', error: { code: 'not_found' } });
  });

  probe('directory read typed', async () => {
    await session.fs.mkdir('a-directory');
    await expect(session.fs.readFile('a-directory')).rejects.toMatchObject({ code: 'is_directory' });
  });

  probe('FIFO read refused', async () => {
    await session.exec('mkfifo pipe');
    const startedAt = performance.now();
    await expect(session.fs.readFile('pipe')).rejects.toMatchObject({ code: 'not_regular_file' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  probe('symlink to /etc/passwd refused', async () => {
    await session.exec('ln -s /etc/passwd link; ln -s /etc outside');
    for (const path of ['link', 'outside/passwd'])
      await expect(session.fs.readFile(path)).rejects.toMatchObject({ code: 'path_escape' });
    await expect(session.fs.writeFile('outside/new', 'x')).rejects.toMatchObject({ code: 'path_escape' });
  });

  probe('invalid UTF-8 text read flagged', async () => {
    const bytes = Uint8Array.from([0x61, 0xc3, 0x28, 0x0a]);
    await session.fs.writeFile('latin', bytes);
    expect(Uint8Array.from((await session.fs.readFile('latin')) ?? [])).toEqual(bytes);
    expect(Uint8Array.from((await session.exec('cat latin')).bytes?.stdout ?? [])).toEqual(bytes);
    const host = createToolHost({ sandbox: session, tools: codingTools(), policyFiles: false });
    const outcome = await host.call({ toolName: 'read_file', args: { path: 'latin' } });
    expect(JSON.stringify(outcome)).toMatch(/UTF-8/);
  });

  probe('bg child: returns < 1 s', async () => {
    const startedAt = performance.now();
    const result = await session.exec('sleep 3 & echo out');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect([result.exitCode, result.stdout]).toEqual([0, 'out\n']);
    expect(result.stillRunning).toEqual([expect.objectContaining({ command: 'sleep 3' })]);
  });

  probe('memory/pids limit applied as configured', limits);
}

/** A shell, its child, and one in a session of its own, all to be found by one number. */
function aTree() {
  const seconds = `3${randomInt(100_000, 999_999)}`;
  const [first, ...rest] = seconds;
  return {
    command: `sleep ${seconds} & setsid sh -c 'sleep ${seconds}; :' & sh -c 'sleep ${seconds}; :'; wait`,
    alive: async (session: SandboxSession) => {
      const { stdout } = await session.exec(
        `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c 'sleep [${first}]${rest.join('')}'`,
      );
      return Number(stdout);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
