import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { PropagatingToolError } from '../../../src/tool/propagating-error.js';
import { errorOf, outputOf } from './outcomes.js';

const execute = vi.fn((args: unknown) => args);
const writer = defineTool({ name: 'write_file', description: 'd', input: z.object({ path: z.string() }), execute });
const reader = defineTool({
  name: 'read_file',
  description: 'd',
  input: z.object({ path: z.string() }),
  annotations: { readOnlyHint: true },
  execute,
});
const shell = defineTool({ name: 'shell', description: 'd', input: z.object({ command: z.string() }), execute });
const tools = [writer, reader, shell];

describe('permission rules at a call', () => {
  it('L84: a deny is a denied error with its reason, and nothing runs', async () => {
    execute.mockClear();
    const host = createToolHost({
      tools,
      permissions: { deny: [{ tool: 'shell', command: 'git push:*', reason: 'Open a pull request' }] },
    });
    const outcome = await host.call({ toolName: 'shell', args: { command: 'cd x && git push' } });
    expect(errorOf(outcome)).toEqual({
      error: 'ToolDeniedError',
      kind: 'denied',
      toolName: 'shell',
      message: "Permission denied by 'shell(git push:*)' ('git push'): Open a pull request",
      reason: 'Open a pull request',
      rule: { text: 'shell(git push:*)', source: 'options#deny[0]' },
      part: { text: 'git push', span: [8, 16] },
      certainty: 'yes',
      enforcement: 'text only',
      instead: 'No other spelling of it is allowed: leave this out, or ask a person to do it',
      code: 'permission_denied',
      retryable: false,
    });
    expect(outcome.decision).toMatchObject({
      effect: 'deny',
      rule: { text: 'shell(git push:*)', source: 'options#deny[0]' },
    });
    expect(execute).not.toHaveBeenCalled();
  });

  it('L84: a deny without a reason has none', async () => {
    const host = createToolHost({ tools, permissions: { deny: ['shell(rm:*)'] } });
    const error = errorOf(await host.call({ toolName: 'shell', args: { command: '$X' } }));
    expect(error).not.toHaveProperty('reason');
    expect(error.message).toContain('could not be ruled out');
  });

  it('are carried by every outcome that they decided', async () => {
    const host = createToolHost({ tools, permissions: { allow: ['read_file'] } });
    expect((await host.call({ toolName: 'read_file', args: { path: 'a' } })).decision).toMatchObject({
      effect: 'allow',
    });
    expect(await host.call({ toolName: 'read_file', args: {} })).not.toHaveProperty('decision');
  });

  it('are not asked of a model about tools that it may never use', () => {
    const host = createToolHost({ tools, permissions: { deny: ['shell', 'write_file(docs/**)'] } });
    expect(host.tools().map(({ name }) => name)).toEqual(['write_file', 'read_file']);
  });

  it('deny the path of a file tool, protected paths included', async () => {
    const host = createToolHost({ tools, permissions: { deny: ['read_file(.env)'] } });
    expect(errorOf(await host.call({ toolName: 'read_file', args: { path: './.ENV' } })).kind).toBe('denied');
    expect(errorOf(await host.call({ toolName: 'write_file', args: { path: '.git/hooks/pre-commit' } }))).toMatchObject(
      {
        kind: 'denied',
        reason: expect.stringContaining('git runs it on the host'),
      },
    );
    const open = createToolHost({ tools, protectedPaths: false });
    outputOf(await open.call({ toolName: 'write_file', args: { path: '.git/hooks/pre-commit' } }));
  });

  it('follow the mode, which is read at every call', async () => {
    let mode: 'default' | 'plan' | 'acceptEdits' | 'dontAsk' = 'plan';
    const host = createToolHost({ tools, permissionMode: () => mode, permissions: { ask: ['*'] } });
    const write = { toolName: 'write_file', args: { path: 'a' } };
    expect(errorOf(await host.call(write))).toMatchObject({
      kind: 'denied',
      reason: expect.stringContaining('Plan mode'),
    });
    mode = 'acceptEdits';
    expect((await host.call(write)).status).toBe('ok');
    mode = 'dontAsk';
    expect(errorOf(await host.call(write)).kind).toBe('denied');
    mode = 'default';
    expect((await host.call(write)).status).toBe('awaiting-approval');
    mode = 'yolo' as never;
    expect(errorOf(await host.call(write)).kind).toBe('execution');
  });
});

describe('hooks', () => {
  const call = { toolName: 'write_file', args: { path: 'a' } };

  it('L85: a pre hook denies before the rules are asked', async () => {
    const types: string[] = [];
    const host = createToolHost({
      tools,
      hooks: { preCall: () => ({ deny: 'Frozen' }) },
      permissions: { allow: ['*'] },
      onEvent: ({ type }) => types.push(type),
    });
    expect(errorOf(await host.call(call))).toMatchObject({ kind: 'denied', reason: 'Frozen' });
    expect(types).toEqual(['call.started', 'call.parsed', 'decision', 'call.finished']);
  });

  it('L85: a pre hook answers the call, and the tool does not run', async () => {
    execute.mockClear();
    const host = createToolHost({ tools, hooks: { preCall: () => ({ result: { cached: true } }) } });
    expect(outputOf(await host.call(call))).toEqual({ cached: true });
    expect(execute).not.toHaveBeenCalled();
  });

  it('L85: the input of a pre hook is parsed and decided again', async () => {
    const host = createToolHost({
      tools,
      hooks: { preCall: ({ args }) => ({ input: { path: (args as { path: string }).path.replace('alias', '.env') } }) },
      permissions: { deny: ['write_file(.env)'] },
    });
    expect(outputOf(await host.call(call))).toEqual({ path: 'a' });
    expect(errorOf(await host.call({ toolName: 'write_file', args: { path: 'alias' } })).kind).toBe('denied');
    const broken = createToolHost({ tools, hooks: { preCall: () => ({ input: '{"path":5}' }) } });
    expect(errorOf(await broken.call(call)).kind).toBe('validation');
  });

  it('L85: a post hook replaces the result', async () => {
    const host = createToolHost({ tools, hooks: { postCall: ({ outcome }) => ({ result: [outcome.status] }) } });
    expect(outputOf(await host.call(call))).toEqual(['ok']);
  });

  it('that throw fail the call: before it, nothing runs', async () => {
    execute.mockClear();
    const fail = () => {
      throw new RangeError('hook');
    };
    expect(errorOf(await createToolHost({ tools, hooks: { preCall: fail } }).call(call))).toMatchObject({
      error: 'RangeError',
      kind: 'execution',
    });
    expect(execute).not.toHaveBeenCalled();
    expect(errorOf(await createToolHost({ tools, hooks: { postCall: fail } }).call(call)).error).toBe('RangeError');
    expect(
      errorOf(await createToolHost({ tools, hooks: { preCall: () => ({ deni: 'x' }) as never } }).call(call)).kind,
    ).toBe('execution');
  });

  it('may end the whole run', async () => {
    const stop = new PropagatingToolError('stop');
    const host = createToolHost({ tools, hooks: { preCall: () => Promise.reject(stop) } });
    await expect(host.call(call)).rejects.toBe(stop);
  });
});

describe('events', () => {
  it('tell every station in order, with the session', async () => {
    const events: HostEvent[] = [];
    const host = createToolHost({
      tools,
      permissions: { ask: ['write_file'] },
      approve: () => ({ decision: 'approve', note: 'fine' }),
      onEvent: (event) => events.push(event),
    });
    await host.call({ toolCallId: 'c', toolName: 'write_file', args: { path: 'a' } }, { sessionId: 's' });
    expect(events.map(({ type }) => type)).toEqual([
      'call.started',
      'call.parsed',
      'decision',
      'approval.requested',
      'approval.decided',
      'run.started',
      'call.finished',
    ]);
    for (const event of events) {
      expect(event).toMatchObject({ toolCallId: 'c', toolName: 'write_file', sessionId: 's' });
      expect(new Date(event.time).toISOString()).toBe(event.time);
    }
    expect(events.at(-1)).toMatchObject({ status: 'ok', isError: false });
  });

  it('never break a call, whatever the listener does', async () => {
    const bad = [
      () => {
        throw new Error('listener');
      },
      async () => {
        throw new Error('listener');
      },
    ];
    for (const onEvent of bad) {
      outputOf(await createToolHost({ tools, onEvent }).call({ toolName: 'write_file', args: { path: 'a' } }));
    }
  });
});

describe('createToolHost()', () => {
  it.each([
    [{ tool: [] }, "unknown option 'tool'; did you mean 'tools'?"],
    [{ permission: [] }, "did you mean 'permissions'?"],
    [{ hooks: { preCal: () => {} } }, "unknown option 'hooks.preCal'; did you mean 'hooks.preCall'?"],
    [{ hooks: { preCall: 5 } }, "'hooks.preCall' must be a function"],
    [{ approve: true }, "'approve' must be a function"],
    [{ onEvent: {} }, "'onEvent' must be a function"],
    [{ permissionMode: 'plann' }, "did you mean 'plan'?"],
    [{ protectedPaths: 'no' }, "'protectedPaths' must be true or false"],
    [{ workspace: '' }, "'workspace' must be the path"],
    [{ workspaceMode: 'copy' }, "'workspaceMode' must be one of"],
    [{ sandbox: 'isolate', workspaceMode: 'overlay' }, "needs a 'workspace'"],
    [{ sandbox: 'isolate', workspace: '.', workspaceMode: 'memory' }, "use 'overlay'"],
    [{ sandbox: 'isolated' }, "Unknown sandbox 'isolated'"],
    [{ sandbox: {} }, 'must be a sandbox'],
    [{ sandbox: null }, 'must be a sandbox'],
    [{ tools: [writer, writer] }, "'write_file' is already registered"],
  ])('refuses %j', (options, problem) => {
    expect(() => createToolHost(options as never)).toThrow(TypeError);
    expect(() => createToolHost(options as never)).toThrow(problem);
  });

  it('refuses to start with a policy that it cannot read', () => {
    expect(() => createToolHost({ permissions: '/nowhere/policy.json' })).toThrow(/no such file/);
    expect(() => createToolHost({ permissions: { deny: ['shell('] } })).toThrow(/position/);
  });

  it('lists tools as JSON that may be changed without harm', () => {
    const host = createToolHost({ tools });
    const [listing] = host.tools();
    expect(listing).toMatchObject({
      name: 'write_file',
      displayName: 'write_file',
      description: 'd',
      inputSchema: { type: 'object' },
    });
    if (listing) listing.inputSchema.type = 'string';
    expect(host.tools()[0]?.inputSchema.type).toBe('object');
  });

  it('lets tools come and go through the registry', async () => {
    const host = createToolHost();
    host.registry.register(writer);
    expect((await host.call({ toolName: 'write_file', args: { path: 'a' } })).status).toBe('ok');
  });
});
