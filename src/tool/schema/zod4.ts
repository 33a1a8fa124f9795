import { type $ZodType, safeParseAsync, toJSONSchema } from 'zod/v4/core';
import type { ToolSchema } from '../schema.js';
import { toIssues } from './issues.js';
import type { SchemaUse } from './schema-use.js';

/** zod 4 classic, mini, and `zod@3.25/v4`: all of them, and only they, carry `_zod`. */
export function isZod4(schema: object): schema is $ZodType {
  const { _zod } = schema as { _zod?: unknown };
  return typeof _zod === 'object' && _zod !== null;
}

/** Parses with zod's own asynchronous parser: `~standard.validate` tries synchronously first and so runs refinements twice. */
export function zod4Schema(schema: $ZodType, use: SchemaUse): ToolSchema {
  return {
    jsonSchema: jsonSchemaOf(schema, use),
    async parse(value) {
      const result = await safeParseAsync(schema, value);
      return result.success ? { ok: true, value: result.data } : { ok: false, issues: toIssues(result.error.issues) };
    },
  };
}

function jsonSchemaOf(schema: $ZodType, { toolName, role }: SchemaUse): Record<string, unknown> {
  try {
    return toJSONSchema(schema, {
      target: 'draft-7',
      io: role,
      unrepresentable: 'any',
      override: (context) => refuseUnrepresentable(context.zodSchema, context.jsonSchema),
    }) as Record<string, unknown>;
  } catch (error) {
    throw new TypeError(
      `Cannot define tool '${toolName}': a part of its '${role}' cannot be said as JSON Schema: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

const FIXES: Readonly<Record<string, string>> = {
  date: 'a date. Write z.coerce.date(), or z.iso.datetime()',
  bigint: 'a BigInt. Write z.coerce.bigint(), or z.int()',
  map: 'a Map. Write z.record()',
  set: 'a Set. Write z.array()',
  undefined: 'undefined. Write .optional()',
  void: 'void. Write .optional()',
  symbol: 'a symbol. Write z.string()',
  nan: 'NaN. Write z.number()',
  function: 'a function',
  custom: 'a custom type (z.custom(), z.instanceof()). Write the type it has as JSON, then .refine() or .transform()',
  transform: 'the result of a transform. Give it a type with .pipe()',
};

/** Coerced dates and BigInts do have a JSON form: what they are coerced from. */
function refuseUnrepresentable(schema: $ZodType, jsonSchema: Record<string, unknown>): void {
  const def = schema._zod.def as { type: string; coerce?: boolean };
  if (def.coerce === true && def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  else if (def.coerce === true && def.type === 'bigint')
    Object.assign(jsonSchema, { type: 'string', pattern: '^-?[0-9]+$' });
  else if (Object.hasOwn(FIXES, def.type)) throw new TypeError(`JSON has no form of ${FIXES[def.type]}`);
}
