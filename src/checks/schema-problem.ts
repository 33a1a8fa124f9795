import { z } from 'zod';
import { unknownName } from './options.js';
import { show } from './show.js';

/** What is wrong with an options object that a zod schema refused, as it follows the name of the function. */
export function schemaProblem(
  schema: z.ZodType,
  options: unknown,
  { error, what = 'options', more = [] }: { error: z.ZodError; what?: string; more?: readonly string[] },
): string {
  const [issue] = error.issues;
  if (issue === undefined) return `${what} cannot be read`;
  const path = issue.path.map(String);
  const place = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = namesAt(schema, path);
    const inside = path.length === 0 ? '' : `${place}.`;
    return unknownName(issue.keys[0] ?? '', inside === '' ? [...more, ...known] : known, { inside });
  }
  if (path.length === 0) return `${what} must be an object, not ${show(options)}`;
  const message = (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
  return `option '${place}': ${message}`;
}

/** The option names of the object that lies at a path of the schema. */
function namesAt(schema: unknown, path: readonly string[]): string[] {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return [];
  const [head, ...rest] = path;
  if (head === undefined) return Object.keys(inner.shape);
  return namesAt((inner.shape as Record<string, unknown>)[head], rest);
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
