import { describe, expect, it } from 'vitest';
import { toJsonSafe } from '../../../src/tool/json-safe.js';
import { ToolOutputSerializationError } from '../../../src/tool/output-error.js';

describe('what JSON holds', () => {
  it.each([null, true, 'text', 7, 1.5, [], {}, [1, [2]], { a: { b: [null, 'c'] } }, '', '\ud800'])(
    'L54: %j stays as it is',
    (value) => {
      expect(toJsonSafe(value)).toStrictEqual(value);
    },
  );

  it.each([undefined, () => 1, Symbol('s'), Number.NaN, Number.POSITIVE_INFINITY])('L54: %o is null', (value) => {
    expect(toJsonSafe(value)).toBe(null);
  });

  it('L54: what JSON leaves out of objects is left out, and null in lists', () => {
    expect(toJsonSafe({ a: undefined, b: () => 1, c: Symbol('s'), d: 1 })).toStrictEqual({ d: 1 });
    expect(toJsonSafe([undefined, () => 1, Symbol('s')])).toStrictEqual([null, null, null]);
  });

  it.each([
    [
      {
        at: new Date(0),
        url: new URL('https://example.com/'),
        bad: Number.NaN,
        zero: -0,
        sparse: Object.assign([], { 2: 3 }),
      },
    ],
    [{ toJSON: (key: string) => `at ${key}` }],
    [{ inner: { toJSON: () => ({ deep: [1, undefined] }) } }],
    [[new Number(1), new String('s'), new Boolean(false)]],
    [
      new (class Point {
        x = 1;
        #y = 2;
        get z() {
          return this.#y;
        }
      })(),
    ],
    [Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } })],
  ])('L54: agrees with JSON.stringify (%#)', (value) => {
    expect(toJsonSafe(value)).toStrictEqual(JSON.parse(JSON.stringify(value)));
  });

  it('L54: agrees with JSON.stringify on 2,000 random values', () => {
    const random = seeded(54);
    for (let round = 0; round < 2000; round += 1) {
      const value = randomValue(random, 4);
      // As text: `toStrictEqual` compares the member called `constructor` as if it were the type.
      expect(JSON.stringify([toJsonSafe(value)])).toBe(JSON.stringify([value]));
    }
  });

  it('L54: is a copy', () => {
    const value = { list: [1] };
    const copy = toJsonSafe(value) as { list: number[] };
    value.list.push(2);
    expect(copy).toEqual({ list: [1] });
  });

  it('L54: a value that appears twice is written twice', () => {
    const shared = { a: 1 };
    expect(toJsonSafe({ x: shared, y: [shared, shared] })).toEqual({ x: { a: 1 }, y: [{ a: 1 }, { a: 1 }] });
  });
});

describe('what JSON would lose', () => {
  it.each([
    ['Uint8Array', new Uint8Array([1, 2, 255])],
    ['Buffer', Buffer.from([1, 2, 255])],
    ['ArrayBuffer', new Uint8Array([1, 2, 255]).buffer],
    ['DataView', new DataView(new Uint8Array([0, 1, 2, 255, 0]).buffer, 1, 3)],
    ['a part of a buffer', new Uint8Array([0, 1, 2, 255, 0]).subarray(1, 4)],
  ])('L54: the bytes of a %s are base64', (_what, bytes) => {
    expect(toJsonSafe({ bytes })).toStrictEqual({ bytes: { encoding: 'base64', data: 'AQL/' } });
  });

  it('L54: other collections are lists and objects', () => {
    expect(toJsonSafe(new Float32Array([1, 0.5]))).toStrictEqual([1, 0.5]);
    expect(toJsonSafe(new Set(['a', { b: 1 }]))).toStrictEqual(['a', { b: 1 }]);
    expect(toJsonSafe(new Map([['a', 1]]))).toStrictEqual({ a: 1 });
    expect(toJsonSafe(new Map([[1, 'a']]))).toStrictEqual([[1, 'a']]);
    expect(toJsonSafe(/a+/g)).toBe('/a+/g');
  });

  it('L54: an error is its name and message, without the stack', () => {
    expect(toJsonSafe({ failed: new RangeError('Too big', { cause: 'x' }) })).toStrictEqual({
      failed: { name: 'RangeError', message: 'Too big' },
    });
  });
});

describe('hostile values', () => {
  it('L54: an own __proto__ member stays an inert own member', () => {
    const copy = toJsonSafe(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}')) as object;
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect((copy as { admin?: boolean }).admin).toBeUndefined();
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}');
    expect(toJsonSafe(new Map([['__proto__', { admin: true }]]))).not.toHaveProperty('admin');
  });

  it.each([
    ['a cycle', cycle(), /'a\.list\.0' refers back/],
    ['a BigInt', { a: [1n] }, /'a\.0' is a BigInt/],
    ['a boxed BigInt', Object(1n), /the value is a BigInt/],
    [
      'a throwing getter',
      { a: Object.defineProperty({}, 'b', { get: boom, enumerable: true }) },
      /'a' throws when it is read/,
    ],
    ['a throwing toJSON', [{ toJSON: boom }], /'0' throws when it is read/],
    ['a revoked proxy', { a: revokedProxy() }, /'a' throws when it is read/],
    ['a throwing proxy', new Proxy({}, { ownKeys: boom }), /the value throws when it is read/],
    ['201 levels', nested(201), /deeper than 200 levels/],
    ['100,000 levels', nested(100_000), /deeper than 200 levels/],
    ['an endless toJSON', endless(), /deeper than 200 levels/],
    [
      'more than 32 MiB of text',
      ['x'.repeat(17 * 1024 * 1024), 'x'.repeat(17 * 1024 * 1024)],
      /'1' makes the output larger than 32 MiB/,
    ],
    ['too many bytes', new Uint8Array(26 * 1024 * 1024), /larger than 32 MiB/],
    ['a list of four billion holes', new Array(2 ** 32 - 1), /larger than 32 MiB/],
    ['a small value that shares itself into a huge one', doubling(40), /larger than 32 MiB/],
  ])('L54: %s is a ToolOutputSerializationError', (_what, value, message) => {
    const error = thrownBy(() => toJsonSafe(value));
    expect(error).toBeInstanceOf(ToolOutputSerializationError);
    expect(error).toMatchObject({ name: 'ToolOutputSerializationError', message: expect.stringMatching(message) });
  });

  it('L54: 200 levels pass', () => {
    expect(toJsonSafe(nested(200))).toEqual(nested(200));
  });
});

/** Mulberry32: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LEAVES = [null, true, 0, -0, 1.5, Number.NaN, '', 'text', '\ud800', undefined, new Date(7), () => 1, Symbol('s')];
const KEYS = ['a', 'b', '0', '', 'toString', 'constructor', 'toJSON_', '💥'];

function randomValue(random: () => number, depth: number): unknown {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
  if (depth === 0 || random() < 0.3) return pick(LEAVES);
  const members = Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth - 1));
  return random() < 0.5 ? members : Object.fromEntries(members.map((member) => [pick(KEYS), member]));
}

function boom(): never {
  throw new Error('Trap');
}

function cycle(): unknown {
  const a: { list: unknown[] } = { list: [] };
  a.list.push(a);
  return { a };
}

function nested(levels: number): unknown {
  let value: unknown[] = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

function endless(): unknown {
  return { toJSON: () => endless() };
}

function doubling(times: number): unknown {
  let value: unknown = ['leaf'];
  for (let time = 0; time < times; time += 1) value = [value, value];
  return value;
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
