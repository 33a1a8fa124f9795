import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createAuditLog } from '../../../src/host/audit-log.js';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { HostEvent, ToolHostOptions } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';
import { errorOf } from './outcomes.js';

const TTL_MS = 20;
const DAY_MS = 24 * 60 * 60 * 1000;
const EXPIRED = { kind: 'rejected', code: 'permission_ask_timeout', retryable: true };
const call = { toolName: 'shell', args: { command: 'ls' } };

function waitingHost(options: ToolHostOptions = {}) {
  const execute = vi.fn(() => 'ran');
  const shell = defineTool({
    name: 'shell',
    description: 'd',
    input: z.object({ command: z.string() }),
    needsApproval: true,
    execute,
  });
  const events: HostEvent[] = [];
  const records: Record<string, unknown>[] = [];
  const audit = createAuditLog({ records: 'decisions', write: (line) => records.push(JSON.parse(line)) });
  const onEvent = (event: HostEvent) => {
    events.push(event);
    audit(event);
  };
  const host = createToolHost({ tools: shell, policyFiles: false, approvalTtlMs: TTL_MS, onEvent, ...options });
  return { host, execute, events, records };
}

/** Without a timer: nothing else gets a turn. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const approved = { decision: 'approve' as const, always: ['shell(ls:*)'] };

describe('an approve function', () => {
  it.each<[string, NonNullable<ToolHostOptions['approve']>]>([
    ['approves too late', async () => wait(TTL_MS * 3, approved)],
    ['approves too late and lets no timer run', () => block(TTL_MS * 2) ?? approved],
    ['defers too late', async () => wait(TTL_MS * 3, { decision: 'defer' })],
    ['fails too late', async () => wait(TTL_MS * 3).then(() => Promise.reject(new Error('late')))],
    ['never answers', () => new Promise(() => {})],
  ])('that %s has answered nothing: the call is refused as expired, and recorded so', async (_, approve) => {
    const { host, execute, records } = waitingHost({ approve });
    const outcome = await host.call(call);
    expect(errorOf(outcome)).toMatchObject(EXPIRED);
    await wait(TTL_MS * 4);
    expect(execute).not.toHaveBeenCalled();
    expect(host.approvals.list()).toEqual([]);
    expect(records).toMatchObject([
      { type: 'decision', decision: { effect: 'ask' } },
      {
        type: 'approval.decided',
        decision: 'reject',
        note: 'Nobody decided in time',
        approvalId: records[0]?.approvalId,
      },
    ]);
    expect((await host.review(call))?.effect).toBe('ask');
  });

  it.each([
    ['lives until the expiry of a call it awaits', 50, '', 'permission_ask_timeout'],
    ['ends at once when that call was aborted', DAY_MS, 'setTimeout(() => ending.abort(), 20);', 'aborted'],
    ['ends at once when its host was disposed', DAY_MS, 'setTimeout(() => host.dispose(), 20); left = true;', 'left'],
  ])('that never answers: a program %s', async (_, approvalTtlMs, meanwhile, code) => {
    const program = `
      import { createToolHost, defineTool, fromJsonSchema } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)};
      const input = fromJsonSchema({ type: 'object' });
      const tool = defineTool({ name: 't', description: 'd', input, needsApproval: true, execute: () => 1 });
      const approve = () => new Promise(() => {});
      const host = createToolHost({ tools: [tool], approve, approvalTtlMs: ${approvalTtlMs}, policyFiles: false });
      const ending = new AbortController();
      let left = false;
      ${meanwhile}
      const outcome = host.call({ toolName: 't', args: {} }, { signal: ending.signal });
      console.log(left ? 'left' : (await outcome).error.code);`;
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
    expect(stdout.trim()).toBe(code);
  });

  it('that answers an aborted call decides nothing and keeps nothing', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<typeof approved>();
    const { host, execute, records } = waitingHost({ approve: () => answer, approvalTtlMs: 60_000 });
    const controller = new AbortController();
    const outcome = host.call(call, { signal: controller.signal });
    await wait(5);
    controller.abort();
    expect(errorOf(await outcome).kind).toBe('not-run');
    resolve(approved);
    await wait(5);
    expect(execute).not.toHaveBeenCalled();
    expect(records.map(({ type }) => type)).toEqual(['decision']);
    expect((await host.review(call))?.effect).toBe('ask');
  });
});

describe('a deferred call', () => {
  it('that nobody decides ends as a rejected one, with a record and an event, by itself', async () => {
    const { host, events, records } = waitingHost();
    const outcome = await host.call(call);
    if (outcome.status !== 'awaiting-approval') throw new Error('The call did not wait');
    const { id, expiresAt, createdAt } = outcome.approval;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(TTL_MS);
    await vi.waitFor(() => expect(records).toHaveLength(2));
    expect(records[1]).toMatchObject({ type: 'approval.decided', decision: 'reject', approvalId: id });
    expect(records[1]?.argsSha256).toBe(records[0]?.argsSha256);
    const { kind, code } = EXPIRED;
    expect(events.at(-1)).toMatchObject({ type: 'call.finished', status: 'error', kind, code });
    expect(host.approvals.list()).toEqual([]);
    await expect(host.approvals.resolve(id, { decision: 'approve' })).rejects.toMatchObject({
      message: expect.stringContaining('it has expired'),
      code,
    });
    expect(records).toHaveLength(2);
  });

  it('expires at its own time, whatever else waits', async () => {
    const { host, records } = waitingHost();
    await host.call(call);
    await wait(TTL_MS / 2);
    const second = await host.call(call);
    if (second.status !== 'awaiting-approval') throw new Error('The call did not wait');
    await vi.waitFor(() => expect(records.filter(({ type }) => type === 'approval.decided')).toHaveLength(2));
    expect(records.at(-1)?.approvalId).toBe(second.approval.id);
  });

  it('cannot be decided in the moment between its expiry and the next timer', async () => {
    const { host, execute } = waitingHost();
    const outcome = await host.call(call);
    if (outcome.status !== 'awaiting-approval') throw new Error('The call did not wait');
    block(TTL_MS * 2);
    await expect(host.approvals.resolve(outcome.approval.id, { decision: 'approve' })).rejects.toThrow('expired');
    expect(execute).not.toHaveBeenCalled();
  });

  it('may wait for longer than a timer can', async () => {
    const { host } = waitingHost({ approvalTtlMs: 1e15 });
    await host.call(call);
    await wait(5);
    expect(host.approvals.list()).toHaveLength(1);
  });
});
