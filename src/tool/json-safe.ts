import { isNativeError } from 'node:util/types';
import type { JsonValue } from '../sandbox/contract.js';
import { ToolOutputSerializationError } from './output-error.js';

const MAX_DEPTH = 200;
const MAX_TEXT_CHARACTERS = 32 * 1024 * 1024;

/**
 * A deep copy of a tool's output that is plain JSON, so that no later consumer can trip over it.
 *
 * As JSON does: `toJSON` is honoured, `NaN` and infinities are `null`, members that are `undefined`, functions or
 * symbols are left out of objects and `null` in arrays and at the root. Beyond JSON: bytes (`Uint8Array`, `Buffer`,
 * `ArrayBuffer`, `DataView`) become `{ encoding: 'base64', data }`, other typed arrays lists of numbers, a `Set` a
 * list, a `Map` an object (a list of pairs when a key is not a string), an `Error` its `{ name, message }`, a `RegExp` its text.
 * A member called `__proto__` stays an inert own member.
 *
 * @throws ToolOutputSerializationError for a cycle, a BigInt, more than 200 levels, more than 32 Mi characters of
 * text, or a member that throws when it is read.
 */
export function toJsonSafe(value: unknown): JsonValue {
  const walk: Walk = { ancestors: new Set(), path: [], charactersLeft: MAX_TEXT_CHARACTERS };
  try {
    return copy(value, '', walk);
  } catch (error) {
    if (error instanceof ToolOutputSerializationError) throw error;
    // A throwing getter, `toJSON` or proxy trap: the path tells which, since it is only unwound on success.
    return fail(walk, 'throws when it is read; return plain data', error);
  }
}

interface Walk {
  readonly ancestors: Set<object>;
  readonly path: (string | number)[];
  charactersLeft: number;
}

function copy(value: unknown, key: string | number, walk: Walk): JsonValue {
  if (typeof value === 'object' && value !== null) return copyObject(value, key, walk);
  return copyPrimitive(value, walk);
}

function copyPrimitive(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case 'string':
      spend(value.length + 2, walk);
      return value;
    case 'number':
      spend(4, walk);
      // `+ 0` turns -0 into 0, as JSON text would.
      return Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      spend(4, walk);
      return value;
    case 'bigint':
      return fail(walk, 'is a BigInt; return a number or a string instead');
    default:
      spend(4, walk);
      return null;
  }
}

function copyObject(value: object, key: string | number, walk: Walk): JsonValue {
  if (walk.ancestors.has(value))
    return fail(walk, 'refers back to a value that contains it; return a copy without cycles');
  if (walk.ancestors.size >= MAX_DEPTH)
    return fail(walk, `is nested deeper than ${MAX_DEPTH} levels; return a flatter value`);
  walk.ancestors.add(value);
  // More than its brackets: a value that shares itself must not keep the host busy for seconds before it is too large.
  spend(16, walk);
  const result = copyContents(value, key, walk);
  walk.ancestors.delete(value);
  return result;
}

function copyContents(value: object, key: string | number, walk: Walk): JsonValue {
  if (Array.isArray(value)) return copyList(value, walk);
  const bytes = bytesOf(value);
  if (bytes !== undefined) return copyBytes(bytes, walk);
  if (ArrayBuffer.isView(value)) return copyList(Array.from(value as unknown as ArrayLike<unknown>), walk);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return copy(Reflect.apply(toJSON, value, [String(key)]), key, walk);
  if (value instanceof Set) return copyList([...value], walk);
  if (value instanceof Map) return copyMap(value, walk);
  if (isNativeError(value)) return copyError(value, walk);
  if (value instanceof RegExp) return copyPrimitive(String(value), walk);
  if (value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt) {
    return copyPrimitive(value.valueOf(), walk);
  }
  return copyMembers(Object.keys(value), (name) => (value as Record<string, unknown>)[name], walk);
}

function copyList(list: readonly unknown[], walk: Walk): JsonValue[] {
  const copied: JsonValue[] = [];
  for (let index = 0; index < list.length; index += 1) {
    copied.push(at(index, walk, () => copy(list[index], index, walk)));
  }
  return copied;
}

function copyMap(map: Map<unknown, unknown>, walk: Walk): JsonValue {
  const keys = [...map.keys()];
  if (!keys.every((key) => typeof key === 'string')) return copyList([...map], walk);
  return copyMembers(keys, (name) => map.get(name), walk);
}

/** Never the stack, and not the cause: both may tell of the host. */
function copyError(error: Error, walk: Walk): JsonValue {
  return copyMembers(['name', 'message'], (name) => String(error[name as 'name' | 'message']), walk);
}

function copyMembers(
  names: readonly string[],
  get: (name: string) => unknown,
  walk: Walk,
): { [key: string]: JsonValue } {
  const copied: { [key: string]: JsonValue } = {};
  for (const name of names) {
    const member = get(name);
    if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
    spend(name.length + 3, walk);
    const value = at(name, walk, () => copy(member, name, walk));
    // Plain assignment to `__proto__` would replace the prototype instead of making a member.
    if (name === '__proto__')
      Object.defineProperty(copied, name, { value, enumerable: true, writable: true, configurable: true });
    else copied[name] = value;
  }
  return copied;
}

function bytesOf(value: object): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof DataView) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Uint8Array(value);
  return undefined;
}

function copyBytes(bytes: Uint8Array, walk: Walk): JsonValue {
  spend(Math.ceil(bytes.byteLength / 3) * 4 + 32, walk);
  return { encoding: 'base64', data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
}

function at<T>(key: string | number, walk: Walk, visit: () => T): T {
  walk.path.push(key);
  const result = visit();
  walk.path.pop();
  return result;
}

function spend(characters: number, walk: Walk): void {
  walk.charactersLeft -= characters;
  if (walk.charactersLeft < 0)
    fail(walk, 'makes the output larger than 32 MiB of text; return less, or write it to a file');
}

function fail(walk: Walk, problem: string, cause?: unknown): never {
  const where =
    walk.path.length === 0 ? 'the value' : `'${walk.path.slice(0, 10).join('.')}${walk.path.length > 10 ? '.…' : ''}'`;
  throw new ToolOutputSerializationError(`Cannot turn the tool output into JSON: ${where} ${problem}`, cause);
}
