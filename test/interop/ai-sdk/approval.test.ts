import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent } from '../../../src/host/types.js';
import {
  recordAiSdkRejections,
  toAiSdkRepairToolCall,
  toAiSdkToolApproval,
  toAiSdkTools,
} from '../../../src/interop/ai-sdk/index.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { PropagatingToolError } from '../../../src/tool/propagating-error.js';
import { call, DONE, modelSees, type Part, RUNS, type Run, resultOf, toolErrorOf } from './sdks.js';

const V7 = RUNS.filter(({ version }) => version === 7);

function transferTool(ran: unknown[] = []) {
  return defineTool({
    name: 'transfer',
    description: 'Sends money',
    input: z.object({ amount: z.coerce.number() }),
    needsApproval: ({ amount }) => amount > 100,
    execute: (args) => {
      ran.push(args);
      return 'sent';
    },
  });
}

function decisions(onEvent: ReturnType<typeof vi.fn>): unknown[] {
  const events = onEvent.mock.calls.map(([event]) => event as HostEvent);
  return events.flatMap((event) => (event.type === 'decision' ? [event.decision.effect] : []));
}

function answer({ parts, messages }: Run, approved: boolean, reason?: string): unknown[] {
  const request = parts.find(({ type }) => type === 'tool-approval-request') as Part;
  const response = { type: 'tool-approval-response', approvalId: request.approvalId, approved, reason };
  return [...messages, { role: 'tool', content: [response] }];
}

describe.each(RUNS)('approval through $label', ({ run, version }) => {
  const gate = (host: ReturnType<typeof createToolHost>) =>
    version === 7 ? { toolApproval: toAiSdkToolApproval(host) } : {};

  it('A12: the tool’s own predicate sees parsed arguments, and what needs nobody runs', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)] });
    await run({ tools: toAiSdkTools(host), ...gate(host), turns: [call('c1', 'transfer', { amount: '50' }), DONE] });
    expect(ran).toEqual([{ amount: 50 }]);
  });

  it('A12, A13: a call that asks stops the run; approved, it runs once, and the host’s own `approve` is not asked', async () => {
    const ran: unknown[] = [];
    const approve = vi.fn(() => ({ decision: 'reject' as const }));
    const host = createToolHost({ tools: [transferTool(ran)], approve });
    const options = { tools: toAiSdkTools(host), ...gate(host) };
    const first = await run({ ...options, turns: [call('c1', 'transfer', { amount: 500 })] });
    expect(first.parts.map(({ type }) => type)).toContain('tool-approval-request');
    expect(ran).toEqual([]);
    const second = await run({ ...options, turns: [DONE], messages: answer(first, true) });
    expect(ran).toEqual([{ amount: 500 }]);
    expect(modelSees(second, 'c1')).toEqual({ type: 'text', value: 'sent' });
    expect(approve).not.toHaveBeenCalled();
    expect(host.approvals.list()).toEqual([]);
  });

  it('A12: without toolApproval the tools ask by themselves', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)], permissions: { ask: ['transfer'] } });
    const first = await run({ tools: toAiSdkTools(host), turns: [call('c1', 'transfer', { amount: 1 })] });
    expect(first.parts.map(({ type }) => type)).toContain('tool-approval-request');
    expect(ran).toEqual([]);
  });

  it('A13: a rejected call does not run, and the model is told', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)] });
    const options = { tools: toAiSdkTools(host), ...gate(host) };
    const first = await run({ ...options, turns: [call('c1', 'transfer', { amount: 500 })] });
    const second = await run({ ...options, turns: [DONE], messages: answer(first, false, 'too much') });
    expect(ran).toEqual([]);
    expect(modelSees(second, 'c1')).toMatchObject({ type: 'execution-denied', reason: 'too much' });
  });

  it('A14: a rule that came after the approval still denies', async () => {
    const ran: unknown[] = [];
    let mode: 'default' | 'plan' = 'default';
    const host = createToolHost({ tools: [transferTool(ran)], permissionMode: () => mode });
    const tools = toAiSdkTools(host);
    const first = await run({ tools, turns: [call('c1', 'transfer', { amount: 500 })] });
    mode = 'plan';
    const second = await run({ tools, turns: [DONE], messages: answer(first, true) });
    expect(ran).toEqual([]);
    expect(JSON.stringify(modelSees(second, 'c1'))).toContain('denied');
  });

  it('A14: a denied call is a tool error of kind denied', async () => {
    const ran: unknown[] = [];
    const rule = { effect: 'deny' as const, tool: 'transfer', args: { amount: 13 }, reason: 'unlucky' };
    const host = createToolHost({ tools: [transferTool(ran)], permissions: [rule] });
    const outcome = await run({ tools: toAiSdkTools(host), turns: [call('c1', 'transfer', { amount: 13 }), DONE] });
    expect(toolErrorOf(outcome, 'c1')).toMatchObject({ kind: 'denied', reason: 'unlucky' });
    expect(ran).toEqual([]);
  });

  it('a hook cannot put other arguments in the place of those that were approved', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({
      tools: [transferTool(ran)],
      hooks: { preCall: () => ({ input: { amount: 999_999 } }) },
    });
    const tools = toAiSdkTools(host);
    const first = await run({ tools, turns: [call('c1', 'transfer', { amount: 500 })] });
    const second = await run({ tools, turns: [DONE], messages: answer(first, true) });
    expect(ran).toEqual([]);
    expect(JSON.stringify(modelSees(second, 'c1'))).toContain('changed the arguments');
  });

  it('an approval of one call is none of another', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)] });
    const tools = toAiSdkTools(host, {});
    const first = await run({ tools, turns: [call('c1', 'transfer', { amount: 500 })] });
    const messages = answer(first, true);
    const execute = (toolCallId: string, amount: number) =>
      Promise.resolve(tools.transfer?.execute({ amount }, { toolCallId, messages }));
    await expect(execute('c2', 500)).rejects.toMatchObject({ toolError: { kind: 'rejected' } });
    await expect(execute('c1', 501)).rejects.toMatchObject({ toolError: { kind: 'rejected' } });
    expect(ran).toEqual([]);
    await expect(execute('c1', 500)).resolves.toBe('sent');
  });

  it('an approval of one tool is none of another, whatever the arguments', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran), { ...transferTool(ran), name: 'withdraw' }] });
    const tools = toAiSdkTools(host);
    const first = await run({ tools, turns: [call('c1', 'transfer', { amount: 500 })] });
    const execute = tools.withdraw?.execute({ amount: 500 }, { toolCallId: 'c1', messages: answer(first, true) });
    await expect(execute).rejects.toMatchObject({ toolError: { kind: 'rejected' } });
    expect(ran).toEqual([]);
  });

  it('an approval runs one call: the same transcript again is refused, through whichever set of tools', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)] });
    const first = await run({ tools: toAiSdkTools(host), turns: [call('c1', 'transfer', { amount: 500 })] });
    const messages = answer(first, true);
    const again = () => run({ tools: toAiSdkTools(host), turns: [DONE], messages });
    expect(modelSees(await again(), 'c1')).toEqual({ type: 'text', value: 'sent' });
    expect(JSON.stringify(modelSees(await again(), 'c1'))).toContain('used before');
    expect(ran).toHaveLength(1);
    const restarted = createToolHost({ tools: [transferTool(ran)] });
    await run({ tools: toAiSdkTools(restarted), turns: [DONE], messages });
    expect(ran).toHaveLength(2);
  });

  it('an approval is none of a tool that took the place of the one it was asked about', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool()] });
    const tools = toAiSdkTools(host);
    const first = await run({ tools, turns: [call('c1', 'transfer', { amount: 500 })] });
    host.registry.register('transfer', transferTool(ran), { replace: true });
    const second = await run({ tools, turns: [DONE], messages: answer(first, true) });
    expect(JSON.stringify(modelSees(second, 'c1'))).toContain('tool changed');
    expect(ran).toEqual([]);
  });

  it('`names` renames tools, and an approval counts under the new name alone', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)] });
    const names = { transfer: 'send' };
    const options = {
      tools: toAiSdkTools(host, { names }),
      ...(version === 7 ? { toolApproval: toAiSdkToolApproval(host, { names }) } : {}),
    };
    const first = await run({ ...options, turns: [call('c1', 'send', { amount: 500 })] });
    expect(first.parts.map(({ type }) => type)).toContain('tool-approval-request');
    const messages = answer(first, true);
    const careless = toAiSdkTools(host).transfer?.execute({ amount: 500 }, { toolCallId: 'c1', messages });
    await expect(careless).rejects.toMatchObject({ toolError: { kind: 'rejected' } });
    await run({ ...options, turns: [DONE], messages });
    expect(ran).toEqual([{ amount: 500 }]);
  });

  it('the AI SDK’s own seal refuses a transcript whose call was edited', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran), { ...transferTool(ran), name: 'withdraw' }] });
    const options = {
      tools: toAiSdkTools(host),
      ...gate(host),
      experimental_toolApprovalSecret: 'a secret of the server',
    };
    const first = await run({ ...options, turns: [call('c1', 'transfer', { amount: 500 })] });
    const messages = answer(first, true);
    const edited = (from: string, to: string) => JSON.parse(JSON.stringify(messages).replace(from, to)) as unknown[];
    const tries = [edited('"toolName":"transfer"', '"toolName":"withdraw"'), edited('"amount":500', '"amount":900')];
    for (const transcript of tries) await run({ ...options, turns: [DONE], messages: transcript }).catch(() => {});
    expect(ran).toEqual([]);
    await run({ ...options, turns: [DONE], messages });
    expect(ran).toEqual([{ amount: 500 }]);
  });

  it('a call that needs approval and that nobody was asked about is rejected, not run', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)] });
    const { transfer } = toAiSdkTools(host);
    const careless = { transfer: { ...transfer, needsApproval: undefined } };
    const outcome = await run({ tools: careless, turns: [call('c1', 'transfer', { amount: 500 }), DONE] });
    expect(toolErrorOf(outcome, 'c1')).toMatchObject({ kind: 'rejected' });
    expect(ran).toEqual([]);
    expect(host.approvals.list()).toEqual([]);
  });

  it('with an `approve` of the export the run does not stop: it asks that function', async () => {
    const ran: unknown[] = [];
    const host = createToolHost({ tools: [transferTool(ran)] });
    const approve = vi.fn(() => ({ decision: 'approve' as const }));
    const tools = toAiSdkTools(host, { approve });
    const outcome = await run({ tools, turns: [call('c1', 'transfer', { amount: 500 }), DONE] });
    expect(approve).toHaveBeenCalledOnce();
    expect(resultOf(outcome, 'c1')?.output).toBe('sent');
  });

  it('with approve: host it asks the host’s own, and what that defers is rejected', async () => {
    const decisions: ('approve' | 'defer')[] = ['approve', 'defer'];
    const host = createToolHost({
      tools: [transferTool()],
      approve: () => ({ decision: decisions.shift() ?? 'defer' }),
    });
    const tools = toAiSdkTools(host, { approve: 'host' });
    const turns = [call('c1', 'transfer', { amount: 500 }), call('c2', 'transfer', { amount: 501 }), DONE];
    const outcome = await run({ tools, turns });
    expect(resultOf(outcome, 'c1')?.output).toBe('sent');
    expect(toolErrorOf(outcome, 'c2')).toMatchObject({ kind: 'rejected' });
    expect(host.approvals.list()).toEqual([]);
  });

  it('what was approved runs when a later mode asks nobody any more', async () => {
    const ran: unknown[] = [];
    const tools = [transferTool(ran)];
    const asking = createToolHost({ tools, permissions: { ask: ['transfer'] } });
    const first = await run({
      tools: toAiSdkTools(asking),
      ...gate(asking),
      turns: [call('c1', 'transfer', { amount: 1 })],
    });
    const open = createToolHost({ tools });
    const second = await run({
      tools: toAiSdkTools(open),
      ...gate(open),
      turns: [DONE],
      messages: answer(first, true),
    });
    expect(ran).toEqual([{ amount: 1 }]);
    expect(modelSees(second, 'c1')).toEqual({ type: 'text', value: 'sent' });
  });

  it.each(['transfer', { tool: 'transfer', args: { amount: 1 } }])(
    'what was approved is told as denied when %j is denied afterwards',
    async (rule) => {
      const ran: unknown[] = [];
      const onEvent = vi.fn();
      const tools = [transferTool(ran)];
      const asking = createToolHost({ tools, permissions: { ask: ['transfer'] } });
      const first = await run({
        tools: toAiSdkTools(asking),
        ...gate(asking),
        turns: [call('c1', 'transfer', { amount: 1 })],
      });
      const closed = createToolHost({ tools, permissions: { deny: [rule] }, onEvent });
      const set = toAiSdkTools(closed);
      const second = await run({ tools: set, ...gate(closed), turns: [DONE], messages: answer(first, true) });
      expect(JSON.stringify(modelSees(second, 'c1'))).toContain('Permission denied by');
      expect(second.listed.map(({ name }) => name)).toEqual(rule === 'transfer' ? [] : ['transfer']);
      expect(decisions(onEvent)).toEqual(['deny']);
      expect(ran).toEqual([]);
    },
  );

  it('each denied call is one decision in the audit log', async () => {
    const lines: string[] = [];
    const onEvent = createAuditLog({ records: 'decisions', write: (line) => lines.push(line) });
    const deny = [{ tool: 'transfer', args: { amount: 13 } }];
    const host = createToolHost({ tools: [transferTool()], permissions: { deny }, onEvent });
    const turns = [call('c1', 'transfer', { amount: 13 }), call('c2', 'transfer', { amount: 13 }), DONE];
    await run({ tools: toAiSdkTools(host), ...gate(host), turns });
    const records = lines.map((line) => JSON.parse(line));
    expect(records).toMatchObject(
      ['c1', 'c2'].map((toolCallId) => ({
        toolCallId,
        type: 'decision',
        decision: { effect: 'deny' },
        argsSha256: expect.any(String),
      })),
    );
    expect(records).toHaveLength(2);
  });

  it('a person’s rejection is recorded once, with the next call of a tool', async () => {
    const onEvent = vi.fn();
    const host = createToolHost({ tools: [transferTool()], onEvent });
    const options = { tools: toAiSdkTools(host), ...gate(host) };
    const first = await run({ ...options, turns: [call('c1', 'transfer', { amount: 500 })] });
    const turns = [call('c2', 'transfer', { amount: 1 }), call('c3', 'transfer', { amount: 2 }), DONE];
    await run({ ...options, turns, messages: answer(first, false, 'too much') });
    const decided = onEvent.mock.calls.map(([event]) => event).filter(({ type }) => type === 'approval.decided');
    expect(decided).toMatchObject([{ toolCallId: 'c1', toolName: 'transfer', decision: 'reject', note: 'too much' }]);
    expect(decisions(onEvent)).toEqual(['ask', 'allow', 'allow']);
  });

  it('a predicate that throws fails the call, which does not run', async () => {
    const tool = defineTool({
      name: 'broken',
      description: 'x',
      input: z.object({}),
      needsApproval: () => {
        throw new RangeError('broken predicate');
      },
      execute: () => 'ran',
    });
    const host = createToolHost({ tools: [tool] });
    const outcome = await run({ tools: toAiSdkTools(host), ...gate(host), turns: [call('c1', 'broken'), DONE] });
    expect(toolErrorOf(outcome, 'c1')).toMatchObject({ error: 'RangeError', kind: 'execution' });
  });
});

describe.each(V7)('toAiSdkToolApproval through $label', ({ run }) => {
  it('A13: a deny is execution-denied with the reason of the rule, and no approval lifts it', async () => {
    const ran: unknown[] = [];
    const rule = { effect: 'deny' as const, tool: 'transfer', args: { amount: 13 }, reason: 'unlucky' };
    const host = createToolHost({ tools: [transferTool(ran)], permissions: [rule] });
    const outcome = await run({
      tools: toAiSdkTools(host),
      toolApproval: toAiSdkToolApproval(host),
      turns: [call('c1', 'transfer', { amount: 13 }), DONE],
    });
    expect(modelSees(outcome, 'c1')).toMatchObject({ type: 'execution-denied', reason: 'unlucky' });
    expect(ran).toEqual([]);
  });
});

describe('events of an approval by the AI SDK', () => {
  it('tell that it was decided outside', async () => {
    const onEvent = vi.fn();
    const host = createToolHost({ tools: [transferTool()], onEvent });
    await host.call({ toolName: 'transfer', args: { amount: 500 } }, { approve: 'approved' });
    const types = onEvent.mock.calls.map(([{ type }]) => type);
    expect(types).toEqual([
      'call.started',
      'call.parsed',
      'decision',
      'approval.decided',
      'run.started',
      'call.finished',
    ]);
    expect(onEvent).toHaveBeenCalledWith(
      expect.objectContaining({
        type: 'approval.decided',
        decision: 'approve',
        note: expect.stringContaining('outside'),
      }),
    );
  });
});

describe('toAiSdkToolApproval', () => {
  const options = { toolCallId: 'c1', messages: [] };

  it('A13: says what the host decides, for every listed tool', async () => {
    const host = createToolHost({
      tools: [transferTool(), defineTool({ name: 'free', description: 'x', input: z.object({}), execute: () => 1 })],
      permissions: { deny: [{ tool: 'transfer', args: { amount: 13 } }] },
    });
    const approval = toAiSdkToolApproval(host);
    expect(Object.keys(approval)).toEqual(['transfer', 'free']);
    await expect(approval.free?.({}, options)).resolves.toBe('not-applicable');
    await expect(approval.transfer?.({ amount: 1 }, options)).resolves.toBe('not-applicable');
    await expect(approval.transfer?.({ amount: 1000 }, options)).resolves.toBe('user-approval');
    await expect(approval.transfer?.({ amount: 13 }, options)).resolves.toMatchObject({
      type: 'denied',
      reason: expect.stringContaining('transfer'),
    });
  });

  it('asks no person and runs nothing for invalid arguments: the call itself tells them', async () => {
    const approval = toAiSdkToolApproval(createToolHost({ tools: [transferTool()] }));
    await expect(approval.transfer?.({ amount: 'many' }, options)).resolves.toBe('not-applicable');
  });

  it('lets a PropagatingToolError through', async () => {
    const tool = defineTool({
      name: 'stops',
      description: 'x',
      input: z.object({}),
      needsApproval: () => {
        throw new PropagatingToolError('stop');
      },
      execute: () => 1,
    });
    const approval = toAiSdkToolApproval(createToolHost({ tools: [tool] }));
    await expect(approval.stops?.({}, options)).rejects.toThrow('stop');
  });

  it('no hook and no event tells of a review', async () => {
    const preCall = vi.fn();
    const onEvent = vi.fn();
    const host = createToolHost({ tools: [transferTool()], hooks: { preCall }, onEvent });
    await host.review({ toolName: 'transfer', args: { amount: 500 } });
    expect(preCall).not.toHaveBeenCalled();
    expect(onEvent).not.toHaveBeenCalled();
    await expect(host.review({ toolName: 'ghost', args: {} })).resolves.toBeUndefined();
  });
});

describe('recordAiSdkRejections', () => {
  const messages = (reason: string, isAutomatic = false) => [
    { role: 'user', content: 'Do it' },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c1', toolName: 'send', input: { amount: 500 } },
        { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1', isAutomatic },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a1', approved: false, reason }] },
  ];
  const decided = (onEvent: ReturnType<typeof vi.fn>) =>
    onEvent.mock.calls.map(([event]) => event).filter(({ type }) => type === 'approval.decided');

  it('tells of a rejection once, whether or not a call follows', async () => {
    const onEvent = vi.fn();
    const host = createToolHost({ tools: [transferTool()], onEvent });
    const names = { transfer: 'send' };
    await recordAiSdkRejections(host, messages('no'), { names });
    await recordAiSdkRejections(host, messages('no'), { names });
    await toAiSdkTools(host, { names }).send?.execute({ amount: 1 }, { toolCallId: 'c2', messages: messages('no') });
    expect(decided(onEvent)).toMatchObject([
      { toolCallId: 'c1', toolName: 'transfer', decision: 'reject', note: 'no' },
    ]);
  });

  it('leaves out what a program refused, what earlier turns answered, and tools of others', async () => {
    const onEvent = vi.fn();
    const host = createToolHost({ tools: [transferTool()], onEvent });
    const names = { transfer: 'send' };
    await recordAiSdkRejections(host, messages('no', true), { names });
    await recordAiSdkRejections(host, [...messages('no'), { role: 'user', content: 'Go on' }], { names });
    await recordAiSdkRejections(host, messages('no'));
    expect(onEvent).not.toHaveBeenCalled();
  });
});

describe('`names` of the AI SDK', () => {
  it('may not give two tools one name', () => {
    const free = defineTool({ name: 'free', description: 'x', input: z.object({}), execute: () => 1 });
    const host = createToolHost({ tools: [transferTool(), free] });
    const names = { transfer: 'free' };
    expect(() => toAiSdkTools(host, { names })).toThrow("two tools 'free'");
    expect(() => toAiSdkToolApproval(host, { names })).toThrow("two tools 'free'");
    expect(() => toAiSdkTools(host, { names: { transfer: '' } })).toThrow("'names' must be");
  });

  it('are the ones that a mended call is given', async () => {
    const repair = toAiSdkRepairToolCall(createToolHost({ tools: [transferTool()] }), { names: { transfer: 'send' } });
    const mended = (toolName: string) =>
      repair({ toolCall: { toolCallId: 'c1', toolName, input: '{}' }, error: { name: 'AI_NoSuchToolError' } });
    await expect(mended('Send')).resolves.toMatchObject({ toolName: 'send' });
    await expect(mended('transfer')).resolves.toBeNull();
  });
});
