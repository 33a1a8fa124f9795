import { readSync, writeSync } from 'node:fs';
import { Refusal } from './refusal.js';

const CHUNK = 1024 * 1024;

/**
 * Reads an open file to its end, whatever size it claimed: files grow, and some (`/proc`) claim 0.
 * @throws `Refusal` `file_too_large`
 */
export function readToEnd(fd: number, claimedSize: number, maxBytes: number): Uint8Array {
  if (claimedSize > maxBytes) throw tooLarge(claimedSize, maxBytes);
  // One byte more than claimed, so that a single read also shows the end. Not from Node's pool: the memory is handed on.
  let buffer = Buffer.allocUnsafeSlow(claimedSize + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    length += count;
    if (length > maxBytes) throw tooLarge(length, maxBytes);
    if (count === 0 || (length === claimedSize && claimedSize > 0)) return buffer.subarray(0, length);
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes + 1, buffer.length * 2 + CHUNK / 16));
      buffer.copy(larger);
      buffer = larger;
    }
  }
}

/** Fewer than `length` bytes only where the file has no more. */
export function readAt(fd: number, position: number, length: number): Uint8Array {
  const buffer = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, buffer, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

export function writeAll(fd: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(fd, data, done, data.length - done);
}

/** Whether it is large and all zeros. */
export function isHole(data: Uint8Array): boolean {
  if (data.length < CHUNK || data[0] !== 0) return false;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  // All are the same as their neighbour, and the first is zero.
  return bytes.compare(bytes, 0, bytes.length - 1, 1, bytes.length) === 0;
}

/** Copies from the start of `from` to where `to` stands. @returns bytes copied */
export function copyBytes(from: number, to: number): number {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let position = 0;
  for (;;) {
    const count = readSync(from, chunk, 0, chunk.length, position);
    if (count === 0) return position;
    writeAll(to, chunk.subarray(0, count));
    position += count;
  }
}

function tooLarge(size: number, maxBytes: number): Refusal {
  return new Refusal(
    'file_too_large',
    `it has ${size} bytes or more, at most ${maxBytes} are read; read a part of it instead`,
  );
}
