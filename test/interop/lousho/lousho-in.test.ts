import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createShellTool, createToolHost, defineTool, type ShellResult, type ToolOutcome } from '../../../src/index.js';
import { codingTools } from '../../../src/tools/index.js';
import type { LoushoSandboxAdapter } from './lousho.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'caisson-lousho-test-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** What Lousho's subprocess sandbox does, with processes in a directory of the test's own in place of containers. */
function processAdapter(): LoushoSandboxAdapter {
  return {
    name: 'lousho-process',
    run: (cmd, args, { cwd, env = {}, timeoutMs, signal } = {}) =>
      new Promise((resolve, reject) => {
        const options = {
          cwd: cwd === undefined ? directory : join(directory, cwd),
          env: { PATH: '/usr/bin:/bin', ...env },
        };
        const timer = AbortSignal.timeout(timeoutMs ?? 60_000);
        const either = signal === undefined ? timer : AbortSignal.any([timer, signal]);
        execFile(cmd, args, { ...options, signal: either, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
          if (signal?.aborted === true)
            return reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }));
          if (timer.aborted) return reject(new Error(`command timed out after ${timeoutMs}ms`));
          if (error !== null && typeof error.code !== 'number') return reject(error);
          return resolve({ stdout, stderr, exitCode: typeof error?.code === 'number' ? error.code : 0 });
        });
      }),
    writeFile: (path, content) => writeFile(isAbsolute(path) ? path : join(directory, path), content),
  };
}

function shellOutput(outcome: ToolOutcome): ShellResult {
  if (outcome.status !== 'ok') throw new Error(`The call ended with ${outcome.status}`);
  return outcome.output as ShellResult;
}

describe('an adapter with Lousho’s three members, as the sandbox of a host', () => {
  it('runs the shell tool, and a non-zero exit is a result', async () => {
    await using host = createToolHost({ sandbox: processAdapter(), tools: [createShellTool()] });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'echo out; echo err >&2; exit 3' } });
    expect(shellOutput(outcome)).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 3 });
  });

  it('is told the time limit, and its "command timed out after Nms" is a timeout', async () => {
    await using host = createToolHost({ sandbox: processAdapter(), tools: [createShellTool()] });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'sleep 30', timeout_ms: 200 } });
    expect(shellOutput(outcome)).toMatchObject({ exitCode: null, cause: 'timeout', timedOut: true });
  });

  it('is told of an abort, and its AbortError is an aborted call', async () => {
    await using host = createToolHost({ sandbox: processAdapter(), tools: [createShellTool()] });
    const controller = new AbortController();
    const running = host.call({ toolName: 'shell', args: { command: 'sleep 30' } }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    expect(await running).toMatchObject({ status: 'error', error: { kind: 'execution', code: 'aborted' } });
  });

  it('may reject with an AbortError although nobody aborted: the command then counts as stopped', async () => {
    const adapter: LoushoSandboxAdapter = {
      ...processAdapter(),
      run: async () => {
        throw new DOMException('This operation was aborted', 'AbortError');
      },
    };
    await using host = createToolHost({ sandbox: adapter, tools: [createShellTool()] });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'true' } });
    expect(shellOutput(outcome)).toMatchObject({ exitCode: null, aborted: true });
  });

  it('may fail in any other way: the call then fails with what it said', async () => {
    const adapter: LoushoSandboxAdapter = {
      ...processAdapter(),
      run: async () => {
        throw new Error('no such image');
      },
    };
    await using host = createToolHost({ sandbox: adapter, tools: [createShellTool()] });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'true' } });
    expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining('no such image') } });
  });

  it('may be a class whose methods need their `this`', async () => {
    class ClassAdapter implements LoushoSandboxAdapter {
      readonly name = 'class';
      readonly #inner = processAdapter();
      run(...args: Parameters<LoushoSandboxAdapter['run']>) {
        return this.#inner.run(...args);
      }
      writeFile(path: string, content: string) {
        return this.#inner.writeFile(path, content);
      }
    }
    await using host = createToolHost({ sandbox: new ClassAdapter(), tools: [createShellTool()] });
    expect(shellOutput(await host.call({ toolName: 'shell', args: { command: 'echo hi' } }))).toMatchObject({
      stdout: 'hi\n',
    });
  });

  it('gives sandboxExecute argv as it is, and files', async () => {
    const save = defineTool({
      name: 'save',
      description: 'Saves a text and reads it back',
      input: z.object({ text: z.string() }),
      requiresSandbox: true,
      execute: (): never => {
        throw new Error('Never on the host');
      },
      sandboxExecute: async ({ text }, sandbox) => {
        await sandbox.writeFile('saved.txt', text);
        return sandbox.run('printf', ['%s', text]);
      },
    });
    await using host = createToolHost({ sandbox: processAdapter(), tools: [save] });
    const text = "it's $HOME `id`";
    expect(await host.call({ toolName: 'save', args: { text } })).toMatchObject({
      status: 'ok',
      output: { stdout: text, stderr: '', exitCode: 0 },
    });
    expect(await readFile(join(directory, 'saved.txt'), 'utf8')).toBe(text);
  });

  it('is asked for nothing it does not have: the file tools say `unsupported` and what to do', async () => {
    await using host = createToolHost({ sandbox: processAdapter(), tools: codingTools() });
    const outcome = await host.call({ toolName: 'read_file', args: { path: 'saved.txt' } });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'unsupported', message: expect.stringContaining('or do it with a command') },
    });
  });

  it('is enough to write files with the file tool, which cannot say whether one was there', async () => {
    await using host = createToolHost({ sandbox: processAdapter(), tools: codingTools() });
    const outcome = await host.call({ toolName: 'write_file', args: { path: 'told.txt', content: 'hé\n' } });
    expect(outcome).toMatchObject({ status: 'ok', output: { path: 'told.txt', bytes: 4 } });
    expect(outcome.status === 'ok' && outcome.output).not.toHaveProperty('created');
    expect(await readFile(join(directory, 'told.txt'), 'utf8')).toBe('hé\n');
  });

  it('is refused by name when a member is missing', () => {
    expect(() => createToolHost({ sandbox: { name: 'half', run: processAdapter().run } as never })).toThrow(
      /writeFile/,
    );
  });
});
