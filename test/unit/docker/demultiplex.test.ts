import { describe, expect, it } from 'vitest';
import { Demultiplexer } from '../../../src/sandbox/docker/agent/demultiplex.js';

const piece = (type: number, text: string) => {
  const header = Buffer.from([type, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
};

function collect() {
  const seen = { stdout: '', stderr: '' };
  const demultiplexer = new Demultiplexer((stream, data) => {
    seen[stream] += Buffer.from(data).toString();
  });
  return { seen, demultiplexer };
}

describe('Demultiplexer', () => {
  it('takes streams apart, wherever the bytes are cut', () => {
    const bytes = Buffer.concat([piece(1, 'out'), piece(2, 'err'), piece(1, ''), piece(1, ' more')]);
    for (let size = 1; size <= bytes.length; size += 1) {
      const { seen, demultiplexer } = collect();
      for (let at = 0; at < bytes.length; at += size) demultiplexer.push(bytes.subarray(at, at + size));
      expect(seen).toEqual({ stdout: 'out more', stderr: 'err' });
    }
  });

  it('takes no memory for a length that is only announced', () => {
    const { seen, demultiplexer } = collect();
    demultiplexer.push(Buffer.from('01000000ffffffff', 'hex'));
    demultiplexer.push(Buffer.from('part'));
    expect(seen.stdout).toBe('part');
  });

  it('refuses what is no header of an engine', () => {
    for (const header of ['0300000000000001', '0101000000000001', 'ffffffffffffffff']) {
      expect(() => collect().demultiplexer.push(Buffer.from(header, 'hex'))).toThrow(/format/);
    }
  });
});
