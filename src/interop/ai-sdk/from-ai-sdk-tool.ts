import { anything, flag, oneOf } from '../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../checks/options.js';
import type { NamedTool } from '../../tool/registry.js';
import { checkToolName } from '../../tool/tool-name.js';
import { originalOf } from '../original-tool.js';
import { importTool } from './import-tool.js';
import { hasPendingSchema, resolveSchemas } from './resolve-schemas.js';
import type { AnyAiSdkTool } from './types.js';

export interface FromAiSdkToolOptions {
  /** Given to the tool as `context` and `experimental_context`. Default: the context of the call, or the host's. */
  context?: unknown;
  /**
   * Whether the tool gets the host's sandbox as `experimental_sandbox`: never (`none`, the default), where the host has
   * one (`pass`), or always, and it does not run without (`require`). The tool's own code runs in this process all the same.
   */
  sandbox?: 'none' | 'pass' | 'require';
  /** Take a tool without `execute`: it is listed, and a call of it fails, saying so. Default false: it is refused. */
  clientSide?: boolean;
}

const OPTIONS = shapeOf<FromAiSdkToolOptions>({
  context: anything,
  sandbox: oneOf(['none', 'pass', 'require']),
  clientSide: flag,
});

/**
 * A tool of the AI SDK, 6 or 7, as a tool of the host. Its arguments are checked by its own schema, its result by its
 * `outputSchema`. A tool that `toAiSdkTools` made comes back as the tool it stands for.
 *
 * @param name What the model calls it by: a tool of the AI SDK has no name of its own.
 * @throws TypeError naming the tool and the fix: a name that breaks the pattern, a schema that is no object's or is
 * still a promise, a tool that runs at the provider, a tool without `execute`, an unknown option.
 * @example
 * const host = createToolHost({ tools: [fromAiSdkTool('get_weather', weatherTool)] });
 */
export function fromAiSdkTool(name: string, tool: AnyAiSdkTool, options: FromAiSdkToolOptions = {}): NamedTool {
  checkToolName(name);
  checkOptions(`Cannot import tool '${name}'`, options, OPTIONS);
  if (typeof tool !== 'object' || tool === null) {
    throw new TypeError(`Cannot import tool '${name}': a tool of the AI SDK is required, such as the result of tool()`);
  }
  const original = originalOf(tool, name);
  if (original !== undefined) return original;
  if (hasPendingSchema(tool)) {
    throw new TypeError(
      `Cannot import tool '${name}': its schema is still a promise. Use await loadAiSdkTools({ ${JSON.stringify(name)}: tool })`,
    );
  }
  return importTool(name, tool, { tool, options });
}

/**
 * Every tool of a set, as `fromAiSdkTool` does. The key is the name.
 * @throws TypeError as `fromAiSdkTool` does
 */
export function fromAiSdkTools(tools: Record<string, AnyAiSdkTool>, options: FromAiSdkToolOptions = {}): NamedTool[] {
  return entriesOf(tools).map(([name, tool]) => fromAiSdkTool(name, tool, options));
}

/**
 * The same for tools whose JSON Schema is a promise: it is awaited.
 * @throws TypeError as `fromAiSdkTool` does; what a schema's promise rejects with
 */
export async function loadAiSdkTools(
  tools: Record<string, AnyAiSdkTool>,
  options: FromAiSdkToolOptions = {},
): Promise<NamedTool[]> {
  return Promise.all(
    entriesOf(tools).map(async ([name, tool]) => {
      if (typeof tool !== 'object' || tool === null || originalOf(tool, name) !== undefined || !hasPendingSchema(tool))
        return fromAiSdkTool(name, tool, options);
      checkToolName(name);
      checkOptions(`Cannot import tool '${name}'`, options, OPTIONS);
      return importTool(name, await resolveSchemas(tool), { tool, options });
    }),
  );
}

function entriesOf(tools: Record<string, AnyAiSdkTool>): [string, AnyAiSdkTool][] {
  if (typeof tools === 'object' && tools !== null && !Array.isArray(tools)) return Object.entries(tools);
  throw new TypeError('Cannot import tools: give them as an object, by the names that a model calls them by');
}
