import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolHost } from '../../../src/host/create-tool-host.js';
import type { ApprovalRequest } from '../../../src/host/types.js';
import { defineTool } from '../../../src/tool/define-tool.js';

const shell = defineTool({
  name: 'shell',
  description: 'd',
  input: z.object({ command: z.string() }),
  execute: ({ command }) => command,
});
const call = (command: string) => ({ toolName: 'shell', args: { command } });

describe('an approval', () => {
  it('proposes narrow rules, and keeps for the session those that were picked', async () => {
    const asked: ApprovalRequest[] = [];
    await using host = createToolHost({
      tools: shell,
      permissions: { default: 'ask', deny: ['shell(git push:*)'] },
      policyFiles: false,
      approve: (request) => {
        asked.push(request);
        return { decision: 'approve', always: ['shell(git status:*)', 'shell', 'shell(git:*)'] };
      },
    });
    await host.call(call('git status && ls'));
    expect(asked[0]?.proposals).toEqual(['shell(git status:*)', 'shell(ls:*)']);
    expect((await host.call(call('git status -s'))).decision?.effect).toBe('allow');
    await host.call(call('ls'));
    await host.call(call('git log'));
    expect(asked).toHaveLength(3);
    expect((await host.call(call('git push'))).decision?.effect).toBe('deny');
  });

  it('never lifts an ask rule that a person wrote', async () => {
    let asked = 0;
    await using host = createToolHost({
      tools: shell,
      permissions: { ask: ['shell(ls:*)'] },
      policyFiles: false,
      approve: ({ proposals }) => {
        asked += 1;
        expect(proposals).toEqual([]);
        return { decision: 'approve', always: ['shell(ls:*)'] };
      },
    });
    await host.call(call('ls'));
    await host.call(call('ls'));
    expect(asked).toBe(2);
  });

  it('expires', async () => {
    await using host = createToolHost({
      tools: shell,
      permissions: { ask: ['shell'] },
      policyFiles: false,
      approvalTtlMs: 1,
    });
    const outcome = await host.call(call('ls'));
    if (outcome.status !== 'awaiting-approval') throw new Error('The call did not wait');
    expect(Date.parse(outcome.approval.expiresAt) - Date.parse(outcome.approval.createdAt)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(host.approvals.list()).toEqual([]);
    await expect(host.approvals.resolve(outcome.approval.id, { decision: 'approve' })).rejects.toThrow('expired');
  });

  it('keeps for the session what its answer says, and only what was proposed', async () => {
    await using host = createToolHost({ tools: shell, permissions: { default: 'ask' }, policyFiles: false });
    const outcome = await host.call(call('ls a'));
    if (outcome.status !== 'awaiting-approval') throw new Error('The call did not wait');
    const always = [...outcome.approval.proposals, 'shell(rm:*)'];
    expect((await host.approvals.resolve(outcome.approval.id, { decision: 'approve', always })).status).toBe('ok');
    expect((await host.call(call('ls b'))).status).toBe('ok');
    expect((await host.call(call('rm b'))).status).toBe('awaiting-approval');
  });

  it('is plain data', async () => {
    await using host = createToolHost({ tools: shell, permissions: { ask: ['shell(ls:*)'] }, policyFiles: false });
    await host.call(call('cd x; ls'));
    const [request] = host.approvals.list();
    expect(JSON.parse(JSON.stringify(request))).toEqual(request);
    expect(request?.part).toEqual({ text: 'ls', span: [6, 8] });
  });
});
