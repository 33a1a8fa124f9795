import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../src/tool/arguments.js';

describe('readArguments()', () => {
  it.each(['', '  ', '\n'])('L34: the blank text %j is {}', (raw) => {
    expect(readArguments(raw)).toEqual({ ok: true, value: {} });
  });

  it('L34: no arguments at all are {}', () => {
    expect(readArguments(undefined)).toEqual({ ok: true, value: {} });
  });

  it.each([
    ['{"a":[1,null]}', { a: [1, null] }],
    ['null', null],
    ['"text"', 'text'],
    ['[]', []],
  ])('L34: the text %s is read as JSON', (raw, value) => {
    expect(readArguments(raw)).toEqual({ ok: true, value });
  });

  it('L34: values pass as they are', () => {
    const value = { a: '{"not":"parsed"}' };
    expect(readArguments(value)).toEqual({ ok: true, value });
    expect((readArguments(value) as { value: unknown }).value).toBe(value);
    expect(readArguments(null)).toEqual({ ok: true, value: null });
  });

  it.each(['{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":1}{"b":2}', '\ufeff{}', 'NaN'])(
    'L34: the text %j is an issue at (root), never {}',
    (raw) => {
      expect(readArguments(raw)).toEqual({
        ok: false,
        issues: [{ path: '(root)', message: expect.stringContaining('The arguments are not valid JSON') }],
      });
    },
  );

  it('L34: text over 16 Mi characters is refused before it is read', () => {
    const result = readArguments(`"${'x'.repeat(16 * 1024 * 1024)}"`);
    expect(result).toEqual({
      ok: false,
      issues: [{ path: '(root)', message: expect.stringContaining('at most 16777216') }],
    });
  });

  it('L34: a __proto__ member of the text pollutes nothing', () => {
    const result = readArguments('{"__proto__":{"admin":true}}') as { value: { admin?: boolean } };
    expect(Object.hasOwn(result.value, '__proto__')).toBe(true);
    expect(result.value.admin).toBeUndefined();
  });
});
