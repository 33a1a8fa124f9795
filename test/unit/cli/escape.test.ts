import { describe, expect, it } from 'vitest';
import { escapeTerminal, safeJson } from '../../../src/cli/terminal/escape.js';
import { createEscapingStream } from '../../../src/cli/terminal/escaping-stream.js';

describe('escapeTerminal()', () => {
  it.each([
    ['plain text\tand\nlines', 'plain text\tand\nlines'],
    ['naïve – 日本語 🙂', 'naïve – 日本語 🙂'],
    ['\u001b[31mred', '\\x1b[31mred'],
    ['\u001b]52;c;aGk=\u0007', '\\x1b]52;c;aGk=\\a'],
    ['\u009b31m', '\\x9b31m'],
    ['fine\r\n', 'fine\n'],
    ['real\roverprinted', 'real\\roverprinted'],
    ['a\bb\u007f', 'a\\x08b\\x7f'],
    ['\u202egnp.exe', '\\u{202e}gnp.exe'],
    ['\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['pass\u200bword', 'pass\\u{200b}word'],
    ['a\u00adb\ufeff', 'a\\xadb\\u{feff}'],
    ['\u{e0041}hidden', '\\u{e0041}hidden'],
    ['\ud800', '\\u{d800}'],
    ['\0', '\\x00'],
  ])('shows %j as %j', (text, shown) => {
    expect(escapeTerminal(text)).toBe(shown);
  });
});

describe('safeJson()', () => {
  it('holds no raw control or bidirectional character and parses to the same value', () => {
    const value = { text: '\u001b[2J\u202e\u009b\u{e0041}\ud800\r\n\u2028', list: ['\u200b'] };
    const json = safeJson(value);
    expect(json).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});

describe('createEscapingStream()', () => {
  it('puts characters together that a chunk cut in two', () => {
    const stream = createEscapingStream();
    const bytes = new TextEncoder().encode('é🙂');
    const shown = [...bytes].map((byte) => stream.push(Uint8Array.of(byte))).join('');
    expect(shown + stream.end()).toBe('é🙂');
  });

  it('knows a line end that a chunk cut in two', () => {
    const stream = createEscapingStream();
    const push = (text: string) => stream.push(new TextEncoder().encode(text));
    expect(push('a\r') + push('\nb\r') + push('c\r') + stream.end()).toBe('a\nb\\rc\\r');
  });

  it('shows bytes that are no text as replacement characters', () => {
    const stream = createEscapingStream();
    expect(stream.push(Uint8Array.of(0xff, 0x41)) + stream.end()).toBe('\ufffdA');
  });
});
