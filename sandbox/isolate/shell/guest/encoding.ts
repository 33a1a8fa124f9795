import { host } from './connection.js';

/** Latin1 bytes to text; what is not UTF-8 becomes byte escapes (see `text/escaped-text.ts`), so nothing is lost. */
export function bytesToText(bytes: string): string {
  return isAscii(bytes) ? bytes : host().decode(bytes);
}

export function textToBytes(text: string): string {
  return isAscii(text) ? text : host().encode(text);
}

/** A loop over so many characters takes as long as asking the worker. */
const LOOP_CHARACTERS = 512;

let measured = { text: '', bytes: 0 };

/**
 * Bytes of a text's UTF-8. The interpreter asks several times for each piece of output, at every level of nesting, and
 * loops over megabytes are slow here: V8 cannot keep one fast for all the ways in which it stores strings.
 */
export function byteLength(text: string): number {
  if (text.length <= LOOP_CHARACTERS) return countBytes(text);
  if (text !== measured.text) measured = { text, bytes: host().byteLength(text) };
  return measured.bytes;
}

/** Lets go of the text that was measured last. */
export function forgetMeasured(): void {
  measured = { text: '', bytes: 0 };
}

export function latin1ToArray(bytes: string): Uint8Array {
  const array = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) array[index] = bytes.charCodeAt(index);
  return array;
}

/** `String.fromCharCode` takes about this many arguments safely. */
const PIECE = 8192;

export function arrayToLatin1(array: Uint8Array): string {
  let bytes = '';
  for (let from = 0; from < array.length; from += PIECE) {
    bytes += String.fromCharCode(...array.subarray(from, from + PIECE));
  }
  return bytes;
}

function isAscii(text: string): boolean {
  return byteLength(text) === text.length;
}

function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is four bytes for two units.
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    at += 1;
  }
  return bytes;
}
