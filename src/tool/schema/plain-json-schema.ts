import type { SchemaUse } from './schema-use.js';

/**
 * A JSON copy of what a library gave, without `$schema` and without the symbols and functions that libraries hang on
 * their schemas.
 * @throws TypeError for an `input` whose root is not an object: providers and MCP need `type: "object"`.
 */
export function plainJsonSchema(jsonSchema: unknown, use: SchemaUse): Record<string, unknown> {
  const plain = inlineRoot(copy(jsonSchema, use));
  if (use.role === 'input' && plain.type !== 'object') throw notAnObject(plain, use);
  delete plain.$schema;
  return plain;
}

function copy(jsonSchema: unknown, { toolName, role }: SchemaUse): Record<string, unknown> {
  const plain: unknown = JSON.parse(JSON.stringify(jsonSchema) ?? 'null');
  if (typeof plain === 'object' && plain !== null && !Array.isArray(plain)) return plain as Record<string, unknown>;
  throw new TypeError(`Cannot define tool '${toolName}': the JSON Schema of its '${role}' must be an object`);
}

/** A schema with an id of its own (`z.object().meta({ id })`) comes as a reference to a definition: the root is put back. */
function inlineRoot(schema: Record<string, unknown>): Record<string, unknown> {
  const [, keyword, name] = /^#\/(definitions|\$defs)\/([^/]+)$/.exec(String(schema.$ref)) ?? [];
  if (keyword === undefined || name === undefined) return schema;
  const { [keyword]: definitions, $ref, ...rest } = schema;
  const root = ownMember(definitions, name);
  if (typeof root !== 'object' || root === null) return schema;
  const inlined = { ...root, ...rest };
  const others = Object.fromEntries(Object.entries(definitions as object).filter(([other]) => other !== name));
  const stillUsed = JSON.stringify([inlined, others]).includes(JSON.stringify($ref));
  if (stillUsed) return { ...inlined, [keyword]: definitions };
  return Object.keys(others).length === 0 ? inlined : { ...inlined, [keyword]: others };
}

function ownMember(owner: unknown, name: string): unknown {
  const isOwner = typeof owner === 'object' && owner !== null && Object.hasOwn(owner, name);
  return isOwner ? (owner as Record<string, unknown>)[name] : undefined;
}

function notAnObject(schema: Record<string, unknown>, { toolName }: SchemaUse): TypeError {
  return new TypeError(
    `Cannot define tool '${toolName}': its 'input' must describe an object (type "object"), but describes ${describe(schema)}. ` +
      'Put it into a property: z.object({ value: … })',
  );
}

function describe(schema: Record<string, unknown>): string {
  if (schema.type !== undefined) return `type ${JSON.stringify(schema.type)}`;
  const union = ['anyOf', 'oneOf', 'allOf', '$ref'].find((keyword) => keyword in schema);
  return union === undefined ? 'no type' : `'${union}' without a type`;
}
