import { execFile } from 'node:child_process';
import { type Experimental_SandboxSession, tool } from 'ai7';
import { createBashTool } from 'bash-tool';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import {
  type AnyAiSdkSandboxSession,
  type AnyAiSdkTool,
  fromAiSdkSandbox,
  fromAiSdkTool,
  fromAiSdkTools,
  toAiSdkSandbox,
  toAiSdkTools,
} from '../../../src/interop/ai-sdk/index.js';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { codingTools } from '../../../src/tools/index.js';
import { call, DONE, modelSees, RUNS } from './sdks.js';

const shared = createIsolateSandbox();
afterAll(() => shared.dispose());
afterEach(async () => {
  for (const { name } of (await shared.fs.list('.')) ?? []) await shared.fs.remove(name, { recursive: true });
});

async function textOf(stream: ReadableStream<Uint8Array> | null): Promise<string | null> {
  return stream === null ? null : Buffer.concat(await Array.fromAsync(stream)).toString();
}

describe('toAiSdkSandbox', () => {
  const session: Experimental_SandboxSession = toAiSdkSandbox(shared);

  it('A24: is the whole interface, and describes the sandbox', () => {
    const methods = Object.entries(session).flatMap(([name, member]) => (typeof member === 'function' ? [name] : []));
    expect(methods).toEqual(
      expect.arrayContaining([
        ...['run', 'spawn', 'readFile', 'readBinaryFile', 'readTextFile'],
        ...['writeFile', 'writeBinaryFile', 'writeTextFile', 'stat', 'listDirectory', 'deleteFile'],
      ]),
    );
    expect(session.description).toBe(shared.description);
  });

  it('run gives exit code and both streams', async () => {
    await expect(session.run({ command: 'echo out; echo err >&2; exit 3' })).resolves.toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('relative paths, of commands too, start at one fixed directory', async () => {
    await session.writeTextFile({ path: 'a/b.txt', content: 'deep' });
    const { stdout } = await session.run({ command: 'cd a && cat b.txt; pwd' });
    expect(stdout).toBe('deep/workspace/a\n');
    await expect(session.run({ command: 'cat b.txt', workingDirectory: 'a' })).resolves.toMatchObject({
      stdout: 'deep',
    });
    await expect(session.run({ command: 'pwd' })).resolves.toMatchObject({ stdout: '/workspace\n' });
  });

  it('env is added for one command', async () => {
    await expect(session.run({ command: 'echo $GREETING', env: { GREETING: 'hi' } })).resolves.toMatchObject({
      stdout: 'hi\n',
    });
    await expect(session.run({ command: 'echo "[$GREETING]"' })).resolves.toMatchObject({ stdout: '[]\n' });
  });

  it('an abort rejects with its reason; one that came before starts nothing', async () => {
    const reason = new Error('enough');
    const aborting = new AbortController();
    const running = session.run({ command: 'sleep 20; touch late', abortSignal: aborting.signal });
    setTimeout(() => aborting.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    await expect(session.run({ command: 'touch never', abortSignal: aborting.signal })).rejects.toBe(reason);
    await expect(session.listDirectory({ path: '.' })).resolves.toEqual([]);
  });

  it('a command that takes too long says so', async () => {
    const result = await toAiSdkSandbox(shared, { timeoutMs: 100 }).run({ command: 'echo before; sleep 20' });
    expect(result).toMatchObject({ exitCode: 124, stdout: 'before\n' });
    expect(result.stderr).toContain('timeout');
  });

  it('reads are null for what is missing, in each form', async () => {
    await expect(session.readFile({ path: 'no' })).resolves.toBeNull();
    await expect(session.readBinaryFile({ path: 'no' })).resolves.toBeNull();
    await expect(session.readTextFile({ path: 'no' })).resolves.toBeNull();
    await expect(session.stat({ path: 'no' })).resolves.toBeNull();
    await expect(session.listDirectory({ path: 'no' })).resolves.toBeNull();
    await expect(session.deleteFile({ path: 'no' })).resolves.toBe(false);
  });

  it('writes in each form, making parents, and reads the same bytes back', async () => {
    const bytes = Uint8Array.from([0, 255, 10, 128]);
    await session.writeBinaryFile({ path: 'x/bytes', content: bytes });
    await session.writeFile({ path: 'y/stream', content: ReadableStream.from([bytes.slice(0, 2), bytes.slice(2)]) });
    await session.writeTextFile({ path: 'z/text', content: 'é', encoding: 'utf-16le' });
    for (const path of ['x/bytes', 'y/stream']) {
      await expect(session.readBinaryFile({ path }).then((read) => Array.from(read ?? []))).resolves.toEqual([
        ...bytes,
      ]);
    }
    await expect(session.readTextFile({ path: 'z/text', encoding: 'utf-16le' })).resolves.toBe('é');
    await session.writeTextFile({ path: 't', content: 'text' });
    await expect(session.readFile({ path: 't' }).then(textOf)).resolves.toBe('text');
  });

  it('an unknown encoding is refused', async () => {
    await session.writeTextFile({ path: 't', content: 'x' });
    await expect(session.readTextFile({ path: 't', encoding: 'klingon' })).rejects.toThrow("'klingon'");
    await expect(session.writeTextFile({ path: 't', content: 'x', encoding: 'base64' })).rejects.toThrow("'base64'");
  });

  it.each([
    [{ startLine: 2 }, 'two\nthree\n'],
    [{ startLine: 2, endLine: 2 }, 'two'],
    [{ endLine: 1 }, 'one'],
    [{ startLine: 3, endLine: 99 }, 'three\n'],
    [{ startLine: 99 }, ''],
  ])('readTextFile with %o counts lines from 1, both ends included', async (range, expected) => {
    await session.writeTextFile({ path: 'lines', content: 'one\ntwo\nthree\n' });
    await expect(session.readTextFile({ path: 'lines', ...range })).resolves.toBe(expected);
  });

  it('writing to a directory and deleting one are refused; listing a file too', async () => {
    await session.writeTextFile({ path: 'd/f', content: '' });
    await shared.fs.mkdir('empty');
    await expect(session.writeTextFile({ path: 'd', content: '' })).rejects.toMatchObject({ code: 'is_directory' });
    await expect(session.deleteFile({ path: 'empty/' })).rejects.toMatchObject({ code: 'is_directory' });
    await expect(session.listDirectory({ path: 'd/f' })).rejects.toMatchObject({ code: 'not_directory' });
    await expect(session.stat({ path: 'empty' })).resolves.toMatchObject({ type: 'directory' });
  });

  it('a link is followed by stat, listed as a link, and deleted itself', async () => {
    await session.run({ command: 'mkdir d && echo hi > d/f && ln -s d link' });
    await expect(session.stat({ path: 'link' })).resolves.toMatchObject({ type: 'directory' });
    await expect(session.listDirectory({ path: '.' })).resolves.toEqual([
      { name: 'd', type: 'directory' },
      { name: 'link', type: 'symlink' },
    ]);
    await expect(session.deleteFile({ path: 'link' })).resolves.toBe(true);
    await expect(session.readTextFile({ path: 'd/f' })).resolves.toBe('hi\n');
  });

  it('nothing outside of the workspace is reached', async () => {
    await expect(session.readTextFile({ path: '../../etc/passwd' })).rejects.toMatchObject({ code: 'path_escape' });
  });

  it('spawn streams the output as it comes, and tells the exit code', async () => {
    const process = await session.spawn({ command: 'echo one; sleep 0.2; echo two; echo err >&2; exit 4' });
    const reader = process.stdout.getReader();
    const first = await reader.read();
    expect(Buffer.from(first.value ?? []).toString()).toBe('one\n');
    reader.releaseLock();
    await expect(Promise.all([textOf(process.stdout), textOf(process.stderr), process.wait()])).resolves.toEqual([
      'two\n',
      'err\n',
      { exitCode: 4 },
    ]);
    expect('stdin' in process).toBe(false);
  });

  it('kill ends a spawned command, any number of times', async () => {
    const process = await session.spawn({ command: 'sleep 20' });
    await process.kill();
    await process.kill();
    await expect(process.wait()).resolves.toEqual({ exitCode: 137 });
    await expect(textOf(process.stdout)).resolves.toBe('');
  });

  it('an abort of a spawned command makes wait reject with the reason', async () => {
    const aborting = new AbortController();
    const process = await session.spawn({ command: 'sleep 20', abortSignal: aborting.signal });
    const reason = new Error('enough');
    aborting.abort(reason);
    await expect(process.wait()).rejects.toBe(reason);
  });

  it('writable stdin is refused before anything starts, where there is none', async () => {
    await expect(session.spawn({ command: 'touch started', stdin: true })).rejects.toMatchObject({
      code: 'unsupported',
    });
    await expect(session.listDirectory({ path: '.' })).resolves.toEqual([]);
  });

  it('is the same session each time, and comes back as the same sandbox', () => {
    expect(toAiSdkSandbox(shared)).toBe(session);
    expect(fromAiSdkSandbox(session)).toBe(shared);
  });
});

describe('bash-tool', () => {
  it('runs its three tools on it unchanged, through a host', async () => {
    const { tools } = await createBashTool({ sandbox: toAiSdkSandbox(shared), files: { 'data.txt': 'b\na\n' } });
    const host = createToolHost({ tools: fromAiSdkTools(tools) });
    expect(host.tools().map(({ name }) => name)).toEqual(['bash', 'readFile', 'writeFile']);
    const ok = async (toolName: string, args: unknown) => {
      const outcome = await host.call({ toolName, args });
      return outcome.status === 'ok' ? outcome.output : outcome;
    };
    expect(await ok('bash', { command: 'sort data.txt; pwd' })).toMatchObject({
      exitCode: 0,
      stdout: 'a\nb\n/workspace\n',
    });
    expect(await ok('writeFile', { path: 'new/file.txt', content: 'made' })).toEqual({ success: true });
    expect(await ok('readFile', { path: 'new/file.txt' })).toEqual({ content: 'made' });
    expect(await ok('readFile', { path: 'missing' })).toMatchObject({
      error: { kind: 'execution', code: 'not_found' },
    });
  });
});

describe('experimental_sandbox of imported tools', () => {
  const seen: unknown[] = [];
  const look: AnyAiSdkTool = tool({
    description: 'Looks',
    inputSchema: z.object({}),
    execute: async (_, { experimental_sandbox }) => {
      seen.push(experimental_sandbox);
      return (await experimental_sandbox?.run({ command: 'pwd' }))?.stdout ?? 'no sandbox';
    },
  }) as AnyAiSdkTool;
  const run = async (sandbox: 'none' | 'pass' | 'require', given: boolean) => {
    const host = createToolHost({
      tools: [fromAiSdkTool('look', look, { sandbox })],
      ...(given ? { sandbox: shared } : {}),
    });
    return host.call({ toolName: 'look', args: {} });
  };

  it('A24: none gives none, whatever the host has', async () => {
    await expect(run('none', true)).resolves.toMatchObject({ output: 'no sandbox' });
  });

  it('A24: pass gives the host’s, where it has one', async () => {
    await expect(run('pass', true)).resolves.toMatchObject({ output: '/workspace\n' });
    await expect(run('pass', false)).resolves.toMatchObject({ output: 'no sandbox' });
  });

  it('A24: require gives the host’s, and refuses to run without', async () => {
    seen.length = 0;
    await expect(run('require', true)).resolves.toMatchObject({ output: '/workspace\n' });
    expect(seen).toEqual([toAiSdkSandbox(shared)]);
    await expect(run('require', false)).resolves.toMatchObject({
      error: { kind: 'sandbox', error: 'SandboxNotConfiguredError' },
    });
    expect(seen).toHaveLength(1);
  });
});

const needsSandbox = defineTool({
  name: 'where',
  description: 'Says where it runs',
  input: z.object({}),
  requiresSandbox: true,
  execute: () => 'on the host',
  sandboxExecute: async (_, sandbox) => (await sandbox.exec('pwd')).stdout,
});

describe.each(RUNS.filter(({ version }) => version === 7))('the sandbox of $label', ({ run }) => {
  it('A24: runs the tools of a host that has none', async () => {
    const tools = toAiSdkTools(createToolHost({ tools: [needsSandbox] }));
    const turns = [call('c1', 'where'), DONE];
    const outcome = await run({ tools, turns, experimental_sandbox: toAiSdkSandbox(shared) });
    expect(modelSees(outcome, 'c1')).toEqual({ type: 'text', value: '/workspace\n' });
  });

  it('A24: without any, the call fails and nothing falls back to the host', async () => {
    const outcome = await run({
      tools: toAiSdkTools(createToolHost({ tools: [needsSandbox] })),
      turns: [call('c1', 'where'), DONE],
    });
    expect(JSON.stringify(modelSees(outcome, 'c1'))).toContain('SandboxNotConfiguredError');
  });
});

describe('fromAiSdkSandbox', () => {
  /** A session of an older release: no stat, no listing, no deletion, no spawn. */
  function oldSession(files = new Map<string, string>()): AnyAiSdkSandboxSession {
    return {
      description: 'An old session',
      run: ({ command, abortSignal, env = {} }) =>
        new Promise((resolve, reject) => {
          const options = { env: { PATH: '/usr/bin:/bin', ...env }, ...(abortSignal ? { signal: abortSignal } : {}) };
          execFile('/bin/sh', ['-c', command], options, (error, stdout, stderr) => {
            if (error?.name === 'AbortError') reject(error);
            else resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
          });
        }),
      readTextFile: async ({ path }) => files.get(path) ?? null,
      readFile: async ({ path }) => {
        const text = files.get(path);
        return text === undefined ? null : ReadableStream.from([Buffer.from(text)]);
      },
      writeTextFile: async ({ path, content }) => void files.set(path, content),
    };
  }

  it('runs programs with their arguments untouched', async () => {
    const sandbox = fromAiSdkSandbox(oldSession());
    const words = ["it's", '$HOME', '`id`', 'a b', '', '*', '\n'];
    const { stdout } = await sandbox.run('printf', ['[%s]', ...words]);
    expect(stdout).toBe(words.map((word) => `[${word}]`).join(''));
  });

  it('reads and writes files, /workspace being the base of the session', async () => {
    const files = new Map<string, string>();
    const sandbox = fromAiSdkSandbox(oldSession(files));
    await sandbox.writeFile('/workspace/a/b.txt', 'hi');
    expect([...files]).toEqual([['a/b.txt', 'hi']]);
    await expect(sandbox.fs.readFile('a/b.txt').then((bytes) => Buffer.from(bytes ?? []).toString())).resolves.toBe(
      'hi',
    );
    await expect(sandbox.fs.readFile('no')).resolves.toBeNull();
    await expect(sandbox.fs.readFile('../etc/passwd')).rejects.toMatchObject({ code: 'path_escape' });
    await expect(sandbox.fs.readFile('a/b.txt', { maxBytes: 1 })).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('what the session does not have is refused as unsupported', async () => {
    const sandbox = fromAiSdkSandbox(oldSession());
    expect(sandbox.capabilities).toMatchObject({ backgroundProcesses: false, writableStdin: false, isolation: 'none' });
    for (const attempt of [
      sandbox.fs.writeFile('a', 'x', { mode: 0o600 }),
      sandbox.fs.grep('a'),
      sandbox.spawn('true', []),
      sandbox.exec('cat', { stdin: 'x' }),
      sandbox.exec('true', { limits: { maxOutputBytes: 10 } }),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'unsupported' });
    }
  });

  it('a timeout and an abort are results of exec, and typed errors of run', async () => {
    const sandbox = fromAiSdkSandbox(oldSession());
    await expect(sandbox.exec('sleep 20', { timeoutMs: 50 })).resolves.toMatchObject({
      timedOut: true,
      exitCode: null,
    });
    await expect(sandbox.run('sleep', ['20'], { timeoutMs: 50 })).rejects.toMatchObject({
      name: 'SandboxTimeoutError',
    });
    const signal = AbortSignal.timeout(50);
    await expect(sandbox.exec('sleep 20', { signal })).resolves.toMatchObject({ aborted: true });
    await expect(sandbox.run('sleep', ['20'], { signal })).rejects.toMatchObject({ name: 'AbortError' });
    await expect(sandbox.exec('true', { timeoutMs: 0 })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('a session that fails is a failure of the call, not a result', async () => {
    const sandbox = fromAiSdkSandbox({ description: 'x', run: () => Promise.reject(new Error('gone')) });
    await expect(sandbox.exec('true')).rejects.toThrow('gone');
  });

  /** A session with the methods that every release has, on a real file system. */
  async function olderSession(): Promise<AnyAiSdkSandboxSession> {
    const { run, readFile, readBinaryFile, readTextFile, writeFile, writeBinaryFile, writeTextFile } =
      toAiSdkSandbox(shared);
    const files = { readFile, readBinaryFile, readTextFile, writeFile, writeBinaryFile, writeTextFile };
    return { description: 'An older session', run, ...files };
  }

  it('A24: asks the shell of an older session for what it has no method for', async () => {
    const { fs } = fromAiSdkSandbox(await olderSession());
    await fs.mkdir('d/e');
    await fs.writeFile("d/it's", 'four');
    await shared.exec('ln -s it d/link; touch d/.hidden d/-rf "d/a b"');
    expect(await fs.stat("d/it's")).toMatchObject({ type: 'file', size: 4 });
    expect(await fs.stat('d')).toMatchObject({ type: 'directory' });
    expect(await fs.stat('missing')).toBeNull();
    expect((await fs.list('d'))?.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'file -rf',
      'file .hidden',
      'file a b',
      'directory e',
      "file it's",
      'symlink link',
    ]);
    expect(await fs.list('missing')).toBeNull();
    await expect(fs.list("d/it's")).rejects.toMatchObject({ code: 'not_directory' });
    await expect(fs.mkdir("d/it's")).rejects.toMatchObject({ code: 'exists' });
    await fs.rename('d/-rf', 'new/-x');
    expect(await fs.stat('new/-x')).toMatchObject({ type: 'file' });
    await expect(fs.rename('nothing', 'x')).rejects.toMatchObject({ code: 'not_found' });
    await expect(fs.rename('new/-x', 'd')).rejects.toMatchObject({ code: 'is_directory' });
    await expect(fs.remove('d')).rejects.toMatchObject({ code: 'not_empty' });
    expect(await fs.remove('d/link')).toBe(true);
    expect(await fs.remove('d', { recursive: true })).toBe(true);
    expect(await fs.remove('d')).toBe(false);
    await expect(fs.list('../etc')).rejects.toMatchObject({ code: 'path_escape' });
  });

  it('writes only over the version that was read', async () => {
    const { fs } = fromAiSdkSandbox(await olderSession());
    await fs.writeFile('a', 'one', { ifVersion: null });
    const before = await fs.stat('a');
    await fs.writeFile('a', 'two', { ifVersion: before?.version ?? '' });
    await expect(fs.writeFile('a', 'three', { ifVersion: before?.version ?? '' })).rejects.toMatchObject({
      code: 'stale_file',
    });
    await expect(fs.writeFile('a', 'three', { ifVersion: null })).rejects.toMatchObject({ code: 'stale_file' });
    expect(Buffer.from((await fs.readFile('a')) ?? []).toString()).toBe('two');
  });

  it('an older session serves the file tools of a host', async () => {
    const host = createToolHost({ sandbox: fromAiSdkSandbox(await olderSession()), tools: codingTools() });
    const ok = async (toolName: string, args: object) => {
      const outcome = await host.call({ toolName, args });
      return outcome.status === 'ok' ? JSON.stringify(outcome.output) : outcome;
    };
    await ok('write_file', { path: 'src/a.txt', content: 'hello\nworld\n' });
    await ok('edit_file', { path: 'src/a.txt', old_string: 'world', new_string: 'moon' });
    expect(await ok('read_file', { path: 'src/a.txt' })).toContain('moon');
    expect(await ok('list_dir', { path: 'src' })).toContain('a.txt');
  });

  it('streams output where the session can spawn', async () => {
    const { executeCommand, writeFiles, ...session } = toAiSdkSandbox(shared);
    const sandbox = fromAiSdkSandbox(session as AnyAiSdkSandboxSession);
    expect(sandbox).not.toBe(shared);
    const onOutput = vi.fn();
    const result = await sandbox.exec('echo out; echo err >&2; exit 2', { onOutput });
    expect(result).toMatchObject({ exitCode: 2, stdout: 'out\n', stderr: 'err\n' });
    expect(onOutput.mock.calls.map(([{ stream }]) => stream).sort()).toEqual(['stderr', 'stdout']);
  });

  it('serves the coding tools of a host: files and commands', async () => {
    const { executeCommand, writeFiles, ...session } = toAiSdkSandbox(shared);
    const host = createToolHost({ sandbox: fromAiSdkSandbox(session as AnyAiSdkSandboxSession), tools: codingTools() });
    await expect(
      host.call({ toolName: 'write_file', args: { path: 'a.txt', content: 'hello' } }),
    ).resolves.toMatchObject({
      status: 'ok',
    });
    await expect(host.call({ toolName: 'shell', args: { command: 'cat a.txt' } })).resolves.toMatchObject({
      output: { stdout: 'hello', exitCode: 0 },
    });
  });

  it('what is no session is refused', () => {
    expect(() => fromAiSdkSandbox({} as never)).toThrow("'run'");
  });
});
