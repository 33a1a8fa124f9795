import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { ToolHost } from '../../../src/host/types.js';
import {
  type AnyLlmAgentTool,
  type AnyLlmToolkit,
  fromLlmToolkit,
  type LlmToolkitSession,
  toLlmToolkit,
} from '../../../src/interop/llm-agent/index.js';
import { createIsolateSandbox } from '../../../src/sandbox/isolate/create-isolate-sandbox.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { codingTools } from '../../../src/tools/index.js';
import { call, DONE, runAgent } from './agent.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const STATE = undefined as never;

async function textOf(session: LlmToolkitSession, name: string, args: object): Promise<string> {
  const result = await session
    .getTools()
    .find((tool) => tool.name === name)
    ?.execute(args, undefined, STATE);
  return firstText(result?.content);
}

function firstText(parts: readonly unknown[] = []): string {
  const [part] = parts as { text: string }[];
  return part?.text ?? '';
}

describe('toLlmToolkit', () => {
  const toolkit = toLlmToolkit({ sandbox: 'isolate', tools: codingTools() });

  it('S16: each session has a sandbox of its own, which ends when it is closed', async () => {
    const one = await toolkit.createSession(undefined);
    const other = await toolkit.createSession(undefined);
    cleanups.push(
      () => one.close(),
      () => other.close(),
    );
    await textOf(one, 'write_file', { path: 'a.txt', content: 'mine' });
    await expect(textOf(one, 'shell', { command: 'cat a.txt' })).resolves.toContain('mine');
    await expect(textOf(other, 'shell', { command: 'ls' })).resolves.not.toContain('a.txt');
    await one.close();
    await one.close();
    await expect(textOf(one, 'shell', { command: 'ls' })).resolves.toContain('sandbox');
    await expect(textOf(other, 'shell', { command: 'echo alive' })).resolves.toContain('alive');
  });

  it('S16: the real agent opens a session for its run and closes it', async () => {
    const hosts: ToolHost[] = [];
    const made = toLlmToolkit(() => {
      const host = createToolHost({ sandbox: 'isolate', tools: codingTools() });
      hosts.push(host);
      return host;
    });
    const turns = [call('c1', 'shell', { command: 'echo "$((6*7))"' }), DONE];
    const { results, inputs } = await runAgent({ toolkits: [made] }, { turns, context: undefined });
    expect(JSON.parse(firstText(results[0]?.output))).toMatchObject({
      stdout: '42\n',
      exitCode: 0,
    });
    expect(inputs[0]?.system_prompt).toContain('just-bash');
    expect(hosts).toHaveLength(1);
    await expect(hosts[0]?.call({ toolName: 'shell', args: { command: 'ls' } })).resolves.toMatchObject({
      error: { kind: 'sandbox' },
    });
  });

  it('S16: the context of the session reaches the tools, and a function may make the host from it', async () => {
    const look = defineTool({ name: 'look', description: 'x', input: z.object({}), execute: (_, ctx) => ctx.context });
    const plain = await toLlmToolkit({ tools: [look] }).createSession({ user: 'ada' });
    await expect(textOf(plain, 'look', {})).resolves.toBe('{"user":"ada"}');
    const made = toLlmToolkit<{ user: string }>(({ user }) => ({ tools: [look], context: `host of ${user}` }));
    await expect(textOf(await made.createSession({ user: 'bob' }), 'look', {})).resolves.toBe('host of bob');
  });

  it('S16: tools are read again for each turn', async () => {
    const host = createToolHost();
    const session = await toLlmToolkit(() => host).createSession(undefined);
    expect(session.getTools()).toEqual([]);
    host.registry.register(defineTool({ name: 'late', description: 'x', input: z.object({}), execute: () => 1 }));
    expect(session.getTools().map(({ name }) => name)).toEqual(['late']);
  });

  it('the system prompt can be given, and is absent where there is nothing to say', async () => {
    const given = await toLlmToolkit({}, { systemPrompt: 'Be careful' }).createSession(undefined);
    expect(given.getSystemPrompt()).toBe('Be careful');
    expect((await toLlmToolkit({}).createSession(undefined)).getSystemPrompt()).toBeUndefined();
  });

  it('a running sandbox is refused: sessions would share it', () => {
    const sandbox = createIsolateSandbox();
    cleanups.push(() => sandbox.dispose());
    expect(() => toLlmToolkit({ sandbox })).toThrow('of its own');
  });

  it('a sandbox that does not start fails the session, and leaves nothing behind', async () => {
    const workspace = '/nonexistent/caisson-test';
    await expect(toLlmToolkit({ sandbox: 'isolate', workspace }).createSession(undefined)).rejects.toMatchObject({
      name: 'SandboxUnavailableError',
    });
  });
});

describe('fromLlmToolkit', () => {
  const OBJECT = { type: 'object' };
  const agentTool = (name: string, said = name): AnyLlmAgentTool => ({
    name,
    description: `Does ${name}`,
    parameters: OBJECT,
    execute: () => ({ content: [{ type: 'text', text: said }], is_error: false }),
  });

  function fixture() {
    const state = { tools: [agentTool('first')], prompt: 'now', close: vi.fn(async () => {}) };
    const createSession = vi.fn(async (_context: unknown) => ({
      getSystemPrompt: () => state.prompt,
      getTools: () => state.tools,
      close: state.close,
    }));
    return { state, toolkit: { createSession } satisfies AnyLlmToolkit };
  }

  it('S16: opens a session with the context, which its tools get', async () => {
    const { state, toolkit } = fixture();
    const context = {};
    const execute = vi.fn((_args: object, _ctx: object) => ({ content: [], is_error: false }));
    state.tools = [{ ...agentTool('look'), execute }];
    await using session = await fromLlmToolkit(toolkit, context);
    expect(toolkit.createSession).toHaveBeenCalledExactlyOnceWith(context);
    await createToolHost({ tools: session.tools() }).call({ toolName: 'look', args: {} });
    expect(execute.mock.calls[0]?.[1]).toBe(context);
    expect(session.systemPrompt).toBe('now');
  });

  it('S16: tools that come and go are listed so', async () => {
    const { state, toolkit } = fixture();
    await using session = await fromLlmToolkit(toolkit, undefined);
    const host = createToolHost();
    const names = () => host.tools().map(({ name }) => name);
    session.attach(host.registry);
    expect(names()).toEqual(['first']);
    state.tools = [agentTool('second'), agentTool('third')];
    expect(names()).toEqual(['second', 'third']);
    await expect(host.call({ toolName: 'first', args: {} })).resolves.toMatchObject({ error: { kind: 'not-found' } });
    state.tools = [];
    expect(names()).toEqual([]);
  });

  it('S16: a tool made anew each time stays the same tool, and the newest one runs', async () => {
    const { state, toolkit } = fixture();
    await using session = await fromLlmToolkit(toolkit, undefined);
    const host = createToolHost();
    session.attach(host.registry);
    const changed = vi.fn();
    host.registry.onChange(changed);
    state.tools = [agentTool('first', 'newer')];
    host.tools();
    expect(changed).not.toHaveBeenCalled();
    await expect(host.call({ toolName: 'first', args: {} })).resolves.toMatchObject({ output: 'newer' });
    state.tools = [{ ...agentTool('first'), description: 'Does better' }];
    expect(host.tools()).toMatchObject([{ description: 'Does better' }]);
    expect(changed).toHaveBeenCalled();
  });

  it('a tool that came later and cannot be used is left out of the list', async () => {
    const { state, toolkit } = fixture();
    await using session = await fromLlmToolkit(toolkit, undefined);
    const host = createToolHost();
    session.attach(host.registry);
    state.tools = [{ ...agentTool('bad'), parameters: {} }, agentTool('good')];
    expect(host.tools().map(({ name }) => name)).toEqual(['good']);
  });

  it('never takes out a tool of somebody else', async () => {
    const { state, toolkit } = fixture();
    await using session = await fromLlmToolkit(toolkit, undefined);
    const host = createToolHost();
    session.attach(host.registry);
    const mine = defineTool({ name: 'first', description: 'mine', input: z.object({}), execute: () => 1 });
    host.registry.register('first', mine, { replace: true });
    state.tools = [];
    expect(host.tools().map(({ description }) => description)).toEqual(['mine']);
  });

  it('S16: closing ends the session once, and takes its tools out', async () => {
    const { state, toolkit } = fixture();
    const session = await fromLlmToolkit(toolkit, undefined);
    const host = createToolHost();
    session.attach(host.registry);
    await session.close();
    await session.close();
    expect(state.close).toHaveBeenCalledOnce();
    expect(host.tools()).toEqual([]);
    expect(session.tools()).toEqual([]);
  });
});
