import type { Policy } from '../permissions/policy.js';
import type { DescriptionOptions, ResolvedTool } from '../tool/descriptor.js';
import type { ToolRegistry } from '../tool/registry.js';
import { readThrown } from '../tool/thrown.js';
import type { ToolListing } from './types.js';

/** The tools a model may see: those that every call of would be denied are left out. */
export function listTools(
  { registry, policy }: { registry: ToolRegistry; policy: Pick<Policy, 'isWhollyDenied'> },
  options: DescriptionOptions,
): ToolListing[] {
  return registry
    .list()
    .filter((name) => !policy.isWhollyDenied(name))
    .flatMap((name) => registry.resolve(name) ?? [])
    .map((tool) => toListing(tool, options));
}

/**
 * Whoever makes a host learns of a description that cannot be told; later on none spoils a listing.
 * @throws TypeError naming the tool and the fix
 */
export function checkDescriptions(registry: ToolRegistry, options: DescriptionOptions): void {
  for (const name of registry.list()) {
    try {
      registry.resolve(name)?.describe(options);
    } catch (error) {
      throw new TypeError(
        `Cannot describe tool '${name}': its description function failed: ${readThrown(error).message}. Give createToolHost the 'context' it reads`,
        { cause: error },
      );
    }
  }
}

/** Copies: what a caller does to a listing changes no tool. */
function toListing(tool: ResolvedTool, options: DescriptionOptions): ToolListing {
  const { name, displayName, schema, outputSchema, annotations } = tool;
  return {
    name,
    displayName,
    description: descriptionOf(tool, options),
    inputSchema: structuredClone(schema.jsonSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: structuredClone(outputSchema.jsonSchema) }),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  };
}

function descriptionOf({ describe, displayName }: ResolvedTool, options: DescriptionOptions): string {
  try {
    return describe(options);
  } catch {
    return displayName;
  }
}
