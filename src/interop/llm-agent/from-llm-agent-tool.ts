import { anything, flag, oneOf } from '../../checks/kinds.js';
import { checkOptions, shapeOf } from '../../checks/options.js';
import { fromJsonSchema } from '../../tool/from-json-schema.js';
import type { NamedTool } from '../../tool/registry.js';
import { checkToolName } from '../../tool/tool-name.js';
import { originalOf } from '../original-tool.js';
import { executeImported } from './imported-execute.js';
import type { AnyLlmAgentTool } from './types.js';

export interface FromLlmAgentToolOptions {
  /** Given to the tool as its `ctx`, by reference. Default: the context of the call, or the host's. */
  context?: unknown;
  /** What a throw is: the end of the whole run, as in llm-agent (`propagate`, the default), or an error of this call (`result`). */
  onThrow?: 'propagate' | 'result';
  /** Whether arguments are checked against `parameters`, which llm-agent itself never does. Default true. */
  validate?: boolean;
}

const OPTIONS = shapeOf<FromLlmAgentToolOptions>({
  context: anything,
  onThrow: oneOf(['propagate', 'result']),
  validate: flag,
});

/**
 * A tool of llm-agent, 0.3 or newer, as a tool of the host: made by hand, by `tool()`, `zodTool()` or `typeboxTool()`.
 * What it returns with `is_error` is an error of kind `execution`, with its parts on the outcome's `content`.
 *
 * @throws TypeError naming the tool and the fix: a name that breaks the pattern, `parameters` that are no object's
 * schema, a tool that runs at the provider, an unknown option.
 * @example
 * const host = createToolHost({ tools: [fromLlmAgentTool(intakeItemTool)], context: createContext() });
 */
export function fromLlmAgentTool(tool: AnyLlmAgentTool, options: FromLlmAgentToolOptions = {}): NamedTool {
  if (typeof tool !== 'object' || tool === null) {
    throw new TypeError('Cannot import a tool: a tool of llm-agent is an object with name, parameters and execute');
  }
  refuseProviderTool(tool);
  const { name, description, parameters, execute } = tool;
  checkToolName(name);
  checkOptions(`Cannot import tool '${name}'`, options, OPTIONS);
  if (typeof execute !== 'function') {
    throw new TypeError(`Cannot import tool '${name}': it has no 'execute' function, so nothing would run`);
  }
  return (
    originalOf(tool, name) ?? {
      name,
      displayName: name,
      description: typeof description === 'string' && description.trim() !== '' ? description : name,
      inputSchema: readParameters(name, parameters, options),
      requiresSandbox: false,
      execute: executeImported(name, tool, options),
    }
  );
}

function refuseProviderTool({ type, name, execute }: AnyLlmAgentTool): void {
  if (type === undefined || type === 'function') return;
  if (typeof name === 'string' && typeof execute === 'function') return;
  throw new TypeError(
    `Cannot import a tool of type '${type}': it runs at the model's provider, not here. Give it to the agent itself`,
  );
}

function readParameters(name: string, parameters: unknown, { validate }: FromLlmAgentToolOptions): unknown {
  const { type, $ref } = (parameters ?? {}) as { type?: unknown; $ref?: unknown };
  if (type !== 'object') {
    const hint = $ref === undefined ? '' : '; zodTool() makes such a schema of zod 4: use zod 3, or write JSON Schema';
    const shown = type === undefined ? 'none' : JSON.stringify(type);
    throw new TypeError(
      `Cannot import tool '${name}': the type of its 'parameters' must be "object", not ${shown}${hint}`,
    );
  }
  const schema = readSchema(name, parameters as Record<string, unknown>);
  if (validate !== false) return schema;
  const accept = (value: unknown) => ({ value });
  return { '~standard': { ...schema['~standard'], validate: accept } };
}

/** Symbol keys, which TypeBox hangs on its schemas, are left behind. */
function readSchema(name: string, parameters: Record<string, unknown>): ReturnType<typeof fromJsonSchema> {
  try {
    return fromJsonSchema(parameters);
  } catch (error) {
    throw new TypeError(`Cannot import tool '${name}': ${(error as Error).message}`, { cause: error });
  }
}
