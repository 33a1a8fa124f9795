import { describe, expect, it } from 'vitest';
import { readApprovalVerdict } from '../../../src/tool/approval.js';

describe('readApprovalVerdict()', () => {
  it.each([
    [true, { effect: 'ask' }],
    [false, { effect: 'approve' }],
    [undefined, { effect: 'approve' }],
    ['ask', { effect: 'ask' }],
    ['approve', { effect: 'approve' }],
    ['deny', { effect: 'deny' }],
    [{ deny: 'Not today' }, { effect: 'deny', reason: 'Not today' }],
    [{ deny: true }, { effect: 'deny' }],
    [{ deny: '' }, { effect: 'deny', reason: '' }],
  ])('L14, L15: %j is %j', (verdict, read) => {
    expect(readApprovalVerdict(verdict)).toEqual(read);
  });

  it.each(['maybe', {}, 1, []])('L14: %j is no verdict and counts by its truth', (verdict) => {
    expect(readApprovalVerdict(verdict)).toEqual({ effect: 'ask' });
  });
});
