import { describe, expect, it } from 'vitest';
import { createToolHost } from '../../../src/index.js';
import { type OpenAiShellOutput, runOpenAiToolCalls } from '../../../src/interop/openai/index.js';
import { codingHost, put, textOf } from '../provider/hosts.js';

const shellCall = (action: unknown, call_id = 'call_1') => ({
  type: 'shell_call',
  id: 'sh_1',
  call_id,
  status: 'completed',
  environment: null,
  action,
});
const localCall = (action: unknown) => ({
  type: 'local_shell_call',
  id: 'lsh_1',
  call_id: 'call_1',
  status: 'completed',
  action,
});
const commands = (...list: string[]) => ({ commands: list, timeout_ms: null, max_output_length: null });

async function shell(host: Parameters<typeof runOpenAiToolCalls>[0], action: unknown): Promise<OpenAiShellOutput> {
  const { items } = await runOpenAiToolCalls(host, [shellCall(action)]);
  return items[0] as OpenAiShellOutput;
}

async function local(host: Parameters<typeof runOpenAiToolCalls>[0], action: unknown) {
  const { items } = await runOpenAiToolCalls(host, [localCall(action)]);
  return { item: items[0], output: JSON.parse(String(items[0]?.output)) };
}

describe('shell_call', () => {
  it('runs its commands one after the other, each with its own outcome', async () => {
    const host = codingHost();
    const item = await shell(host, commands('echo one > a.txt', 'cat a.txt; echo oops >&2; exit 3', 'cat a.txt'));
    expect(item).toEqual({
      type: 'shell_call_output',
      call_id: 'call_1',
      status: 'completed',
      output: [
        { stdout: '', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
        { stdout: 'one\n', stderr: 'oops\n', outcome: { type: 'exit', exit_code: 3 } },
        { stdout: 'one\n', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
      ],
    });
  });

  it('stops a command whose time is up, with what it said so far', async () => {
    const item = await shell(codingHost(), { ...commands('echo begun; sleep 30'), timeout_ms: 300 });
    expect(item.output).toMatchObject([{ stdout: 'begun\n', outcome: { type: 'timeout' } }]);
  });

  it('takes a time limit that is over the longest for the longest, and one that is none for the default', async () => {
    const host = codingHost();
    for (const timeout_ms of [10_000_000, -1, 0.5, 'soon', Number.NaN]) {
      const item = await shell(host, { ...commands('echo hi'), timeout_ms });
      expect(item.output).toMatchObject([{ stdout: 'hi\n' }]);
    }
  });

  it('holds max_output_length for both streams together, and says it back', async () => {
    const command = 'seq 1 2000; seq 1 2000 >&2';
    const item = await shell(codingHost(), { ...commands(command, 'echo short'), max_output_length: 1_000 });
    expect(item.max_output_length).toBe(1_000);
    const [long, short] = item.output;
    expect((long?.stdout.length ?? 0) + (long?.stderr.length ?? 0)).toBeLessThanOrEqual(1_000);
    expect(long?.stdout).toMatch(/^1\n2\n[\s\S]*characters dropped here[\s\S]*2000\n$/);
    expect(short?.stdout).toBe('short\n');
    const tiny = await shell(codingHost(), { ...commands('seq 1 100'), max_output_length: 5 });
    expect(tiny.output[0]?.stdout).toBe('1\n2\n3');
  });

  it('says a denied command on stderr as a structured error, and runs the others', async () => {
    const host = codingHost({ permissions: { deny: ['shell(rm:*)'] } });
    await put(host, 'a.txt', 'kept');
    const item = await shell(host, commands('rm a.txt', 'cat a.txt'));
    expect(JSON.parse(item.output[0]?.stderr ?? '')).toMatchObject({ kind: 'denied', toolName: 'shell' });
    expect(item.output).toMatchObject([{ outcome: { type: 'exit', exit_code: 126 } }, { stdout: 'kept' }]);
  });

  it('pauses at a command that waits for a person, and goes on from there', async () => {
    const host = codingHost({ permissions: { ask: ['shell(touch:*)'] } });
    const call = shellCall(commands('echo 1 >> log', 'touch a', 'echo 2 >> log', 'touch b', 'cat log'));
    let run = await runOpenAiToolCalls(host, [call]);
    expect(run.pending?.approval).toMatchObject({ args: { command: 'touch a' } });
    expect(await textOf(host, 'log')).toBe('1\n');
    run = (await run.pending?.decide({ decision: 'approve' })) ?? run;
    expect(run.pending?.approval).toMatchObject({ args: { command: 'touch b' } });
    run = (await run.pending?.decide({ decision: 'reject' })) ?? run;
    expect(run.pending).toBeUndefined();
    const { output } = run.items[0] as OpenAiShellOutput;
    expect(output[4]?.stdout).toBe('1\n2\n');
    expect(JSON.parse(output[3]?.stderr ?? '')).toMatchObject({ kind: 'rejected' });
    expect(await textOf(host, 'a')).toBe('');
    expect(await textOf(host, 'b')).toBeUndefined();
  });

  it('gives each command an id of its own that begins with the call’s', async () => {
    const ids: string[] = [];
    const host = codingHost({ onEvent: (event) => void (event.type === 'call.started' && ids.push(event.toolCallId)) });
    await shell(host, commands('true', 'true'));
    expect(ids).toEqual(['call_1', 'call_1#2']);
  });

  it('answers an action that is none with a validation error', async () => {
    const host = codingHost();
    for (const action of [
      undefined,
      null,
      {},
      { commands: [] },
      { commands: 'ls' },
      { commands: [1] },
      commands(...Array(101).fill('true')),
    ]) {
      const item = await shell(host, action);
      expect(JSON.parse(item.output[0]?.stderr ?? '')).toMatchObject({ kind: 'validation' });
    }
  });

  it('answers as a host without sandbox or without shell answers', async () => {
    const bare = await shell(createToolHost({}), commands('ls'));
    expect(JSON.parse(bare.output[0]?.stderr ?? '')).toMatchObject({ kind: 'not-found' });
  });

  it('leaves alone what ran in a container of the provider', async () => {
    const item = { ...shellCall(commands('ls')), environment: { type: 'container_reference', container_id: 'c' } };
    expect(await runOpenAiToolCalls(codingHost(), [item])).toEqual({ items: [] });
  });

  it('runs in turn with other calls of the message: each sees what those before it did', async () => {
    const host = codingHost();
    const { items } = await runOpenAiToolCalls(host, [
      shellCall(commands('echo 1 > n')),
      { type: 'function_call', call_id: 'call_2', name: 'read_file', arguments: '{"path":"n"}' },
      { type: 'apply_patch_call', call_id: 'call_3', operation: { type: 'update_file', path: 'n', diff: '-1\n+2\n' } },
      { type: 'function_call', call_id: 'call_4', name: 'read_file', arguments: '{"path":"n"}' },
    ]);
    expect(JSON.parse(String(items[1]?.output))).toMatchObject({ content: '1\n' });
    expect(JSON.parse(String(items[3]?.output))).toMatchObject({ content: '2\n' });
  });
});

describe('local_shell_call', () => {
  const exec = (command: unknown, rest: Record<string, unknown> = {}) => ({ type: 'exec', command, env: {}, ...rest });

  it('runs a program with its arguments as they are', async () => {
    const { item, output } = await local(codingHost(), exec(['printf', '%s\n', "it's", '$HOME', '`id`', '*', '']));
    expect(item).toMatchObject({ type: 'local_shell_call_output', id: 'call_1', status: 'completed' });
    expect(output).toEqual({ stdout: "it's\n$HOME\n`id`\n*\n\n", stderr: '', exit_code: 0 });
  });

  it('runs a script for bash as the script, so that rules read it', async () => {
    const host = codingHost({ permissions: { deny: ['shell(rm:*)'] } });
    const ran = await local(host, exec(['bash', '-lc', 'echo "$((1 + 2))" | cat']));
    expect(ran.output).toMatchObject({ stdout: '3\n', exit_code: 0 });
    const refused = await local(host, exec(['/bin/sh', '-c', 'rm -rf x']));
    expect(refused.item).toMatchObject({ status: 'incomplete' });
    expect(refused.output).toMatchObject({ kind: 'denied' });
  });

  it('sets variables and the directory, and holds the time limit', async () => {
    const host = codingHost();
    await put(host, 'sub/a.txt', 'x');
    const env = { GREETING: "it's $me" };
    const ran = await local(
      host,
      exec(['bash', '-c', 'pwd; echo "$GREETING"; echo "$GREETING"'], { env, working_directory: 'sub' }),
    );
    expect(ran.output).toMatchObject({ stdout: "/workspace/sub\nit's $me\nit's $me\n" });
    const late = await local(host, exec(['sleep', '30'], { timeout_ms: 200 }));
    expect(late.output).toMatchObject({ timed_out: true });
  });

  it('runs a script for a login shell with variables too, and gives it its arguments', async () => {
    const action = exec(['bash', '-lc', 'echo "$GREETING $1"', 'name', 'you'], { env: { GREETING: 'hi' } });
    expect((await local(codingHost(), action)).output).toMatchObject({ stdout: 'hi you\n', exit_code: 0 });
  });

  it.each([['A=1'], ['if'], ['while'], ["A='1'"]])('takes %s in the place of a program for one', async (program) => {
    const { output } = await local(codingHost(), exec([program, 'echo', 'ran']));
    expect(output).toMatchObject({ stdout: '', exit_code: 127, stderr: expect.stringContaining('not found') });
  });

  it('answers a directory that is not there with an error', async () => {
    const { output } = await local(codingHost(), exec(['ls'], { working_directory: 'ghost' }));
    expect(output).toMatchObject({ code: 'invalid_cwd' });
  });

  it.each([
    ['no command', exec([])],
    ['a command that is a text', exec('ls')],
    ['words that are none', exec(['ls', 1])],
    ['another user', exec(['ls'], { user: 'root' })],
    ['a variable that is none', exec(['ls'], { env: { 'A B; rm x': '1' } })],
    ['a variable without a text', exec(['ls'], { env: { A: 1 } })],
    ['no action', undefined],
  ])('answers %s with a validation error', async (_, action) => {
    const { item, output } = await local(codingHost(), action);
    expect(item).toMatchObject({ status: 'incomplete' });
    expect(output).toMatchObject({ kind: 'validation' });
  });
});
