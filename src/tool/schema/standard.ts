import type { ToolSchema } from '../schema.js';
import { toIssues } from './issues.js';
import type { SchemaUse } from './schema-use.js';
import type { StandardJsonSchema } from './standard-schema.js';

export function isStandardJsonSchema(schema: object): schema is StandardJsonSchema {
  const standard = (schema as { '~standard'?: { validate?: unknown; jsonSchema?: { input?: unknown } } })['~standard'];
  return typeof standard?.validate === 'function' && typeof standard.jsonSchema?.input === 'function';
}

export function standardSchema(schema: StandardJsonSchema, use: SchemaUse): ToolSchema {
  const standard = schema['~standard'];
  return {
    jsonSchema: jsonSchemaOf(standard, use),
    async parse(value) {
      // `issues` first: Valibot gives a `value` beside them.
      const { issues, value: parsed } = await standard.validate(value);
      return issues === undefined ? { ok: true, value: parsed } : { ok: false, issues: toIssues(issues) };
    },
  };
}

function jsonSchemaOf(
  { jsonSchema, vendor }: StandardJsonSchema['~standard'],
  { toolName, role }: SchemaUse,
): Record<string, unknown> {
  try {
    return jsonSchema[role]({ target: 'draft-07' });
  } catch (error) {
    throw new TypeError(
      `Cannot define tool '${toolName}': ${vendor} cannot say a part of its '${role}' as JSON Schema: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
