import { isUtf8 } from 'node:buffer';

/**
 * Text that can hold any bytes: what is valid UTF-8 is itself, every other byte B is the lone surrogate U+DC00 + B
 * (as in Python's `surrogateescape`). Decoding and encoding again gives the same bytes, always.
 */
export function decodeEscaped(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  // One unit for each byte at most. Joining pieces of text would cost a string for each byte of a picture.
  const units = new Uint16Array(buffer.length);
  let count = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    if (length < 2) {
      const byte = buffer[at] ?? 0;
      units[count++] = length === 1 ? byte : ESCAPE + byte;
      at += 1;
      continue;
    }
    const point = codePoint(buffer, at, length);
    at += length;
    if (point < 0x10000) {
      units[count++] = point;
      continue;
    }
    units[count++] = 0xd800 + ((point - 0x10000) >> 10);
    units[count++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
  }
  return Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
}

export function encodeEscaped(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const pieces: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE);
    if (to < text.length && isHigh(text.charCodeAt(to - 1))) to += 1;
    const piece = text.slice(from, to);
    pieces.push(piece.isWellFormed() ? Buffer.from(piece, 'utf8') : encodeUnits(piece));
    from = to;
  }
  return Buffer.concat(pieces);
}

/** Units that are encoded at a time: room for all of them at three bytes each would be too much. */
const PIECE = 64 * 1024;

const ESCAPE = 0xdc00;

/** A piece may be one unit longer, and each unit three bytes. */
const scratch = Buffer.allocUnsafeSlow((PIECE + 1) * 3);

function encodeUnits(text: string): Buffer {
  const bytes = scratch;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      bytes[count++] = unit;
    } else if (unit < 0x800) {
      bytes[count++] = 0xc0 | (unit >> 6);
      bytes[count++] = 0x80 | (unit & 0x3f);
    } else if (unit >= ESCAPE + 0x80 && unit <= ESCAPE + 0xff) {
      bytes[count++] = unit - ESCAPE;
    } else {
      const pair = isHigh(unit) && isLow(text.charCodeAt(at + 1));
      count += bytes.write(pair ? text.slice(at, at + 2) : text.charAt(at), count, 'utf8');
      if (pair) at += 1;
    }
  }
  return Buffer.from(bytes.subarray(0, count));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Of a valid sequence of two bytes or more. */
function codePoint(bytes: Uint8Array, at: number, length: number): number {
  let point = (bytes[at] ?? 0) & (0x7f >> length);
  for (let offset = 1; offset < length; offset += 1) point = (point << 6) | ((bytes[at + offset] ?? 0) & 0x3f);
  return point;
}

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
