import { describe, expect, it } from 'vitest';
import { ERROR_CODES, isErrorCode, isRetryable } from '../../../sandbox/protocol/error-code.js';

describe('error codes', () => {
  it('are snake_case', () => {
    expect(Object.keys(ERROR_CODES).filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  });

  it('are recognised, and names of Object.prototype are not', () => {
    expect(isErrorCode('timeout')).toBe(true);
    for (const name of ['toString', '__proto__', 'TIMEOUT', '', undefined, 1]) expect(isErrorCode(name)).toBe(false);
  });

  it('say whether trying again may help', () => {
    expect(isRetryable('sandbox_crashed')).toBe(true);
    expect(isRetryable('path_escape')).toBe(false);
  });
});
