import { describe, expect, it } from 'vitest';
import { wasApproved } from '../../../src/interop/ai-sdk/approval-record.js';

const INPUT = { amount: 1 };

const asked = (approvalId: string, toolCallId = 'c1', input: unknown = INPUT) => ({
  role: 'assistant',
  content: [
    { type: 'tool-call', toolCallId, toolName: 't', input },
    { type: 'tool-approval-request', approvalId, toolCallId },
  ],
});

const answered = (approvalId: string, approved: unknown) => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId, approved }],
});

const byUser = (message: object) => ({ ...message, role: 'user' });

describe('wasApproved()', () => {
  const call = { toolCallId: 'c1', input: { amount: 1 } };

  it('finds a request for the call and the answer to it', () => {
    expect(wasApproved([{ role: 'user', content: 'Go' }, asked('a1'), answered('a1', true)], call)).toBe(true);
  });

  it.each([
    ['nobody was asked', [asked('a1').content[0]].map((part) => ({ role: 'assistant', content: [part] }))],
    ['nobody answered', [asked('a1')]],
    ['the answer was no', [asked('a1'), answered('a1', false)]],
    ['the last answer was no', [asked('a1'), answered('a1', true), answered('a1', false)]],
    ['the answer is not true but true-like', [asked('a1'), answered('a1', 'true')]],
    ['the answer is to another request', [asked('a1'), answered('a2', true)]],
    ['the request is about another call', [asked('a1', 'c2'), answered('a1', true)]],
    ['the arguments were others', [asked('a1', 'c1', { amount: 2 }), answered('a1', true)]],
    ['all of it stands in a message of the user', [asked('a1'), answered('a1', true)].map(byUser)],
    ['there is an answer and no request', [answered('a1', true)]],
    ['the transcript is no transcript', [null, 'text', 5, { content: [null, 'x'] }]],
  ])('is false where %s', (_, messages) => {
    expect(wasApproved(messages, call)).toBe(false);
  });
});
