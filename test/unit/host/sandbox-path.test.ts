import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import type { Sandbox } from '../../../src/sandbox/contract.js';
import { SandboxCrashedError, SandboxError } from '../../../src/sandbox/errors.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { codingTools } from '../../../src/tools/coding-tools.js';
import { errorOf, outputOf } from './outcomes.js';
import { echoAdapter, plainSandbox, testSession } from './test-sandbox.js';

const call = { toolName: 'boxed', args: {} };

function boxed(run: (sandbox: Sandbox) => unknown, execute: () => unknown = () => 'on the host') {
  return defineTool({
    name: 'boxed',
    description: 'd',
    input: z.object({}),
    requiresSandbox: true,
    execute,
    sandboxExecute: (_args, sandbox) => run(sandbox),
  });
}

describe('a tool that requires a sandbox', () => {
  it('L17: runs sandboxExecute, and execute never', async () => {
    const execute = vi.fn();
    const host = createToolHost({
      tools: boxed(async (sandbox) => (await sandbox.exec('ls')).stdout, execute),
      sandbox: plainSandbox(),
    });
    expect(outputOf(await host.call(call))).toBe('sh -c ls');
    expect(execute).not.toHaveBeenCalled();
  });

  it('L18: without sandboxExecute is a sandbox error, and nothing runs or is asked', async () => {
    const execute = vi.fn();
    const approve = vi.fn();
    const tool = defineTool({
      name: 'boxed',
      description: 'd',
      input: z.object({}),
      requiresSandbox: true,
      needsApproval: true,
      execute,
    });
    const error = errorOf(await createToolHost({ tools: tool, sandbox: plainSandbox(), approve }).call(call));
    expect(error).toMatchObject({
      error: 'SandboxRequiredError',
      kind: 'sandbox',
      code: 'sandbox_required',
      retryable: false,
    });
    expect(error.message).toContain('add one to the tool');
    expect(execute).not.toHaveBeenCalled();
    expect(approve).not.toHaveBeenCalled();
  });

  it('L19: without a configured sandbox is refused, and never runs on the host', async () => {
    const execute = vi.fn();
    const error = errorOf(await createToolHost({ tools: boxed(() => 1, execute) }).call(call));
    expect(error).toMatchObject({
      error: 'SandboxNotConfiguredError',
      kind: 'sandbox',
      code: 'sandbox_not_configured',
    });
    expect(error.message).toContain("give createToolHost a 'sandbox'");
    expect(execute).not.toHaveBeenCalled();
  });

  it('L20: sandboxExecute of a tool that requires none is ignored', async () => {
    const sandboxExecute = vi.fn();
    const tool = defineTool({
      name: 'free',
      description: 'd',
      input: z.object({}),
      execute: () => 'host',
      sandboxExecute,
    });
    const host = createToolHost({ tools: tool, sandbox: plainSandbox() });
    expect(outputOf(await host.call({ toolName: 'free', args: {} }))).toBe('host');
    expect(sandboxExecute).not.toHaveBeenCalled();
  });

  it('whose sandbox does not start is a sandbox error, and the next call tries again', async () => {
    const session = testSession({ failStarts: 1 });
    const host = createToolHost({ tools: boxed(() => 'ran'), sandbox: session });
    expect(errorOf(await host.call(call))).toMatchObject({
      error: 'SandboxUnavailableError',
      kind: 'sandbox',
      code: 'sandbox_start_failed',
      message: "Cannot start the sandbox 'test': no room",
    });
    expect(outputOf(await host.call(call))).toBe('ran');
  });

  it('whose sandbox died is a sandbox error that may be tried again', async () => {
    const events: HostEvent[] = [];
    const tool = boxed(() => {
      throw new SandboxCrashedError('The sandbox ended while the command ran; run it again');
    });
    const host = createToolHost({ tools: tool, sandbox: testSession(), onEvent: (event) => events.push(event) });
    expect(errorOf(await host.call(call))).toMatchObject({
      error: 'SandboxCrashedError',
      kind: 'sandbox',
      code: 'sandbox_crashed',
      retryable: true,
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'sandbox.lost', sandbox: { name: 'test', id: 'test-1' } }),
    );
  });

  it('that fails at a file is an execution error with its code', async () => {
    const tool = boxed(() => {
      throw new SandboxError('path_escape', "Cannot read '../x': it is outside the workspace");
    });
    const error = errorOf(await createToolHost({ tools: tool, sandbox: plainSandbox() }).call(call));
    expect(error).toMatchObject({ kind: 'execution', code: 'path_escape', retryable: false });
  });

  it("answers 'docker' without an engine with what was tried and what to do", async () => {
    vi.stubEnv('DOCKER_HOST', 'unix:///nowhere');
    const execute = vi.fn();
    const host = createToolHost({ tools: boxed(() => 1, execute), sandbox: 'docker' });
    const error = errorOf(await host.call(call));
    vi.unstubAllEnvs();
    expect(error).toMatchObject({ error: 'SandboxUnavailableError', kind: 'sandbox', code: 'engine_unreachable' });
    expect(error.message).toContain('unix:///nowhere: no such socket');
    expect(error.message).toContain('use the isolate sandbox');
    expect(execute).not.toHaveBeenCalled();
  });

  it("judges commands under 'auto' by the backend that holds less", async () => {
    const host = createToolHost({
      tools: codingTools(),
      sandbox: 'auto',
      permissions: { deny: ['read_file(.env)'] },
      policyFiles: false,
    });
    const args = { command: 'x=.en; cat ${x}v' };
    expect(errorOf(await host.call({ toolName: 'shell', args }))).toMatchObject({ kind: 'denied' });
  });
});

describe('a session that is handed in', () => {
  it('starts with the first call that needs it, once', async () => {
    const session = testSession();
    const free = defineTool({ name: 'free', description: 'd', input: z.object({}), execute: () => 1 });
    const host = createToolHost({ tools: [boxed(() => 1), free], sandbox: session });
    await host.call({ toolName: 'free', args: {} });
    expect(session.log).toEqual([]);
    await host.callMany([call, call]);
    await host.call(call);
    expect(session.log).toEqual(['start']);
  });

  it('gets the plan of the policy before anything runs', () => {
    const session = testSession();
    createToolHost({ sandbox: session, permissions: { deny: ['read_file(.env)'] }, protectedPaths: false });
    expect(session.plans).toEqual([
      {
        denyRead: [
          { glob: '**/.env', rule: 'read_file(.env)' },
          { glob: '**/.env/**', rule: 'read_file(.env)' },
        ],
        denyWrite: [],
      },
    ]);
  });

  it('is asked to keep the protected paths by default', () => {
    const session = testSession();
    createToolHost({ sandbox: session });
    expect(session.plans[0]?.denyWrite.map(({ glob }) => glob)).toContain('**/.git/hooks/**');
  });

  it('is never disposed by the host', async () => {
    const session = testSession();
    const host = createToolHost({ tools: boxed(() => 1), sandbox: session });
    await host.call(call);
    await host.dispose();
    expect(session.log).toEqual(['start']);
    expect(errorOf(await host.call(call))).toMatchObject({ kind: 'sandbox', code: 'sandbox_disposed' });
  });
});

describe('a pool', () => {
  it('gives one member, which the host ends', async () => {
    const member = testSession();
    const acquire = vi.fn(async () => member);
    const dispose = vi.fn();
    const pool = { size: 1, acquire, dispose, [Symbol.asyncDispose]: dispose };
    const host = createToolHost({
      tools: boxed((sandbox) => sandbox.id),
      sandbox: pool,
      permissions: { deny: ['read_file(.env)'] },
    });
    expect(acquire).not.toHaveBeenCalled();
    expect(outputOf(await host.call(call))).toBe('test-1');
    await host.call(call);
    expect(acquire).toHaveBeenCalledTimes(1);
    expect(member.plans[0]?.denyRead).toHaveLength(2);
    await Promise.all([host.dispose(), host.dispose()]);
    await host[Symbol.asyncDispose]();
    expect(member.log).toEqual(['start', 'dispose']);
    expect(dispose).not.toHaveBeenCalled();
  });

  it('whose member does not start gets it back ended', async () => {
    const member = testSession({ failStarts: 1 });
    const pool = {
      size: 1,
      acquire: async () => member,
      dispose: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    expect(errorOf(await createToolHost({ tools: boxed(() => 1), sandbox: pool }).call(call)).kind).toBe('sandbox');
    expect(member.log).toEqual(['start', 'dispose']);
  });

  it('that is lost before its life was over is replaced when it expired', async () => {
    const members = [testSession(), testSession()];
    let next = 0;
    const pool = {
      size: 1,
      acquire: async () => members[next++] ?? testSession(),
      dispose: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    let expired = true;
    const tool = boxed(() => {
      if (!expired) return 'ran';
      expired = false;
      throw new SandboxCrashedError('The sandbox reached the end of its life', 'sandbox_expired');
    });
    const host = createToolHost({ tools: tool, sandbox: pool });
    expect(errorOf(await host.call(call)).code).toBe('sandbox_expired');
    expect(outputOf(await host.call(call))).toBe('ran');
    expect(members.map(({ log }) => log)).toEqual([['start', 'dispose'], ['start']]);
  });
});

describe('a bare adapter', () => {
  it('runs commands with sh and writes text; the rest is refused, not done in another way', async () => {
    const written = new Map<string, string>();
    const tool = boxed(async (sandbox) => {
      await sandbox.fs.writeFile('a.txt', new TextEncoder().encode('é'));
      const refusals = await Promise.allSettled([
        sandbox.fs.readFile('a.txt'),
        sandbox.spawn('ls', []),
        sandbox.exec('ls', { stdin: 'x' }),
        sandbox.fs.writeFile('a', 'b', { ifVersion: null }),
      ]);
      const codes = refusals.map((one) => (one.status === 'rejected' ? one.reason.code : 'done'));
      return { exec: await sandbox.exec('echo hi'), codes };
    });
    const host = createToolHost({ tools: tool, sandbox: echoAdapter(written) });
    expect(outputOf(await host.call(call))).toMatchObject({
      exec: { stdout: 'sh -c echo hi', exitCode: 0 },
      codes: ['unsupported', 'unsupported', 'unsupported', 'unsupported'],
    });
    expect(written.get('a.txt')).toBe('é');
  });

  it.each([
    ['command timed out after 5ms', 'Error', 'timeout'],
    ['The operation was aborted', 'AbortError', 'aborted'],
  ])('that rejects with %j resolves exec with its cause', async (message, name, cause) => {
    const adapter = { ...echoAdapter(), run: () => Promise.reject(Object.assign(new Error(message), { name })) };
    const host = createToolHost({ tools: boxed((sandbox) => sandbox.exec('sleep 9')), sandbox: adapter });
    expect(outputOf(await host.call(call))).toMatchObject({ exitCode: null, cause, killed: 'unverified' });
  });

  it('is said to hold no path rules', async () => {
    const events: HostEvent[] = [];
    const host = createToolHost({
      tools: boxed(() => 1),
      sandbox: echoAdapter(),
      permissions: { deny: ['read_file(.env)'] },
      protectedPaths: false,
      onEvent: (event) => events.push(event),
    });
    await host.ready();
    expect(events).toEqual([
      {
        type: 'sandbox.started',
        sandbox: { name: 'echo', id: host.sandbox?.id },
        // What may be assumed of a sandbox that says nothing of itself.
        isolation: 'none',
        network: 'full',
        workspaceMode: 'direct',
        unenforced: ['read_file(.env)'],
        time: expect.any(String),
      },
    ]);
  });
});

describe('ready()', () => {
  it('starts the sandbox, or rejects with the reason', async () => {
    const session = testSession({ failStarts: 1 });
    const host = createToolHost({ sandbox: session });
    await expect(host.ready()).rejects.toThrow('no room');
    await host.ready();
    expect(session.log).toEqual(['start', 'start']);
    await expect(createToolHost().ready()).rejects.toMatchObject({ code: 'sandbox_not_configured' });
  });

  it('gives a named backend a sandbox that tools may hold before it has started', () => {
    const host = createToolHost({ sandbox: 'isolate' });
    expect(host.sandbox).toMatchObject({ name: 'isolate', cwd: '/workspace' });
    expect(createToolHost().sandbox).toBeUndefined();
  });
});
