import { intrinsics } from './intrinsics.js';

const { apply, slice, stringify, String: toText } = intrinsics;

/**
 * Name and message of whatever was thrown, as JSON. Reading them may run foreign code: here, in the isolate and under
 * the deadline, and nowhere else.
 */
export function describeThrown(thrown: unknown, maxCharacters: number): string {
  const isObject = typeof thrown === 'object' && thrown !== null;
  const name = isObject ? textOf(() => (thrown as Error).name, 'Error') : 'Error';
  const message = isObject ? textOf(() => messageOf(thrown), '') : textOf(() => thrown, 'unknown');
  const cut = (text: string, length: number) => stringify(apply(slice, text, [0, length]));
  return `{"name":${cut(name, 200)},"message":${cut(message, maxCharacters)}}`;
}

function messageOf(thrown: object): unknown {
  const { message } = thrown as { message?: unknown };
  return message === undefined ? thrown : message;
}

function textOf(read: () => unknown, otherwise: string): string {
  try {
    const value = read();
    if (typeof value === 'function') return '[function]';
    return value === undefined && otherwise !== 'unknown' ? otherwise : toText(value);
  } catch {
    return otherwise;
  }
}
