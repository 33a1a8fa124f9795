import type { Policy } from '../permissions/policy.js';
import type { ResolvedTool } from '../tool/descriptor.js';
import type { ToolRegistry } from '../tool/registry.js';
import type { ToolListing } from './types.js';

/** The tools a model may see: those that every call of would be denied are left out. */
export function listTools(registry: ToolRegistry, policy: Policy): ToolListing[] {
  return registry
    .list()
    .filter((name) => !policy.isWhollyDenied(name))
    .flatMap((name) => registry.resolve(name) ?? [])
    .map(toListing);
}

/** Copies: what a caller does to a listing changes no tool. */
function toListing({ name, displayName, description, schema, outputSchema, annotations }: ResolvedTool): ToolListing {
  return {
    name,
    displayName,
    description,
    inputSchema: structuredClone(schema.jsonSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: structuredClone(outputSchema.jsonSchema) }),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  };
}
