import type { Bridge } from '../bridge.js';
import { GuestAbortController, GuestAbortSignal } from './abort-signal.js';
import { host } from './connection.js';
import { arrayToLatin1, bytesToText, latin1ToArray, textToBytes } from './encoding.js';
import { clearGuestTimeout, setGuestTimeout } from './timers.js';

/**
 * An isolate has the language and nothing else; these are the platform globals that the interpreter and its commands
 * use. Imported first, because the interpreter's modules take them while they load.
 */
class GuestTextEncoder {
  encode(text = ''): Uint8Array {
    return latin1ToArray(textToBytes(text));
  }
}

class GuestTextDecoder {
  readonly encoding = 'utf-8';

  decode(bytes?: Uint8Array | ArrayBuffer): string {
    if (bytes === undefined) return '';
    return bytesToText(arrayToLatin1(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes));
  }
}

function toBase64(bytes: string): string {
  return host().toBase64(bytes);
}

function fromBase64(text: string): string {
  const characters = text.replace(/[\t\n\f\r ]/g, '').replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(characters) || characters.length % 4 === 1) throw new Error('Invalid base64');
  return host().fromBase64(characters);
}

async function digest(algorithm: string, bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const name = algorithm.toLowerCase().replace('-', '') as Parameters<Bridge['digest']>[0];
  return latin1ToArray(host().digest(name, arrayToLatin1(new Uint8Array(bytes)))).buffer as ArrayBuffer;
}

function nothing(): void {
  // The interpreter's own diagnostics have no reader here.
}

/**
 * The locale is `C.UTF-8`: names and lines sort by their characters' numbers, in `sort`, `ls` and globs alike. The
 * engine's own comparison is another language's order, and its first use takes longer than a command does.
 */
Object.defineProperty(String.prototype, 'localeCompare', {
  value(this: string, other: string): number {
    const text = String(this);
    return text < other ? -1 : text > other ? 1 : 0;
  },
  writable: true,
  configurable: true,
});

Object.assign(globalThis, {
  TextEncoder: GuestTextEncoder,
  TextDecoder: GuestTextDecoder,
  AbortController: GuestAbortController,
  AbortSignal: GuestAbortSignal,
  setTimeout: setGuestTimeout,
  clearTimeout: clearGuestTimeout,
  setInterval: () => 0,
  clearInterval: nothing,
  queueMicrotask: (callback: () => void) => void Promise.resolve().then(callback),
  performance: { now: () => Date.now() },
  console: { log: nothing, info: nothing, warn: nothing, error: nothing, debug: nothing },
  btoa: toBase64,
  atob: fromBase64,
  crypto: { subtle: { digest } },
});
