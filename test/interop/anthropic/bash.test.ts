import { describe, expect, it } from 'vitest';
import { type CallOptions, createAuditLog, type ToolHost } from '../../../src/index.js';
import { runAnthropicToolUses } from '../../../src/interop/anthropic/index.js';
import { codingHost, put, textOf } from '../provider/hosts.js';
import { callTool } from './call.js';

const bash = (host: ToolHost, input: unknown, options?: CallOptions) =>
  callTool(host, { name: 'bash', input }, options);
const say = async (host: ToolHost, command: string) => (await bash(host, { command })).content;

describe('bash', () => {
  it('answers with the output, both streams, and the exit code where it is not zero', async () => {
    const host = codingHost();
    expect(await bash(host, { command: 'echo out; echo err >&2' })).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: 'out\nerr',
    });
    expect(await bash(host, { command: 'echo out; exit 3' })).toMatchObject({ content: 'out\nexit code: 3' });
    expect(await say(host, 'true')).toBe('');
  });

  it('keeps the working directory between calls, of each session its own', async () => {
    const host = codingHost();
    await put(host, 'a/b/file.txt', 'x');
    expect(await say(host, 'cd a && ls')).toBe('b');
    expect(await say(host, 'cd b; pwd')).toBe('/workspace/a/b');
    expect(await say(host, 'ls')).toBe('file.txt');
    expect((await bash(host, { command: 'ls' }, { sessionId: 'other' })).content).toBe('a');
    expect(await say(host, 'cd ghost; pwd')).toMatch(/^\/workspace\/a\/b\n.*ghost/s);
    expect(await say(host, 'pwd')).toBe('/workspace/a/b');
  });

  it('keeps the exit code and the output of a command that changes the directory as they are', async () => {
    const host = codingHost();
    expect(await say(host, 'mkdir d; cd d; printf no-newline; false')).toBe('no-newline\nexit code: 1');
    expect(await say(host, "cat <<'END'\ncd somewhere\nEND")).toBe('cd somewhere');
    expect(await say(host, 'cd /workspace # back')).toBe('');
  });

  it('starts over with restart, and says so', async () => {
    const host = codingHost();
    await say(host, 'mkdir d; cd d');
    expect(await bash(host, { restart: true })).toMatchObject({ content: 'tool has been restarted.' });
    expect(await say(host, 'pwd')).toBe('/workspace');
    await say(host, 'cd d');
    expect((await bash(host, { restart: true, command: 'pwd' })).content).toBe('/workspace');
  });

  it('goes back to the workspace when its directory is gone', async () => {
    const host = codingHost();
    await say(host, 'mkdir d; cd d');
    await host.sandbox?.fs.remove('d', { recursive: true });
    expect(await bash(host, { command: 'pwd' })).toMatchObject({
      is_error: true,
      content: expect.stringContaining('invalid_cwd'),
    });
    expect(await say(host, 'pwd')).toBe('/workspace');
  });

  it('shows a command that changes the directory as the model wrote it, to rules, to people and to the log', async () => {
    const lines: string[] = [];
    const host = codingHost({
      permissions: { ask: ['shell(cd:*)', 'shell(printf:*)', 'shell(eval:*)'] },
      onEvent: createAuditLog({ write: (line) => lines.push(line), previewCharacters: 10_000 }),
    });
    const paused = await runAnthropicToolUses(host, [
      { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'mkdir d && cd d' } },
    ]);
    expect(paused.pending?.approval).toMatchObject({ args: { command: 'mkdir d && cd d' }, part: { text: 'cd d' } });
    await paused.pending?.decide({ decision: 'approve' });
    expect(await say(host, 'pwd')).toBe('/workspace/d');
    expect(lines.filter((line) => line.includes('mkdir'))).not.toEqual([]);
    expect(lines.join('')).not.toMatch(/eval|printf|PWD/);
  });

  it('adds nothing where a rule denies what would be added, and says what holds', async () => {
    const host = codingHost({ permissions: { deny: ['shell(printf:*)'] } });
    expect(await say(host, 'mkdir d && cd d')).toBe(
      'Note: the next command runs in the workspace; cd holds within one command',
    );
    expect(await say(host, 'ls')).toBe('d');
  });

  it('keeps what is added apart from a command that leaves something open', async () => {
    const host = codingHost();
    await say(host, 'mkdir d');
    expect(await say(host, 'cd d; echo "open')).toMatch(/^bash: .*matching.*\nexit code: \d$/);
    expect(await say(host, 'cd d; cat <<END\ninside')).toBe('inside');
    expect(await say(host, 'pwd; echo cd \\')).toBe('/workspace/d\ncd \\');
  });

  it('says that variables do not carry over', async () => {
    const host = codingHost();
    expect(await say(host, 'export A=1; echo $A')).toBe(
      '1\nNote: every command starts in a clean shell; variables, functions and options hold within one command',
    );
    expect(await say(host, 'echo "[$A]"')).toBe('[]');
  });

  it('answers a command whose time is up as an error, with what it said so far', async () => {
    const { createShellTool } = await import('../../../src/index.js');
    const host = codingHost({ tools: [createShellTool({ timeoutMs: 300 })] });
    const result = await bash(host, { command: 'echo begun; sleep 30' });
    expect(result).toMatchObject({ is_error: true, content: expect.stringMatching(/^begun\n.*0\.3 s/s) });
  });

  it('holds deny rules', async () => {
    const host = codingHost({ permissions: { deny: ['shell(rm:*)'] } });
    await put(host, 'a.txt', 'kept');
    const result = await bash(host, { command: 'cd /workspace && rm a.txt' });
    expect(JSON.parse(String(result.content))).toMatchObject({ kind: 'denied', toolName: 'shell' });
    expect(await textOf(host, 'a.txt')).toBe('kept');
  });

  it('pauses for approval and answers when it was given', async () => {
    const host = codingHost({ permissions: { ask: ['shell'] } });
    const paused = await runAnthropicToolUses(host, [
      { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'echo hi' } },
    ]);
    expect(paused.pending?.approval).toMatchObject({ toolName: 'shell', args: { command: 'echo hi' } });
    const done = await paused.pending?.decide({ decision: 'approve' });
    expect(done?.message.content).toMatchObject([{ content: 'hi' }]);
  });

  it.each([undefined, null, 'ls', {}, { command: '' }, { command: 7 }, { restart: 'yes' }])(
    'answers the input %j with a validation error',
    async (input) => {
      const result = await bash(codingHost(), input);
      expect(JSON.parse(String(result.content))).toMatchObject({ kind: 'validation', toolName: 'bash' });
      expect(result.is_error).toBe(true);
    },
  );
});
