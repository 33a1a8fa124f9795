import type { ParseResult, ToolSchema } from '../schema.js';
import { compileJsonSchema } from './compile-json-schema.js';
import { toIssues } from './issues.js';
import type { SchemaUse } from './schema-use.js';

/** What the AI SDK's `jsonSchema()`, `zodSchema()` and `asSchema()` give. */
interface AiSdkSchema {
  /** May be a getter, and a promise. */
  readonly jsonSchema: unknown;
  validate?(value: unknown): AiSdkResult | PromiseLike<AiSdkResult>;
}

type AiSdkResult = { success: true; value: unknown } | { success: false; error: unknown };

/** The schema, or what the AI SDK's `lazySchema()` (a bare function) makes of itself. */
export function readAiSdkSchema(schema: object): AiSdkSchema | undefined {
  const made = typeof schema === 'function' && schema.length === 0 ? callSafely(schema as () => unknown) : schema;
  return typeof made === 'object' && made !== null && 'jsonSchema' in made ? (made as AiSdkSchema) : undefined;
}

/** A schema without `validate` is checked against its JSON Schema: arguments are never taken unseen. */
export function aiSdkSchema(schema: AiSdkSchema, use: SchemaUse): ToolSchema {
  const { jsonSchema } = schema;
  if (typeof jsonSchema !== 'object' || jsonSchema === null || 'then' in jsonSchema) throw unresolved(use);
  if (typeof schema.validate !== 'function') {
    return { jsonSchema: jsonSchema as Record<string, unknown>, parse: compiledParser(jsonSchema, use) };
  }
  return {
    jsonSchema: jsonSchema as Record<string, unknown>,
    async parse(value) {
      const result = await schema.validate?.(value);
      if (result?.success === true) return { ok: true, value: result.value };
      return { ok: false, issues: toIssues(issuesOf(result?.error)) };
    },
  };
}

function compiledParser(jsonSchema: object, { toolName, role }: SchemaUse): (value: unknown) => Promise<ParseResult> {
  const check = compileJsonSchema(
    jsonSchema as Record<string, unknown>,
    `Cannot define tool '${toolName}': its '${role}'`,
  );
  return async (value) => {
    const issues = check(value);
    return issues.length === 0 ? { ok: true, value } : { ok: false, issues: toIssues(issues) };
  };
}

function callSafely(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function unresolved({ toolName, role }: SchemaUse): TypeError {
  return new TypeError(
    `Cannot define tool '${toolName}': the JSON Schema of its '${role}' is not there yet. Resolve it first: jsonSchema(await schema.jsonSchema)`,
  );
}

/** A zod error, or the AI SDK's own with the library's issues as its cause. */
function issuesOf(error: unknown): { message?: unknown; path?: unknown[] }[] {
  const { issues, cause, message } = (error ?? {}) as { issues?: unknown; cause?: unknown; message?: unknown };
  const nested = Array.isArray(cause) ? cause : (cause as { issues?: unknown } | undefined)?.issues;
  const found = [issues, nested].find((list) => Array.isArray(list) && list.length > 0);
  return (found as { message?: unknown; path?: unknown[] }[] | undefined) ?? [{ message }];
}
