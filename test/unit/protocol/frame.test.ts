import { describe, expect, it } from 'vitest';
import { encodeFrame, type Frame, FrameDecoder, FrameError, MAX_BODY_BYTES } from '../../../sandbox/protocol/frame.js';

const bytes = (header: object, body?: Uint8Array) => Buffer.concat(encodeFrame(header, body));

function decode(...chunks: Uint8Array[]): Frame[] {
  const decoder = new FrameDecoder();
  return chunks.flatMap((chunk) => [...decoder.push(chunk)]);
}

describe('FrameDecoder', () => {
  it('gives back what encodeFrame was given', () => {
    const body = Uint8Array.of(0, 255, 10, 13);
    expect(decode(bytes({ type: 'x', n: 1 }, body))).toEqual([
      { header: { type: 'x', n: 1 }, body: Buffer.from(body) },
    ]);
  });

  it('does not care how the stream is cut', () => {
    const stream = Buffer.concat([
      bytes({ a: 1 }, Buffer.from('one')),
      bytes({ b: 2 }),
      bytes({ c: 'é'.repeat(99) }, Buffer.alloc(5000, 7)),
    ]);
    const whole = decode(stream);
    for (const size of [1, 2, 3, 7, 8, 9, 64, 1000]) {
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
        stream.subarray(i * size, (i + 1) * size),
      );
      expect(decode(...pieces)).toEqual(whole);
    }
  });

  it('gives several frames from one chunk, in order', () => {
    const frames = decode(Buffer.concat([1, 2, 3].map((n) => bytes({ n }))));
    expect(frames.map((frame) => frame.header)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('refuses a length over its cap before any of it arrives', () => {
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(2, 0);
    prefix.writeUInt32BE(MAX_BODY_BYTES + 1, 4);
    expect(() => decode(prefix)).toThrow(FrameError);
  });

  it('refuses a header that is not JSON', () => {
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(3, 0);
    expect(() => decode(Buffer.concat([prefix, Buffer.from('{{{')]))).toThrow('A frame header is not JSON');
  });

  it('either decodes or refuses random bytes, and holds no more than it was given', () => {
    let seed = 42;
    const random = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const decoder = new FrameDecoder();
      try {
        for (let chunk = 0; chunk < 5; chunk += 1) {
          const noise = Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256));
          for (const frame of decoder.push(noise)) expect(frame.body.length).toBeLessThan(200);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(FrameError);
      }
    }
  });
});

describe('encodeFrame', () => {
  it('refuses a header over 4 MiB', () => {
    expect(() => encodeFrame({ text: 'x'.repeat(4 * 1024 * 1024) })).toThrow('its header is over 4 MiB');
  });

  it('refuses a body over 80 MiB', () => {
    expect(() => encodeFrame({}, new Uint8Array(MAX_BODY_BYTES + 1))).toThrow('its body is over 80 MiB');
  });
});
