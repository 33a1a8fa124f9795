import { host } from './connection.js';

const ASCII = /^[\0-\x7f]*$/;

/** Latin1 bytes to text; what is not UTF-8 becomes byte escapes (see `text/escaped-text.ts`), so nothing is lost. */
export function bytesToText(bytes: string): string {
  return ASCII.test(bytes) ? bytes : host().decode(bytes);
}

export function textToBytes(text: string): string {
  return ASCII.test(text) ? text : host().encode(text);
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
