import { createHash } from 'node:crypto';

/** `length` bytes of every value, never the same block twice, made without randomness so that a failure repeats. */
export function patternBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 0x9e3779b9;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

/** Short and comparable: a framework's diff of 50 MiB helps nobody. */
export function digest(bytes: Uint8Array | null): string {
  return bytes === null ? 'nothing' : `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex')}`;
}

export function utf8(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function plain(bytes: Uint8Array | null | undefined): number[] | null {
  return bytes == null ? null : [...bytes];
}
