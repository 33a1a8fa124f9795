import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options } from 'ajv';
import type { StandardIssue } from './standard-schema.js';

const require = createRequire(import.meta.url);

const OPTIONS: Options = {
  allErrors: true,
  // Unknown keywords and formats annotate, as the specification has it.
  strict: false,
  validateFormats: false,
  logger: false,
  // Without it a `required` of 'toString' is met by every object.
  ownProperties: true,
};

const compilers = new Map<string, Ajv>();

/**
 * Compiles a JSON Schema into a check that gives the issues of a value. Draft-07, or 2020-12 where `$schema` says so.
 * @param subject Starts the error message, such as "Cannot define tool 'x': its 'input'".
 * @throws TypeError when the schema is not valid, or refers to something it does not hold.
 */
export function compileJsonSchema(
  schema: Record<string, unknown>,
  subject: string,
): (value: unknown) => StandardIssue[] {
  const { $schema, ...body } = schema;
  const compiler = compilerFor($schema);
  const validate = compile(compiler, body, subject);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(toIssue));
}

/** Loaded on first use: most hosts never see raw JSON Schema. */
function compilerFor($schema: unknown): Ajv {
  const module = typeof $schema === 'string' && $schema.includes('2020-12') ? 'ajv/dist/2020.js' : 'ajv';
  const known = compilers.get(module);
  if (known !== undefined) return known;
  const { default: Compiler } = require(module) as { default: new (options: Options) => Ajv };
  const compiler = new Compiler(OPTIONS);
  compilers.set(module, compiler);
  return compiler;
}

function compile(compiler: Ajv, body: Record<string, unknown>, subject: string) {
  try {
    return compiler.compile(body);
  } catch (error) {
    throw new TypeError(`${subject} is not valid JSON Schema: ${(error as Error).message}`, { cause: error });
  } finally {
    // The compiler remembers every schema for ever otherwise, and refuses a second one with the same `$id`.
    compiler.removeSchema(body);
    if (typeof body.$id === 'string') compiler.removeSchema(body.$id);
  }
}

function toIssue({ instancePath, keyword, message, params }: ErrorObject): StandardIssue {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  if (keyword === 'required') return { path: [...path, String(params.missingProperty)], message: 'Required' };
  if (keyword === 'additionalProperties') {
    return { path: [...path, String(params.additionalProperty)], message: 'Unknown key' };
  }
  if (keyword === 'enum') return { path, message: `Must be one of ${JSON.stringify(params.allowedValues)}` };
  return { path, message: message ?? `Does not meet '${keyword}'` };
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
