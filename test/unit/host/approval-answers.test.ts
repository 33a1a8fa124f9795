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
        return { decision: 'approve', always: request.proposals.filter((rule) => rule.includes('git')) };
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
        return { decision: 'approve', always: proposals };
      },
    });
    await host.call(call('ls'));
    await host.call(call('ls'));
    expect(asked).toBe(2);
  });

  it.each([
    ['a rule that was not proposed', ['*'], "not '*'"],
    ['one beside those that were', ['shell(ls:*)', 'shell'], "not 'shell'"],
    ['no list', 'shell(ls:*)', 'an array'],
    ['an item that only reads like a proposal', [{ toString: (): string => 'shell(ls:*)' }], 'not an object'],
  ])('with %s to keep runs nothing and keeps nothing', async (_, always, problem) => {
    let asked = 0;
    await using host = createToolHost({
      tools: shell,
      permissions: { default: 'ask' },
      policyFiles: false,
      approve: () => {
        asked += 1;
        return { decision: 'approve', always: always as string[] };
      },
    });
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await host.call(call('ls'))).toMatchObject({
        status: 'error',
        error: { kind: 'execution', message: expect.stringContaining(problem) },
      });
    }
    expect(asked).toBe(2);
  });

  it('may not be used up by rules that were not proposed', async () => {
    await using host = createToolHost({ tools: shell, permissions: { default: 'ask' }, policyFiles: false });
    const outcome = await host.call(call('ls'));
    if (outcome.status !== 'awaiting-approval') throw new Error('The call did not wait');
    const { id } = outcome.approval;
    for (const decision of ['approve', 'reject'] as const)
      await expect(host.approvals.resolve(id, { decision, always: ['*'] })).rejects.toThrow(TypeError);
    expect((await host.approvals.resolve(id, { decision: 'approve' })).status).toBe('ok');
  });

  it('keeps rules for the session of its call, and for no other', async () => {
    await using host = createToolHost({ tools: shell, permissions: { default: 'ask' }, policyFiles: false });
    const approve = ({ proposals }: ApprovalRequest) => ({ decision: 'approve' as const, always: proposals });
    await host.call(call('ls'), { sessionId: 'one', approve });
    expect((await host.call(call('ls a'), { sessionId: 'one' })).status).toBe('ok');
    expect((await host.call(call('ls a'), { sessionId: 'two' })).status).toBe('awaiting-approval');
    expect((await host.call(call('ls a'))).status).toBe('awaiting-approval');
    await host.call(call('cat a'), { approve });
    expect((await host.call(call('cat b'))).status).toBe('ok');
    expect((await host.call(call('cat b'), { sessionId: 'one' })).status).toBe('awaiting-approval');
    expect((await host.call(call('ls b'), { sessionId: 'one' })).status).toBe('ok');
  });

  it('keeps for the session what its answer says', async () => {
    await using host = createToolHost({ tools: shell, permissions: { default: 'ask' }, policyFiles: false });
    const outcome = await host.call(call('ls a'));
    if (outcome.status !== 'awaiting-approval') throw new Error('The call did not wait');
    const always = outcome.approval.proposals;
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
