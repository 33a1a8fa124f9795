import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { ApprovalDecision, ToolHostOptions, ToolOutcome } from '../../../src/host/types.js';
import type { PermissionMode } from '../../../src/permissions/rules/rule.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { errorOf, outputOf } from './outcomes.js';

const input = z.object({ path: z.string().default('a') });

function gated(needsApproval: Parameters<typeof defineTool>[0]['needsApproval'], options: ToolHostOptions = {}) {
  const execute = vi.fn((args: unknown) => args);
  const tool = defineTool({
    name: 'gated',
    displayName: 'Gated',
    description: 'd',
    input,
    needsApproval: needsApproval as never,
    execute,
  });
  return { execute, host: createToolHost({ tools: tool, ...options }) };
}

const call = (args: unknown = {}) => ({ toolCallId: 'c1', toolName: 'gated', args });

function approvalOf(outcome: ToolOutcome) {
  if (outcome.status !== 'awaiting-approval') throw new Error(`The call is ${outcome.status}`);
  return outcome.approval;
}

describe("a tool's needsApproval", () => {
  it('L13: true pauses, false and absent run', async () => {
    expect((await gated(true).host.call(call())).status).toBe('awaiting-approval');
    expect((await gated(false).host.call(call())).status).toBe('ok');
    expect((await gated(undefined).host.call(call())).status).toBe('ok');
  });

  it('L14: a function sees the parsed arguments and may be asynchronous', async () => {
    const seen = vi.fn(async ({ path }: { path: string }) => path === 'secret');
    const { host } = gated(seen as never);
    expect((await host.call(call({ path: 'secret' }))).status).toBe('awaiting-approval');
    expect((await host.call(call())).status).toBe('ok');
    expect(seen.mock.calls[1]?.[0]).toEqual({ path: 'a' });
  });

  it('L15: gets the call beside them, and may ask, approve or deny', async () => {
    const messages = [{ role: 'user' }];
    const seen = vi.fn(() => 'approve');
    await gated(seen as never).host.call(call(), { messages, sessionId: 's' });
    expect(seen).toHaveBeenCalledWith({ path: 'a' }, { toolName: 'gated', toolCallId: 'c1', messages, sessionId: 's' });
    expect((await gated((() => 'ask') as never).host.call(call())).status).toBe('awaiting-approval');
    const { host, execute } = gated((() => ({ deny: 'Not on Fridays' })) as never);
    expect(errorOf(await host.call(call()))).toMatchObject({
      kind: 'denied',
      error: 'ToolDeniedError',
      reason: 'Not on Fridays',
    });
    expect(errorOf(await gated((() => 'deny') as never).host.call(call()))).not.toHaveProperty('reason');
    expect(execute).not.toHaveBeenCalled();
  });

  it('L16: that throws is an execution error, and the tool does not run', async () => {
    const { host, execute } = gated((() => {
      throw new RangeError('cannot tell');
    }) as never);
    expect(errorOf(await host.call(call()))).toMatchObject({ kind: 'execution', error: 'RangeError' });
    expect(execute).not.toHaveBeenCalled();
  });

  it('is answered by an explicit allow rule, not by the default', async () => {
    expect((await gated(true, { permissions: { allow: ['gated'] } }).host.call(call())).status).toBe('ok');
    expect((await gated(true, { permissions: { default: 'allow' } }).host.call(call())).status).toBe(
      'awaiting-approval',
    );
    const denying = gated((() => 'deny') as never, { permissions: { allow: ['gated'] } });
    expect(errorOf(await denying.host.call(call())).kind).toBe('denied');
  });
});

describe('a call that waits', () => {
  it('L80: runs nothing and says what is asked', async () => {
    const { host, execute } = gated(undefined, { permissions: { ask: [{ tool: 'gated', reason: 'It costs money' }] } });
    const outcome = await host.call(call({ path: 'b' }));
    expect(outcome).toMatchObject({ status: 'awaiting-approval', isError: false, toolCallId: 'c1' });
    const approval = approvalOf(outcome);
    expect(approval).toMatchObject({
      toolCallId: 'c1',
      toolName: 'gated',
      displayName: 'Gated',
      args: { path: 'b' },
      rule: 'gated',
      reason: 'It costs money',
    });
    expect(JSON.parse(JSON.stringify(approval))).toEqual(approval);
    expect(host.approvals.list()).toEqual([approval]);
    expect(execute).not.toHaveBeenCalled();
  });

  it('L81: runs with the arguments that were approved, whatever became of them elsewhere', async () => {
    let kept: { path: string } | undefined;
    const { host, execute } = gated(true, {
      hooks: {
        preCall: ({ args }) => {
          kept ??= args as { path: string };
        },
      },
    });
    const approval = approvalOf(await host.call(call({ path: 'shown' })));
    (approval.args as { path: string }).path = 'changed by the reviewer';
    if (kept) kept.path = 'changed by a hook';
    expect(outputOf(await host.approvals.resolve(approval.id, { decision: 'approve' }))).toEqual({ path: 'shown' });
    expect(execute).toHaveBeenCalledTimes(1);
    expect(host.approvals.list()).toEqual([]);
  });

  it('L81: a hook that gives other input at the resume is a validation failure', async () => {
    let path = 'shown';
    const { host, execute } = gated(true, { hooks: { preCall: () => ({ input: { path } }) } });
    const first = approvalOf(await host.call(call()));
    expect(outputOf(await host.approvals.resolve(first.id, { decision: 'approve' }))).toEqual({ path: 'shown' });
    const second = approvalOf(await host.call(call()));
    path = 'other';
    const error = errorOf(await host.approvals.resolve(second.id, { decision: 'approve' }));
    expect(error).toMatchObject({ kind: 'validation', issues: [{ path: '(root)' }] });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it('L81: a hook that changes them in place at the resume is a validation failure', async () => {
    let resumed = false;
    const { host, execute } = gated(true, {
      hooks: {
        preCall: ({ args }) => {
          if (resumed) (args as { path: string }).path = 'other';
        },
      },
    });
    const { id } = approvalOf(await host.call(call()));
    resumed = true;
    expect(errorOf(await host.approvals.resolve(id, { decision: 'approve' })).kind).toBe('validation');
    expect(execute).not.toHaveBeenCalled();
  });

  it('L82: that is rejected says so, with the note when there is one', async () => {
    const { host, execute } = gated(true);
    const first = approvalOf(await host.call(call()));
    expect(errorOf(await host.approvals.resolve(first.id, { decision: 'reject', note: 'Use staging' }))).toEqual({
      error: 'ToolRejectedError',
      kind: 'rejected',
      toolName: 'gated',
      message: 'Tool execution was rejected by the reviewer',
      note: 'Use staging',
    });
    const second = approvalOf(await host.call(call()));
    expect(errorOf(await host.approvals.resolve(second.id, { decision: 'reject' }))).not.toHaveProperty('note');
    expect(execute).not.toHaveBeenCalled();
  });

  it('L83: is decided once', async () => {
    const { host, execute } = gated(true);
    const { id } = approvalOf(await host.call(call()));
    const both = await Promise.allSettled([
      host.approvals.resolve(id, { decision: 'approve' }),
      host.approvals.resolve(id, { decision: 'approve' }),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(host.approvals.resolve(id, { decision: 'reject' })).rejects.toThrow('it was decided before');
    await expect(host.approvals.resolve('nobody', { decision: 'reject' })).rejects.toThrow(
      'no call waits under this id',
    );
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it('keeps waiting after a word that is no decision', async () => {
    const { host } = gated(true);
    const { id } = approvalOf(await host.call(call()));
    await expect(host.approvals.resolve(id, { decision: 'maybe' as never })).rejects.toThrow(TypeError);
    expect(host.approvals.list()).toHaveLength(1);
  });

  it('is denied at the resume when the rules or the mode now deny', async () => {
    let mode: PermissionMode = 'default';
    const { host, execute } = gated(true, { permissionMode: () => mode });
    const { id } = approvalOf(await host.call(call()));
    mode = 'plan';
    expect(errorOf(await host.approvals.resolve(id, { decision: 'approve' })).kind).toBe('denied');
    expect(execute).not.toHaveBeenCalled();
  });

  it('does not run once the host was disposed, whoever answers then', async () => {
    const { execute, host } = gated(true);
    const gone = { status: 'error', error: { kind: 'sandbox', code: 'sandbox_disposed' } };
    const [first, second] = [approvalOf(await host.call(call())), approvalOf(await host.call(call()))];
    const person = Promise.withResolvers<ApprovalDecision>();
    const approve = vi.fn(() => person.promise);
    const asked = host.call(call(), { approve });
    await vi.waitFor(() => expect(approve).toHaveBeenCalled());
    await host.dispose();
    person.resolve({ decision: 'approve' });
    expect(await asked).toMatchObject(gone);
    expect(await host.approvals.resolve(first.id, { decision: 'approve' })).toMatchObject(gone);
    expect(errorOf(await host.approvals.resolve(second.id, { decision: 'reject' }))).toMatchObject({
      kind: 'rejected',
    });
    expect(execute).not.toHaveBeenCalled();
  });

  it('does not run when its run was aborted meanwhile', async () => {
    const { host, execute } = gated(true);
    const controller = new AbortController();
    const { id } = approvalOf(await host.call(call(), { signal: controller.signal }));
    controller.abort();
    expect(errorOf(await host.approvals.resolve(id, { decision: 'approve' })).kind).toBe('not-run');
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("the host's approve function", () => {
  it('is asked once, and so is the tool', async () => {
    const needsApproval = vi.fn(() => true);
    const approve = vi.fn(() => ({ decision: 'approve' as const }));
    const { host } = gated(needsApproval as never, { approve });
    expect((await host.call(call())).decision).toMatchObject({
      effect: 'ask',
      rule: { text: 'needsApproval', source: 'tool gated' },
    });
    expect(needsApproval).toHaveBeenCalledTimes(1);
    expect(approve).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['approve', 'ok'],
    ['reject', 'error'],
    ['defer', 'awaiting-approval'],
  ] as const)('that answers %s makes the call %s', async (decision, status) => {
    const { host } = gated(true, { approve: async () => ({ decision }) });
    expect((await host.call(call())).status).toBe(status);
  });

  it('cannot change what runs', async () => {
    const approve: ToolHostOptions['approve'] = (request) => {
      (request.args as { path: string }).path = 'other';
      return { decision: 'approve' };
    };
    expect(outputOf(await gated(true, { approve }).host.call(call()))).toEqual({ path: 'a' });
  });

  it('is never asked about a denied call, and an approval never lifts a deny', async () => {
    const approve = vi.fn(() => ({ decision: 'approve' as const }));
    const { host } = gated(true, { approve, permissions: { deny: ['gated'] } });
    expect(errorOf(await host.call(call())).kind).toBe('denied');
    expect(approve).not.toHaveBeenCalled();
  });

  it.each([undefined, {}, { decision: 'yes' }])('that answers %j approves nothing', async (answer) => {
    const { host, execute } = gated(true, { approve: (() => answer) as never });
    expect(errorOf(await host.call(call())).kind).toBe('execution');
    expect(execute).not.toHaveBeenCalled();
  });

  it('that never answers does not hold an aborted call', async () => {
    const { host, execute } = gated(true, { approve: () => new Promise(() => {}) });
    const controller = new AbortController();
    const pending = host.call(call(), { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    expect(errorOf(await pending)).toMatchObject({ kind: 'not-run', error: 'ToolNotRunError', code: 'aborted' });
    expect(execute).not.toHaveBeenCalled();
    expect(host.approvals.list()).toEqual([]);
  });
});
