import { isPropagatingToolError } from './propagating-error.js';
import { ROOT_PATH, type ValidationIssue } from './result.js';
import { aiSdkSchema, readAiSdkSchema } from './schema/ai-sdk.js';
import { argumentHazard } from './schema/argument-hazard.js';
import { plainJsonSchema } from './schema/plain-json-schema.js';
import type { SchemaUse } from './schema/schema-use.js';
import { isStandardJsonSchema, standardSchema } from './schema/standard.js';
import { unsupportedSchema } from './schema/unsupported.js';
import { isZod3, zod3Schema } from './schema/zod3.js';
import { isZod4, zod4Schema } from './schema/zod4.js';
import { readThrown } from './thrown.js';

export type { SchemaUse } from './schema/schema-use.js';

/** A schema of any library, in the one form the host uses. */
export interface ToolSchema {
  /** Draft-07 keywords, without `$schema`; a fresh copy at each read. */
  readonly jsonSchema: Record<string, unknown>;
  /**
   * Parses once, awaiting asynchronous refinements; `value` has defaults, coercions and transforms applied.
   * Rejects only with a `PropagatingToolError`.
   */
  parse(value: unknown): Promise<ParseResult>;
}

export type ParseResult = { ok: true; value: unknown } | { ok: false; issues: ValidationIssue[] };

const converted = { input: new WeakMap<object, ToolSchema>(), output: new WeakMap<object, ToolSchema>() };

/**
 * Turns a schema of a supported library (see `SchemaInput`) into a `ToolSchema`. The same schema object is converted
 * once for each role.
 * @throws TypeError naming the tool and the fix when the schema is of no supported kind, cannot be said as JSON
 * Schema, or (for `input`) does not describe an object.
 */
export function toToolSchema(schema: unknown, use: SchemaUse): ToolSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null)
    throw unsupportedSchema(schema, use);
  const known = converted[use.role].get(schema);
  if (known !== undefined) return known;
  const fresh = convert(schema, use);
  converted[use.role].set(schema, fresh);
  return fresh;
}

function convert(schema: object, use: SchemaUse): ToolSchema {
  const source = schemaSource(schema, use);
  const jsonSchema = plainJsonSchema(source.jsonSchema, use);
  return {
    // A copy each time: some consumers (the AI SDK among them) write into the schemas they are given.
    get jsonSchema() {
      return structuredClone(jsonSchema);
    },
    parse: use.role === 'input' ? (value) => parseArguments(source, value) : (value) => parse(source, value),
  };
}

/** `~standard` before the callable case: an ArkType schema is a function. */
function schemaSource(schema: object, use: SchemaUse): ToolSchema {
  if (isZod4(schema)) return zod4Schema(schema, use);
  if (isZod3(schema)) return zod3Schema(schema);
  if (isStandardJsonSchema(schema)) return standardSchema(schema, use);
  const fromAiSdk = readAiSdkSchema(schema);
  if (fromAiSdk !== undefined) return aiSdkSchema(fromAiSdk, use);
  throw unsupportedSchema(schema, use);
}

async function parseArguments(source: ToolSchema, value: unknown): Promise<ParseResult> {
  try {
    const hazard = argumentHazard(value);
    if (hazard !== undefined) return { ok: false, issues: [hazard] };
  } catch (error) {
    return unreadable(error);
  }
  return parse(source, value);
}

async function parse(source: ToolSchema, value: unknown): Promise<ParseResult> {
  try {
    return await source.parse(value);
  } catch (error) {
    if (isPropagatingToolError(error)) throw error;
    return unreadable(error);
  }
}

function unreadable(error: unknown): ParseResult {
  const message = `The schema failed to check this value: ${readThrown(error).message}`;
  return { ok: false, issues: [{ path: ROOT_PATH, message }] };
}
