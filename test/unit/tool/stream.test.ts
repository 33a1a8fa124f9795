import { describe, expect, it } from 'vitest';
import { isToolStream } from '../../../src/tool/stream.js';

async function* snapshots() {
  yield 1;
}

describe('isToolStream()', () => {
  it('L70: what an async function* returns is a stream', () => {
    expect(isToolStream(snapshots())).toBe(true);
  });

  it('L70: a hand-written async iterator is a stream', () => {
    const iterator = { next: async () => ({ done: true, value: undefined }), [Symbol.asyncIterator]: () => iterator };
    expect(isToolStream(iterator)).toBe(true);
  });

  it.each([
    ['a ReadableStream', new ReadableStream()],
    ['a synchronous generator', [1].values()],
    ['an iterator that cannot be iterated', { next: () => 1 }],
    ['an iterable without next', { [Symbol.asyncIterator]: snapshots }],
    ['a promise of a stream', Promise.resolve(snapshots())],
    ['the generator function itself', snapshots],
    ['null', null],
    ['a string', 'text'],
    [
      'a proxy whose traps throw',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('Trap');
          },
        },
      ),
    ],
  ])('L71: %s is a plain value', (_what, value) => {
    expect(isToolStream(value)).toBe(false);
  });
});
