/**
 * A tool's context, parsed by its `contextSchema`. Contexts hold what no JSON Schema can say, so only the schema's own
 * check is used.
 * @throws Error `ToolContextValidationError`
 */
export async function parseContext(toolName: string, contextSchema: unknown, context: unknown): Promise<unknown> {
  if (contextSchema === undefined || contextSchema === null) return context;
  const schema = (
    typeof contextSchema === 'function' && !('~standard' in contextSchema) ? contextSchema() : contextSchema
  ) as AnySchema;
  if (schema['~standard'] !== undefined) {
    const { issues, value } = await schema['~standard'].validate(context);
    if (issues === undefined) return value;
    throw invalid(toolName, issues.map(({ message }) => message).join('; '));
  }
  if (typeof schema.validate !== 'function') return context;
  const result = await schema.validate(context);
  if (result.success) return result.value;
  throw invalid(toolName, String((result.error as { message?: unknown } | undefined)?.message ?? 'it was refused'));
}

interface AnySchema {
  '~standard'?: { validate(value: unknown): Validation | Promise<Validation> };
  validate?(value: unknown): Checked | PromiseLike<Checked>;
}

interface Validation {
  value?: unknown;
  issues?: readonly { message: string }[] | undefined;
}

type Checked = { success: true; value: unknown } | { success: false; error: unknown };

function invalid(toolName: string, problem: string): Error {
  const message = `Invalid context for tool '${toolName}': ${problem}. Give the host or the import a context of that shape`;
  return Object.assign(new Error(message), { name: 'ToolContextValidationError' });
}
