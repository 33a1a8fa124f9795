import { ROOT_PATH, type ValidationIssue } from '../result.js';
import { issuePath } from './issues.js';

const MAX_DEPTH = 200;

interface Visit {
  readonly value: object;
  readonly path: readonly string[];
}

/**
 * What no schema should be shown: a member called `__proto__` (or a `constructor` with a `prototype`), which turns
 * into pollution wherever a tool merges its arguments, and nesting or cycles that overflow a recursive parser.
 * Walks with a list instead of recursion, so that it cannot overflow itself.
 */
export function argumentHazard(root: unknown): ValidationIssue | undefined {
  const pending: Visit[] = isJsonContainer(root) ? [{ value: root, path: [] }] : [];
  const seen = new Set<object>();
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { value, path } = visit;
    if (seen.has(value)) continue;
    seen.add(value);
    if (path.length > MAX_DEPTH)
      return { path: ROOT_PATH, message: `The value is nested deeper than ${MAX_DEPTH} levels` };
    const forbidden = forbiddenKey(value);
    if (forbidden !== undefined) {
      return { path: issuePath([...path, forbidden]), message: `The key '${forbidden}' is not allowed` };
    }
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      if (isJsonContainer(member)) pending.push({ value: member, path: [...path, key] });
    }
  }
  return undefined;
}

/** Only what JSON could hold: a `Date` or a `Map` given in process is the caller's own. */
function isJsonContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function forbiddenKey(value: object): string | undefined {
  if (Object.hasOwn(value, '__proto__')) return '__proto__';
  if (!Object.hasOwn(value, 'constructor')) return undefined;
  const { constructor: member } = value as { constructor: unknown };
  return typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype')
    ? 'constructor'
    : undefined;
}
