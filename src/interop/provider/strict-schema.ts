import type { ListedTool } from './listed-tools.js';

/** What a provider's strict mode takes: the keywords it knows and how much of them. */
export interface StrictProfile {
  /** Keywords of any schema node, beside those this file reads itself. */
  keywords: ReadonlySet<string>;
  /** Whether every property must be required. */
  allRequired: boolean;
  recursive: boolean;
  maxDepth: number;
  maxProperties: number;
  maxEnumValues: number;
  /** Names of properties and definitions, enum and const values, together. */
  maxCharacters: number;
}

/** Why a tool is not given in strict mode; `undefined` when it is. */
export function strictRefusal({ mayBeStrict, inputSchema }: ListedTool, profile: StrictProfile): string | undefined {
  if (!mayBeStrict) return "The tool is defined with 'strict: false'";
  const reason = strictReason(inputSchema, profile);
  return reason === undefined ? undefined : `Strict mode does not take the schema: ${reason}`;
}

/**
 * Why a schema cannot be used in strict mode, naming the place; `undefined` when it can. Providers refuse the whole
 * request for one schema they do not take, so what is not known to be supported counts as unsupported.
 */
function strictReason(schema: Record<string, unknown>, profile: StrictProfile): string | undefined {
  if (schema.type !== 'object') return 'its root is not an object';
  if ('anyOf' in schema) return "its root has 'anyOf'";
  const walk: Walk = { root: schema, profile, properties: 0, enumValues: 0, characters: 0 };
  return reasonOf(schema, { path: '', depth: 1, within: [] }, walk) ?? sizeReason(walk);
}

interface Walk {
  root: Record<string, unknown>;
  profile: StrictProfile;
  properties: number;
  enumValues: number;
  characters: number;
}

interface Place {
  path: string;
  depth: number;
  /** Definitions that the node is inside of. */
  within: readonly string[];
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const READ_HERE = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  '$ref',
  '$defs',
  'definitions',
  'enum',
  'const',
  'description',
  'title',
]);

function reasonOf(node: unknown, place: Place, walk: Walk): string | undefined {
  const at = place.path === '' ? 'its root' : `'${place.path}'`;
  if (!isRecord(node)) return `${at} accepts any value`;
  if (place.depth > walk.profile.maxDepth) return `it is nested deeper than ${walk.profile.maxDepth} levels`;
  const unknown = Object.keys(node).find((key) => !READ_HERE.has(key) && !walk.profile.keywords.has(key));
  if (unknown !== undefined) return `${at} uses '${unknown}'`;
  return (
    definitionsReason(node, place, walk) ??
    referenceReason(node, { at, place, walk }) ??
    typeReason(node, at) ??
    valuesReason(node, walk) ??
    objectReason(node, { at, place, walk }) ??
    arrayReason(node, { at, place, walk }) ??
    unionReason(node, { at, place, walk })
  );
}

interface Here {
  at: string;
  place: Place;
  walk: Walk;
}

function definitionsReason(node: Record<string, unknown>, place: Place, walk: Walk): string | undefined {
  for (const keyword of ['$defs', 'definitions']) {
    for (const [name, definition] of Object.entries(isRecord(node[keyword]) ? node[keyword] : {})) {
      walk.characters += name.length;
      const within = [...place.within, `#/${keyword}/${name}`];
      const reason = reasonOf(definition, { path: `${keyword}.${name}`, depth: 1, within }, walk);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

function referenceReason(node: Record<string, unknown>, { at, place, walk }: Here): string | undefined {
  const { $ref } = node;
  if ($ref === undefined) return undefined;
  if (typeof $ref !== 'string' || !isLocal($ref, walk.root))
    return `${at} refers to '${String($ref)}', which is not in the schema`;
  const others = Object.keys(node).find((key) => key !== '$ref' && key !== 'description' && key !== 'title');
  if (others !== undefined) return `${at} has '${others}' beside '$ref'`;
  const isRecursive = $ref === '#' || reaches($ref, { targets: new Set([...place.within, $ref]), root: walk.root });
  return isRecursive && !walk.profile.recursive ? `${at} is recursive` : undefined;
}

function isLocal($ref: string, root: Record<string, unknown>): boolean {
  return $ref === '#' || definitionOf($ref, root) !== undefined;
}

function definitionOf($ref: string, root: Record<string, unknown>): unknown {
  const [, keyword, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? [];
  const owner = keyword === undefined ? undefined : root[keyword];
  return isRecord(owner) && name !== undefined && Object.hasOwn(owner, name) ? owner[name] : undefined;
}

/** Whether what stands behind a reference refers, in any number of steps, to one of the targets. */
function reaches(
  $ref: string,
  { targets, root }: { targets: ReadonlySet<string>; root: Record<string, unknown> },
): boolean {
  const seen = new Set<string>();
  const pending = [$ref];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const found = referencesIn(definitionOf(next, root));
    if (found.some((reference) => reference === '#' || targets.has(reference))) return true;
    pending.push(...found);
  }
  return false;
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}

function typeReason(node: Record<string, unknown>, at: string): string | undefined {
  const { type } = node;
  if (type === undefined) {
    const says = ['$ref', 'anyOf', 'enum', 'const'].some((key) => key in node);
    return says ? undefined : `${at} accepts any value`;
  }
  const types = Array.isArray(type) ? type : [type];
  const other = types.find((name) => !TYPES.has(name));
  return other === undefined ? undefined : `${at} is of the unknown type '${String(other)}'`;
}

function valuesReason(node: Record<string, unknown>, walk: Walk): undefined {
  const values = Array.isArray(node.enum) ? node.enum : 'const' in node ? [node.const] : [];
  walk.enumValues += values.length;
  for (const value of values) walk.characters += String(value).length;
}

function objectReason(node: Record<string, unknown>, { at, place, walk }: Here): string | undefined {
  if (!hasType(node, 'object')) return undefined;
  if (node.additionalProperties !== false) return `${at} allows properties that it does not name`;
  const properties = isRecord(node.properties) ? node.properties : {};
  const required = new Set<unknown>(Array.isArray(node.required) ? node.required : []);
  for (const [name, property] of Object.entries(properties)) {
    walk.properties += 1;
    walk.characters += name.length;
    const path = place.path === '' ? name : `${place.path}.${name}`;
    if (walk.profile.allRequired && !required.has(name)) return `'${path}' is optional`;
    const reason = reasonOf(property, { ...place, path, depth: place.depth + 1 }, walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function arrayReason(node: Record<string, unknown>, { at, place, walk }: Here): string | undefined {
  if (!hasType(node, 'array')) return undefined;
  if (Array.isArray(node.items)) return `${at} is a tuple`;
  return reasonOf(node.items, { ...place, path: `${place.path}[]`, depth: place.depth + 1 }, walk);
}

function unionReason(node: Record<string, unknown>, { at, place, walk }: Here): string | undefined {
  if (node.anyOf === undefined) return undefined;
  if (!Array.isArray(node.anyOf)) return `${at} has an 'anyOf' that is no list`;
  for (const [index, option] of node.anyOf.entries()) {
    const reason = reasonOf(option, { ...place, path: `${place.path}|${index + 1}` }, walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function sizeReason({ profile, properties, enumValues, characters }: Walk): string | undefined {
  if (properties > profile.maxProperties) return `it has ${properties} properties, over ${profile.maxProperties}`;
  if (enumValues > profile.maxEnumValues) return `it has ${enumValues} enum values, over ${profile.maxEnumValues}`;
  if (characters > profile.maxCharacters)
    return `its names and values have ${characters} characters, over ${profile.maxCharacters}`;
  return undefined;
}

function hasType(node: Record<string, unknown>, type: string): boolean {
  return node.type === type || (Array.isArray(node.type) && node.type.includes(type));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
