import type { SchemaUse } from './schema-use.js';

/** The error for something that is no supported schema, with the fix for what it seems to be. */
export function unsupportedSchema(schema: unknown, { toolName, role }: SchemaUse): TypeError {
  return new TypeError(`Cannot define tool '${toolName}': pass a zod schema as '${role}'; ${fixFor(schema, role)}`);
}

function fixFor(schema: unknown, role: string): string {
  if (schema === undefined || schema === null) {
    return `it is missing. Write ${role}: z.object({ … }), or z.object({}) for a tool without arguments`;
  }
  if (isStandardSchema(schema)) {
    const { vendor } = schema['~standard'];
    const how =
      vendor === 'valibot' ? "wrap it with toStandardJsonSchema() from '@valibot/to-json-schema'" : 'use one that does';
    return `this ${String(vendor)} schema does not expose '~standard.jsonSchema', so no model could be told its arguments: ${how}`;
  }
  if (typeof schema === 'object' && ('type' in schema || 'properties' in schema || '$ref' in schema)) {
    return `this looks like raw JSON Schema: write ${role}: fromJsonSchema(schema)`;
  }
  const given = typeof schema === 'object' ? 'an object' : `a ${typeof schema}`;
  return `${given} of no known schema library was given. Write ${role}: z.object({ … }), a Standard Schema that exposes '~standard.jsonSchema', or fromJsonSchema()`;
}

function isStandardSchema(schema: unknown): schema is { '~standard': { vendor: unknown } } {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  const standard = (schema as { '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null;
}
