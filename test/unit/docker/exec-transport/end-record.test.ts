import { describe, expect, it } from 'vitest';
import { EndRecord } from '../../../../src/sandbox/docker/exec-transport/end-record.js';

const TOKEN = 'ab'.repeat(16);

function readAll(pieces: readonly string[]) {
  const seen = { output: '', words: [] as string[] };
  const record = new EndRecord(TOKEN, {
    pass: (chunk) => {
      seen.output += Buffer.from(chunk).toString();
    },
    found: (word) => seen.words.push(word),
  });
  for (const piece of pieces) record.push(Buffer.from(piece));
  record.flush();
  return seen;
}

describe('the record of an end', () => {
  const stream = `out${TOKEN} 7\nlater`;

  it('is found however the stream is cut, and everything else is passed on', () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      expect(readAll([stream.slice(0, cut), stream.slice(cut)])).toEqual({ output: 'outlater', words: ['7'] });
    }
    expect(readAll([...stream])).toEqual({ output: 'outlater', words: ['7'] });
  });

  it('is not what merely begins like it', () => {
    const text = `${TOKEN.slice(0, 20)} 0\n${TOKEN}0\n${TOKEN.slice(1)} 0\n`;
    expect(readAll([...text])).toEqual({ output: text, words: [] });
  });
});
