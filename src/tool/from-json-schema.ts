import { compileJsonSchema } from './schema/compile-json-schema.js';
import type { StandardJsonSchema } from './schema/standard-schema.js';

/**
 * Makes raw JSON Schema usable as a tool's `input` or `output`; give the type it describes as `T`, which is not
 * checked against the schema. Values are validated and passed on as they are: `default` fills nothing in, `format` is
 * not checked, and `null` is accepted exactly where the schema lists it. Draft-07; 2020-12 where `$schema` says so.
 * The schema is copied: changing it afterwards has no effect.
 *
 * @example
 * fromJsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
 *
 * @throws TypeError when it is not valid JSON Schema, holds a reference that leads nowhere, or its root is not an object.
 */
export function fromJsonSchema<T = Record<string, unknown>>(
  schema: Readonly<Record<string, unknown>>,
): StandardJsonSchema<T, T> {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new TypeError('Cannot read a JSON Schema: pass an object such as { type: "object", properties: { … } }');
  }
  const copy = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  if (copy.type !== 'object') {
    throw new TypeError(
      `Cannot use this JSON Schema for a tool: its root must have type "object", not ${JSON.stringify(copy.type) ?? 'none'}`,
    );
  }
  const check = compileJsonSchema(copy, 'The schema given to fromJsonSchema()');
  const jsonSchema = () => structuredClone(copy);
  return {
    '~standard': {
      version: 1,
      vendor: 'caisson',
      jsonSchema: { input: jsonSchema, output: jsonSchema },
      validate(value) {
        const issues = check(value);
        return issues.length === 0 ? { value: value as T } : { issues };
      },
    },
  };
}
