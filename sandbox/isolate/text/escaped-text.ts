import { isUtf8 } from 'node:buffer';

/**
 * Text that can hold any bytes: what is valid UTF-8 is itself, every other byte B is the lone surrogate U+DC00 + B
 * (as in Python's `surrogateescape`). Decoding and encoding again gives the same bytes, always.
 */
export function decodeEscaped(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  let text = '';
  let validFrom = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += buffer.toString('utf8', validFrom, at) + String.fromCharCode(ESCAPE + (buffer[at] ?? 0));
    at += 1;
    validFrom = at;
  }
  return text + buffer.toString('utf8', validFrom);
}

export function encodeEscaped(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const pieces: Buffer[] = [];
  let from = 0;
  // With the `u` flag only lone surrogates match: the halves of a pair are one character.
  for (const { 0: escaped, index } of text.matchAll(/[\udc80-\udcff]+/gu)) {
    if (index > from) pieces.push(Buffer.from(text.slice(from, index), 'utf8'));
    // The low byte of U+DC00 + B is B.
    pieces.push(Buffer.from(escaped, 'latin1'));
    from = index + escaped.length;
  }
  pieces.push(Buffer.from(text.slice(from), 'utf8'));
  return Buffer.concat(pieces);
}

const ESCAPE = 0xdc00;

/** Bytes of the UTF-8 sequence that starts at `at`; 0 when none does (Unicode table 3-7). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let offset = 2; offset < length; offset += 1) {
    const next = bytes[at + offset] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return length;
}
