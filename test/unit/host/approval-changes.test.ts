import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { ToolHost, ToolOutcome } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { errorOf, outputOf } from './outcomes.js';

const ran: string[] = [];

function deploy(by = 'as approved', needsApproval: unknown = true) {
  return defineTool({
    name: 'deploy',
    description: 'd',
    input: z.object({ to: z.string() }),
    needsApproval: needsApproval as true,
    execute: ({ to }) => {
      ran.push(`${to} ${by}`);
      return to;
    },
  });
}

const call = { toolName: 'deploy', args: { to: 'staging' } };

function idOf(outcome: ToolOutcome): string {
  if (outcome.status !== 'awaiting-approval') throw new Error(`The call is ${outcome.status}`);
  return outcome.approval.id;
}

describe('what was approved', () => {
  it.each<[string, (host: ToolHost) => void]>([
    ['was replaced', ({ registry }) => registry.register('deploy', deploy('by another'), { replace: true })],
    ['was taken away', ({ registry }) => registry.unregister('deploy')],
  ])('does not run when its tool %s meanwhile', async (_, change) => {
    ran.length = 0;
    const deferred = createToolHost({ tools: deploy(), policyFiles: false });
    const id = idOf(await deferred.call(call));
    change(deferred);
    expect(errorOf(await deferred.approvals.resolve(id, { decision: 'approve' })).kind).toBe('not-run');
    const waiting: ToolHost = createToolHost({
      tools: deploy(),
      policyFiles: false,
      approve: () => {
        change(waiting);
        return { decision: 'approve' };
      },
    });
    expect(errorOf(await waiting.call(call)).kind).toBe('not-run');
    expect(ran).toEqual([]);
  });

  it('runs when its tool was registered anew as it was', async () => {
    const tool = deploy();
    const host = createToolHost({ tools: tool, policyFiles: false });
    const id = idOf(await host.call(call));
    host.registry.register('deploy', tool, { replace: true });
    expect(outputOf(await host.approvals.resolve(id, { decision: 'approve' }))).toBe('staging');
  });

  it('does not run when arguments that cannot be copied were changed in place', async () => {
    class Target {
      to: string;
      constructor(to: string) {
        this.to = to;
      }
    }
    const execute = vi.fn();
    const input = z.object({ to: z.string(), at: z.coerce.date() }).transform(({ to }) => new Target(to));
    const tool = defineTool({ name: 'deploy', description: 'd', input, needsApproval: true, execute });
    let seen: Target | undefined;
    const host = createToolHost({
      tools: tool,
      policyFiles: false,
      hooks: {
        preCall: ({ args }) => {
          seen ??= args as Target;
        },
      },
    });
    const id = idOf(await host.call({ toolName: 'deploy', args: { to: 'staging', at: '2026-01-01' } }));
    if (seen !== undefined) seen.to = 'production';
    expect(errorOf(await host.approvals.resolve(id, { decision: 'approve' })).kind).toBe('validation');
    expect(execute).not.toHaveBeenCalled();
  });

  it('is what stands in the event, and a listener changes only its copy', async () => {
    const host = createToolHost({
      tools: deploy(),
      policyFiles: false,
      onEvent: (event) => {
        if (event.type !== 'approval.requested') return;
        event.approval.proposals.push('*');
        Object.assign(event.approval, { expiresAt: '2099-01-01T00:00:00.000Z', args: { to: 'production' } });
      },
    });
    const outcome = await host.call(call);
    expect(outcome).toMatchObject({ approval: { args: { to: 'staging' }, proposals: [] } });
    expect(host.approvals.list()).toMatchObject([{ args: { to: 'staging' }, proposals: [] }]);
  });

  it('of one host is not known to another', async () => {
    const one = createToolHost({ tools: deploy(), policyFiles: false });
    const other = createToolHost({ tools: deploy(), policyFiles: false });
    const id = idOf(await one.call(call));
    await expect(other.approvals.resolve(id, { decision: 'approve' })).rejects.toThrow('no call waits');
    expect(one.approvals.list()).toHaveLength(1);
  });
});

describe('a preCall hook', () => {
  it.each([5, 'approve', true])('that answers %j lets nothing run, also at the resume', async (answer) => {
    ran.length = 0;
    let resumed = false;
    const host = createToolHost({
      tools: deploy(),
      hooks: { preCall: () => (resumed ? (answer as never) : undefined) },
      policyFiles: false,
    });
    const id = idOf(await host.call(call));
    resumed = true;
    for (const outcome of [await host.approvals.resolve(id, { decision: 'approve' }), await host.call(call)])
      expect(errorOf(outcome)).toMatchObject({ kind: 'execution', message: expect.stringContaining('must answer') });
    expect(ran).toEqual([]);
  });
});

describe("a tool's needsApproval", () => {
  it('that refuses at the resume refuses, whatever a person approved', async () => {
    ran.length = 0;
    let verdict: unknown = true;
    const host = createToolHost({ tools: deploy('', () => verdict), policyFiles: false });
    const id = idOf(await host.call(call));
    verdict = { deny: 'The budget is spent' };
    expect(errorOf(await host.approvals.resolve(id, { decision: 'approve' }))).toMatchObject({
      kind: 'denied',
      reason: 'The budget is spent',
    });
    expect(ran).toEqual([]);
  });

  it('cannot make other arguments of those that rules decided on', async () => {
    ran.length = 0;
    const host = createToolHost({
      tools: deploy('', (args: { to: string }) => {
        args.to = 'production';
        return false;
      }),
      permissions: { deny: [{ tool: 'deploy', args: { to: 'production' } }] },
      policyFiles: false,
    });
    expect(outputOf(await host.call(call))).toBe('staging');
    expect(ran).toEqual(['staging ']);
  });
});
