import { describe, expect, it } from 'vitest';
import type { ExecResult } from '../../../src/sandbox/contract.js';
import { createShellTool, type ShellToolOptions } from '../../../src/tools/shell-tool.js';
import { callTool, refusal } from './call-tool.js';
import { createMemorySandbox } from './memory-sandbox.js';

function shell(answer: Partial<ExecResult>, args: object = {}, options: ShellToolOptions = {}) {
  return callTool(createShellTool(options), { command: 'true', ...args }, createMemorySandbox(answer));
}

describe('shell', () => {
  it('L101: answers with exit code, stdout and stderr', async () => {
    expect(await shell({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' })).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      durationMs: 1,
    });
  });

  it('L101: stops after 120 s by default, and lets the model ask for up to 600 s', async () => {
    const sandbox = createMemorySandbox();
    const tool = createShellTool();
    await callTool(tool, { command: 'a' }, sandbox);
    await callTool(tool, { command: 'b', timeout_ms: 600_000 }, sandbox);
    expect(sandbox.executed.map(({ options }) => options.timeoutMs)).toEqual([120_000, 600_000]);
    expect(tool.input.safeParse({ command: 'c', timeout_ms: 600_001 }).success).toBe(false);
    expect(tool.input.safeParse({ command: 'c', timeout_ms: 0 }).success).toBe(false);
  });

  it('passes command, cwd, env and signal on', async () => {
    const sandbox = createMemorySandbox();
    const { signal } = new AbortController();
    await callTool(createShellTool({ env: { CI: '1' } }), { command: 'ls', cwd: 'src' }, sandbox, signal);
    expect(sandbox.executed).toEqual([
      { command: 'ls', options: { timeoutMs: 120_000, cwd: 'src', env: { CI: '1' }, signal } },
    ]);
  });

  it('refuses a command over 64 KiB with command_too_long, before it runs', async () => {
    const sandbox = createMemorySandbox();
    const fits = 'é'.repeat(32 * 1024);
    await callTool(createShellTool(), { command: fits }, sandbox);
    const error = await refusal(callTool(createShellTool(), { command: `${fits}x` }, sandbox));
    expect([error.code, error.message]).toEqual(['command_too_long', expect.stringMatching(/65537 bytes.*write_file/)]);
    expect(sandbox.executed).toHaveLength(1);
  });

  it('L101: shows at most 30,000 characters of each stream, start and end, and says how much is gone', async () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');
    const result = await shell({ stdout: long, stderr: long });
    for (const stream of [result.stdout, result.stderr]) {
      expect(stream.length).toBeLessThan(30_200);
      expect(stream.startsWith('line 0\n')).toBe(true);
      expect(stream.endsWith('line 19999\n')).toBe(true);
      const [, dropped] = /\[… (\d+) bytes dropped here/.exec(stream) ?? [];
      const kept = stream.replace(/\[….*…\]\n/, '').length;
      expect(Number(dropped)).toBe(long.length - kept);
    }
  });

  it('adds what the sandbox had dropped before to the number in the marker', async () => {
    const result = await shell({ stdout: 'x'.repeat(40_000), truncated: { stdoutBytes: 1_000_000, stderrBytes: 0 } });
    expect(result.stdout).toContain('[… 1010000 bytes dropped here');
  });

  it('says in the note what was dropped when the rest is shown whole', async () => {
    const result = await shell({ stdout: 'short', truncated: { stdoutBytes: 12, stderrBytes: 0 } });
    expect(result.note).toBe('12 bytes were dropped from the middle of stdout');
  });

  it('gives the end of a failure three quarters of the room', async () => {
    const stdout = `${'a\n'.repeat(50_000)}${'b\n'.repeat(11_000)}`;
    const failed = await shell({ exitCode: 1, stdout });
    const succeeded = await shell({ exitCode: 0, stdout });
    const letters = (text: string, letter: string) => text.split('\n').filter((line) => line === letter).length;
    expect(letters(failed.stdout, 'b')).toBe(11_000);
    expect(letters(succeeded.stdout, 'b')).toBeLessThan(7_600);
  });

  it('never tears a character where it cuts', async () => {
    const result = await shell({ stdout: '😀'.repeat(40_000) });
    expect(result.stdout.isWellFormed()).toBe(true);
  });

  it('L101: says that a command timed out, why it might have, and what to do', async () => {
    const result = await shell({ exitCode: null, cause: 'timeout', stdout: 'part' }, { timeout_ms: 5_000 });
    expect(result).toMatchObject({ exitCode: null, cause: 'timeout', timedOut: true, stdout: 'part' });
    expect(result.note).toBe(
      'The command was stopped after 5 s; the output is what it wrote until then. Was it waiting for input? There is none here: pass flags such as --yes. If it needs longer, raise timeout_ms (at most 600000)',
    );
  });

  it('recognises a prompt', async () => {
    const result = await shell({ exitCode: null, cause: 'timeout', stdout: 'Proceed? [y/N] ' });
    expect(result.note).toMatch(/It looks as if it was waiting for input/);
  });

  it('does not suggest a longer time than there is', async () => {
    const result = await shell({ exitCode: null, cause: 'timeout' }, { timeout_ms: 600_000 });
    expect(result.note).toMatch(/split it into smaller parts$/);
  });

  it.each([
    ['oom', /out of memory/],
    ['pids_exhausted', /processes/],
    ['output_limit', /too much output/],
    ['no_space', /disk.*full/],
    ['command_not_found', /not found in this sandbox/],
    ['not_executable', /not executable/],
    ['killed', /from outside/],
    ['network_denied', /no network/],
    ['aborted', /aborted/],
  ] as const)('explains the cause %s', async (cause, text) => {
    const result = await shell({ exitCode: cause === 'command_not_found' ? 127 : null, cause });
    expect([result.cause, result.note]).toEqual([cause, expect.stringMatching(text)]);
  });

  it('answers an abort of the call itself as a failure with the output so far', async () => {
    const controller = new AbortController();
    controller.abort();
    const sandbox = createMemorySandbox({ exitCode: null, cause: 'aborted', stdout: 'part' });
    const error = await refusal(callTool(createShellTool(), { command: 'x' }, sandbox, controller.signal));
    expect([error.code, error.name, 'stdout' in error && error.stdout]).toEqual(['aborted', 'AbortError', 'part']);
  });

  it.each([
    ['grep foo file', 'nothing matched'],
    ['cat file | rg foo', 'nothing matched'],
    ['cd src && diff a b', 'the files differ'],
    ['[ -f missing ]', 'the condition is false'],
    ['X=1 /usr/bin/test -f missing', 'the condition is false'],
    ['echo "a | b; c"; grep \'x;y\' file', 'nothing matched'],
  ])('L101: says that exit code 1 of %j is no error', async (command, meaning) => {
    const result = await shell({ exitCode: 1 }, { command });
    expect(result.note).toMatch(new RegExp(`is not an error: ${meaning}`));
  });

  it.each([
    [{ exitCode: 1 }, 'make'],
    [{ exitCode: 2 }, 'grep foo file'],
    [{ exitCode: 1, stderr: 'grep: file: No such file' }, 'grep foo file'],
    [{ exitCode: 1 }, 'grep foo file; false'],
    [{ exitCode: 0 }, 'grep foo file'],
    [{ exitCode: 1 }, 'constructor'],
  ])('says nothing of the kind of %j after %j', async (answer, command) => {
    expect((await shell(answer, { command })).note).toBeUndefined();
  });

  it('says when bytes were not text, and when something may still run', async () => {
    const result = await shell({
      stdout: '\uFFFD',
      bytes: { stdout: Uint8Array.from([0xff]) },
      killed: 'unverified',
      stillRunning: [{ pid: 12, command: 'sleep 100' }],
    });
    expect(result.note).toBe(
      'stdout held bytes that are not UTF-8, shown as \uFFFD; use od or base64 to see them. Parts of it may still be running. 1 of its processes still running (12 sleep 100)',
    );
  });

  it('tells the model about the place it runs in', () => {
    expect(createShellTool({ environment: 'There is no git.' }).description).toMatch(/There is no git\.$/);
    expect(createShellTool().description).toMatch(/Every call starts clean/);
  });

  it.each([[{ timeoutMs: 0 }], [{ timeoutMs: 700_000 }], [{ timeoutMs: 1.5 }], [{ maxOutputCharacters: 10 }]])(
    'refuses the options %j when it is made',
    (options) => {
      expect(() => createShellTool(options)).toThrow(/createShellTool: /);
    },
  );
});
