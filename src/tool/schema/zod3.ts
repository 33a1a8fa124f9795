import { createRequire } from 'node:module';
import type { zodToJsonSchema } from 'zod-to-json-schema';
import type { ToolSchema } from '../schema.js';
import { toIssues } from './issues.js';

const require = createRequire(import.meta.url);

interface Zod3Type {
  readonly _def: { readonly typeName: string };
  safeParseAsync(value: unknown): Promise<Zod3Result>;
}

type Zod3Result =
  | { success: true; data: unknown }
  | { success: false; error: { issues: readonly { message: string }[] } };

export function isZod3(schema: object): schema is Zod3Type {
  const { _def, safeParseAsync } = schema as { _def?: { typeName?: unknown }; safeParseAsync?: unknown };
  return typeof _def?.typeName === 'string' && _def.typeName.startsWith('Zod') && typeof safeParseAsync === 'function';
}

export function zod3Schema(schema: Zod3Type): ToolSchema {
  return {
    jsonSchema: jsonSchemaOf(schema),
    async parse(value) {
      const result = await schema.safeParseAsync(value);
      return result.success ? { ok: true, value: result.data } : { ok: false, issues: toIssues(result.error.issues) };
    },
  };
}

/**
 * References only where the schema is recursive: models and providers read an inlined schema better than a `$ref` to
 * a sibling property.
 */
function jsonSchemaOf(schema: Zod3Type): Record<string, unknown> {
  const referenced = convert(schema, 'root');
  return isRecursive(referenced) ? referenced : convert(schema, 'none');
}

/** Loaded on first use: most hosts never see a zod 3 schema. */
function convert(schema: Zod3Type, $refStrategy: 'root' | 'none'): Record<string, unknown> {
  const converter = require('zod-to-json-schema') as { zodToJsonSchema: typeof zodToJsonSchema };
  return converter.zodToJsonSchema(schema as unknown as Parameters<typeof zodToJsonSchema>[0], {
    target: 'jsonSchema7',
    $refStrategy,
    // Unknown keys are stripped by the parser, so a model's extra key is no error; as with zod 4.
    removeAdditionalStrategy: 'strict',
    allowedAdditionalProperties: undefined,
  });
}

function isRecursive(node: unknown, pointer = '#'): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string' && `${pointer}/`.startsWith($ref.endsWith('/') ? $ref : `${$ref}/`)) return true;
  return Object.entries(node).some(([key, child]) => isRecursive(child, `${pointer}/${key}`));
}
