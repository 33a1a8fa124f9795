import type { AnyAiSdkTool } from './types.js';

interface PendingSchema {
  jsonSchema: PromiseLike<unknown>;
  validate?: (value: unknown) => unknown;
}

/** Whether a JSON Schema of the tool is still a promise. */
export function hasPendingSchema({ inputSchema, outputSchema }: AnyAiSdkTool): boolean {
  return isPending(unwrap(inputSchema)) || isPending(unwrap(outputSchema));
}

/** The tool's schemas, awaited. */
export async function resolveSchemas(tool: AnyAiSdkTool): Promise<Pick<AnyAiSdkTool, 'inputSchema' | 'outputSchema'>> {
  const outputSchema = await resolve(tool.outputSchema);
  return {
    inputSchema: await resolve(tool.inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

async function resolve(schema: unknown): Promise<unknown> {
  const pending = unwrap(schema);
  if (!isPending(pending)) return schema;
  const { validate } = pending;
  return {
    jsonSchema: await pending.jsonSchema,
    ...(typeof validate === 'function' ? { validate: (value: unknown) => validate.call(pending, value) } : {}),
  };
}

/** `lazySchema()` gives a function without parameters. A schema of another library may be a function too. */
function unwrap(schema: unknown): unknown {
  if (typeof schema !== 'function' || schema.length > 0 || '~standard' in schema) return schema;
  try {
    return schema();
  } catch {
    return schema;
  }
}

function isPending(schema: unknown): schema is PendingSchema {
  if (typeof schema !== 'object' || schema === null || '~standard' in schema || !('jsonSchema' in schema)) return false;
  const { jsonSchema } = schema as { jsonSchema: unknown };
  return typeof (jsonSchema as PromiseLike<unknown> | undefined)?.then === 'function';
}
