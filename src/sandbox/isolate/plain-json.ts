/** Levels of nesting and bytes of text that may cross into or out of an evaluation. */
const MAX_DEPTH = 100;
const MAX_TEXT_BYTES = 1024 * 1024;

export type PlainJson = { ok: true; text: string } | { ok: false; reason: string };

/**
 * JSON of a value made of nothing but plain objects, arrays and primitives. Anything that would be changed by
 * encoding it (a class instance, a function, `process.env`, `NaN`) is refused instead.
 */
export function encodePlainJson(value: unknown): PlainJson {
  const reason = findUnplain(value === undefined ? null : value, 0, new Set());
  if (reason !== undefined) return { ok: false, reason };
  const text = JSON.stringify(value === undefined ? null : value);
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return { ok: false, reason: 'it is over 1 MiB of JSON' };
  return { ok: true, text };
}

function findUnplain(value: unknown, depth: number, above: Set<object>): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `it holds the number ${value}`;
  if (typeof value !== 'object') return `it holds a ${typeof value}`;
  if (depth >= MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
  if (above.has(value)) return 'it refers to itself';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return 'it holds an object that is not a plain one';
  }
  above.add(value);
  for (const entry of Array.isArray(value) ? value : Object.values(value)) {
    if (entry === undefined) continue;
    const reason = findUnplain(entry, depth + 1, above);
    if (reason !== undefined) return reason;
  }
  above.delete(value);
  return undefined;
}

/** Parses guest JSON; `__proto__` stays an ordinary own key, as `JSON.parse` makes it. @returns undefined when it is not JSON */
export function decodeJson(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) };
  } catch {
    return undefined;
  }
}
