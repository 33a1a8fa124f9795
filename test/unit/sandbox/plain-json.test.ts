import { describe, expect, it } from 'vitest';
import { decodeJson, encodePlainJson } from '../../../src/sandbox/isolate/plain-json.js';

const refused = (value: unknown) => {
  const encoded = encodePlainJson(value);
  return encoded.ok ? 'accepted' : encoded.reason;
};

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe('encodePlainJson', () => {
  it('encodes plain data; undefined is null at the root and left out inside', () => {
    expect(encodePlainJson({ a: [1, 'x', null, true], b: undefined })).toEqual({
      ok: true,
      text: '{"a":[1,"x",null,true]}',
    });
    expect(encodePlainJson(undefined)).toEqual({ ok: true, text: 'null' });
  });

  it('refuses what encoding would change, and says what it is', () => {
    expect(refused(process.env)).toBe('it holds an object that is not a plain one');
    expect(refused({ when: new Date(0) })).toBe('it holds an object that is not a plain one');
    expect(refused([() => 1])).toBe('it holds a function');
    expect(refused(10n)).toBe('it holds a bigint');
    expect(refused({ n: Number.NaN })).toBe('it holds the number NaN');
    expect(refused(nested(101))).toBe('it is nested more than 100 levels deep');
    expect(refused('x'.repeat(1024 * 1024))).toBe('it is over 1 MiB of JSON');
  });

  it('refuses a cycle but not the same object twice', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(refused(cycle)).toBe('it refers to itself');
    const twice = { x: 1 };
    expect(encodePlainJson([twice, twice]).ok).toBe(true);
  });
});

describe('decodeJson', () => {
  it('keeps __proto__ an own key and pollutes nothing', () => {
    const decoded = decodeJson(Buffer.from('{"__proto__":{"polluted":1}}'));
    expect(Object.keys(decoded?.value as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('is undefined for what is not JSON', () => {
    expect(decodeJson(Buffer.from('{'))).toBeUndefined();
  });
});
