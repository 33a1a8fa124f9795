import { fromJsonSchema } from '../../../tool/from-json-schema.js';

const MAX_CHARACTERS = 256 * 1024;

type Schema = Record<string, unknown>;

/**
 * A server's JSON Schema as a tool's schema. It is listed as it came; arguments are checked without its regular
 * expressions, which are a stranger's code that could keep the host busy for ever. The server checks them itself.
 * @throws TypeError when it is not the schema of an object, not valid, or too large
 */
export function importedSchema(schema: unknown): ReturnType<typeof fromJsonSchema> {
  if (typeof schema !== 'object' || schema === null) throw new TypeError('its schema is not an object');
  if (JSON.stringify(schema).length > MAX_CHARACTERS)
    throw new TypeError(`its schema has more than ${MAX_CHARACTERS} characters`);
  const checked = fromJsonSchema(withoutPatterns(schema) as Schema);
  const listed = () => structuredClone(schema) as Schema;
  return { '~standard': { ...checked['~standard'], jsonSchema: { input: listed, output: listed } } };
}

/** Keywords whose members are names, each with a schema of its own. */
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** Keywords whose value is data, in which nothing is a keyword. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required']);

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== 'object' || schema === null) return schema;
  const dropped = new Set(['pattern', 'patternProperties']);
  // What is additional can no longer be told where some names were allowed by their pattern.
  if (Object.hasOwn(schema, 'patternProperties')) dropped.add('additionalProperties').add('unevaluatedProperties');
  const kept = Object.entries(schema).filter(([keyword]) => !dropped.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, keywordWithoutPatterns(keyword, value)]));
}

function keywordWithoutPatterns(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) return value;
  if (!NAMED_SCHEMAS.has(keyword) || typeof value !== 'object' || value === null) return withoutPatterns(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutPatterns(schema)]));
}
