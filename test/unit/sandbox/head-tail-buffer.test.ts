import { describe, expect, it } from 'vitest';
import { HeadTailBuffer } from '../../../src/sandbox/head-tail-buffer.js';

function keep(budget: number, ...chunks: string[]): { text: string; dropped: number } {
  const buffer = new HeadTailBuffer(budget);
  for (const chunk of chunks) buffer.push(Buffer.from(chunk));
  return { text: Buffer.from(buffer.bytes()).toString(), dropped: buffer.droppedBytes };
}

describe('HeadTailBuffer', () => {
  it('keeps everything that fits', () => {
    expect(keep(6, 'abc', 'def')).toEqual({ text: 'abcdef', dropped: 0 });
  });

  it('keeps the first and the last half of what does not, and counts the rest', () => {
    expect(keep(4, 'abcdefgh')).toEqual({ text: 'abgh', dropped: 4 });
  });

  it('comes to the same however the stream is cut', () => {
    const text = 'The quick brown fox jumps over the lazy dog';
    const whole = keep(11, text);
    for (const size of [1, 2, 3, 5, 20]) {
      const chunks = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
      expect(keep(11, ...chunks)).toEqual(whole);
    }
  });

  it('does not keep the memory of chunks it was given', () => {
    const buffer = new HeadTailBuffer(8);
    const chunk = Buffer.from('abcd');
    buffer.push(chunk);
    chunk.fill(0);
    expect(Buffer.from(buffer.bytes()).toString()).toBe('abcd');
  });
});
