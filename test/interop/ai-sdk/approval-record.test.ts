import { describe, expect, it } from 'vitest';
import { approvalOfRecord } from '../../../src/interop/ai-sdk/approval-record.js';

const INPUT = { amount: 1 };

const made = (toolCallId: string, input: unknown = INPUT, toolName = 't') => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId, toolName, input }],
});

const asked = (approvalId?: string, toolCallId = 'c1', input: unknown = INPUT, toolName = 't') => ({
  role: 'assistant',
  content: [
    { type: 'tool-call', toolCallId, toolName, input },
    { type: 'tool-approval-request', approvalId, toolCallId },
  ],
});

const answered = (approvalId: string | undefined, approved: unknown) => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId, approved }],
});

const byUser = (message: object) => ({ ...message, role: 'user' });

const result = (toolCallId: string) => ({ role: 'tool', content: [{ type: 'tool-result', toolCallId }] });

describe('approvalOfRecord()', () => {
  const call = { toolCallId: 'c1', key: 't', input: { amount: 1 } };

  it('finds a request for the call and the answer to it', () => {
    expect(approvalOfRecord([{ role: 'user', content: 'Go' }, asked('a1'), answered('a1', true)], call)).toBe('a1');
    expect(approvalOfRecord([asked('a1'), answered('a1', false), answered('a1', true)], call)).toBe('a1');
    expect(approvalOfRecord([asked('a1'), result('c0'), answered('a1', true), result('c2')], call)).toBe('a1');
  });

  it.each([
    ['nobody was asked', [asked('a1').content[0]].map((part) => ({ role: 'assistant', content: [part] }))],
    ['nobody answered', [asked('a1')]],
    ['the answer was no', [asked('a1'), answered('a1', false)]],
    ['the last answer was no', [asked('a1'), answered('a1', true), answered('a1', false)]],
    ['the answer is not true but true-like', [asked('a1'), answered('a1', 'true')]],
    ['the answer is to another request', [asked('a1'), answered('a2', true)]],
    ['the answer came before the request', [answered('a1', true), asked('a1')]],
    ['the request is about another call', [asked('a1', 'c2'), answered('a1', true)]],
    ['the arguments were others', [asked('a1', 'c1', { amount: 2 }), answered('a1', true)]],
    ['the tool was another', [asked('a1', 'c1', INPUT, 'other'), answered('a1', true)]],
    ['the call has run', [asked('a1'), answered('a1', true), result('c1')]],
    ['a later call under the same id was asked about anew', [asked('a1'), answered('a1', true), asked('a2')]],
    ['a later call under the same id was not asked about', [asked('a1'), answered('a1', true), made('c1')]],
    ['an answer comes again after a later call', [asked('a1'), made('c1'), answered('a1', true)]],
    ['all of it stands in a message of the user', [asked('a1'), answered('a1', true)].map(byUser)],
    ['there is an answer and no request', [answered('a1', true)]],
    ['answer and request have no id', [asked(undefined), answered(undefined, true)]],
    ['the transcript is no transcript', [null, 'text', 5, { content: [null, 'x'] }]],
  ])('finds none where %s', (_, messages) => {
    expect(approvalOfRecord(messages, call)).toBeUndefined();
  });
});
