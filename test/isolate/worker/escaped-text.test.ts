import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeEscaped, encodeEscaped } from '../../../sandbox/isolate/text/escaped-text.js';

/** What Python's `surrogateescape` makes of bytes. */
const DECODED: [name: string, bytes: number[], text: string][] = [
  ['nothing', [], ''],
  ['ASCII and NUL', [0x61, 0, 0x62], 'a\0b'],
  ['sequences of two, three and four bytes', [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80], 'é€\u{1f600}'],
  [
    'the same beside a byte that is none',
    [0xff, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80],
    '\udcffé€\u{1f600}',
  ],
  ['a sequence that is cut off', [0xe2, 0x82], '\udce2\udc82'],
  ['a continuation alone', [0x61, 0x80, 0x62], 'a\udc80b'],
  ['an overlong form', [0xc0, 0xaf], '\udcc0\udcaf'],
  ['an encoded surrogate', [0xed, 0xb2, 0x80], '\udced\udcb2\udc80'],
  ['what is above Unicode', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
  [
    'the last character of each length',
    [0xff, 0xdf, 0xbf, 0xef, 0xbf, 0xbf, 0xf4, 0x8f, 0xbf, 0xbf],
    '\udcff\u07ff\uffff\u{10ffff}',
  ],
];

describe('text that can hold any bytes', () => {
  it.each(DECODED)('of %s', (_name, bytes, text) => {
    expect(decodeEscaped(Uint8Array.from(bytes))).toBe(text);
    expect([...encodeEscaped(text)]).toEqual(bytes);
  });

  it('gives back every byte, alone and beside every other', () => {
    const pairs = Buffer.alloc(2 * 256 * 256);
    for (let index = 0; index < 256 * 256; index += 1) pairs.writeUInt16BE(index, 2 * index);
    expect(encodeEscaped(decodeEscaped(pairs)).equals(pairs)).toBe(true);
  });

  it('gives back random bytes of any length', () => {
    for (const length of [1, 7, 63, 64 * 1024, 64 * 1024 + 1, 1024 * 1024]) {
      const bytes = randomBytes(length);
      expect(encodeEscaped(decodeEscaped(bytes)).equals(bytes)).toBe(true);
    }
  });

  it('gives back long text in which a pair lies wherever a piece may end', () => {
    for (const before of [65_533, 65_534, 65_535, 65_536]) {
      const bytes = Buffer.concat([Buffer.alloc(before, 'a'), Buffer.from('\u{1f600}é'), Buffer.from([0xff])]);
      expect(encodeEscaped(decodeEscaped(bytes)).equals(bytes)).toBe(true);
    }
  });

  it('makes a half of a pair that is no byte what UTF-8 makes of it', () => {
    expect(encodeEscaped('\ud800a\udc00')).toEqual(Buffer.from('\ufffda\ufffd'));
  });
});
