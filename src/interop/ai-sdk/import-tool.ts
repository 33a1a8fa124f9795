import type { ToolAnnotations } from '../../tool/annotations.js';
import type { ApprovalCall } from '../../tool/approval.js';
import type { NamedTool } from '../../tool/registry.js';
import { toToolSchema } from '../../tool/schema.js';
import type { FromAiSdkToolOptions } from './from-ai-sdk-tool.js';
import { importedDescription } from './imported-description.js';
import { executeImported, executeImportedInSandbox } from './imported-execute.js';
import { InputCallbacks } from './input-callbacks.js';
import type { AiSdkExecutionOptions, AnyAiSdkTool } from './types.js';

/** Carried, for those who export the tool again. */
const CARRIED = [
  'type',
  'id',
  'args',
  'isProviderExecuted',
  'strict',
  'inputExamples',
  'providerOptions',
  'metadata',
  'deferLoading',
  'contextSchema',
] as const;

type Schemas = Pick<AnyAiSdkTool, 'inputSchema' | 'outputSchema'>;

/** @throws TypeError naming the tool and the fix */
export function importTool(
  name: string,
  { inputSchema, outputSchema }: Schemas,
  { tool, options }: { tool: AnyAiSdkTool; options: FromAiSdkToolOptions },
): NamedTool {
  refuseProviderExecuted(name, tool);
  refuseUnusable(name, tool, options);
  const schema = readInput(name, inputSchema);
  const carried = CARRIED.filter((key) => key in tool && tool[key as keyof AnyAiSdkTool] !== undefined);
  const input = new InputCallbacks(tool);
  const displayName = displayNameOf(name, tool);
  const imported = {
    ...Object.fromEntries(carried.map((key) => [key, tool[key as keyof AnyAiSdkTool]])),
    ...boundMethod(tool, 'toModelOutput'),
    ...inputListeners(tool, input, options),
    name,
    displayName,
    description: importedDescription(name, tool, options),
    inputSchema: schema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...approvalOf(tool, options),
    ...annotationsOf(tool),
    requiresSandbox: options.sandbox === 'require',
    execute: executeImported({ name, tool, options, input }),
    ...(options.sandbox === 'require'
      ? { sandboxExecute: executeImportedInSandbox({ name, tool, options, input }) }
      : {}),
    streaming: Object.prototype.toString.call(tool.execute) === '[object AsyncGeneratorFunction]',
    ...(tool.execute === undefined ? { clientSide: true } : {}),
  };
  return imported as NamedTool;
}

function readInput(name: string, inputSchema: unknown): unknown {
  if (inputSchema === undefined) {
    throw new TypeError(`Cannot import tool '${name}': it has no 'inputSchema'. Make it with the AI SDK's tool()`);
  }
  toToolSchema(inputSchema, { toolName: name, role: 'input' });
  return inputSchema;
}

function refuseProviderExecuted(name: string, { type, id, isProviderExecuted, execute }: AnyAiSdkTool): void {
  const isOfProvider = type === 'provider' || type === 'provider-defined';
  if (isProviderExecuted !== true && !(isOfProvider && typeof execute !== 'function')) return;
  throw new TypeError(
    `Cannot import tool '${name}': '${id ?? type}' runs at the model's provider, not here. Give it to generateText itself, beside the host's tools`,
  );
}

function refuseUnusable(name: string, { execute }: AnyAiSdkTool, { clientSide }: FromAiSdkToolOptions): void {
  if (typeof execute === 'function' || (execute === undefined && clientSide === true)) return;
  throw new TypeError(
    `Cannot import tool '${name}': it has no 'execute' function, so nothing would run. Add one, or list it with clientSide: true`,
  );
}

function boundMethod(tool: AnyAiSdkTool, key: 'toModelOutput'): { [key: string]: unknown } {
  const method: unknown = tool[key];
  return typeof method === 'function' ? { [key]: method.bind(tool) } : {};
}

/** What the host, or the AI SDK the tool is exported to, tells of arguments that are still being written. */
function inputListeners(tool: AnyAiSdkTool, input: InputCallbacks, given: FromAiSdkToolOptions): object {
  const { onInputStart, onInputDelta, onInputAvailable } = tool;
  const told = (options: AiSdkExecutionOptions) => {
    const context = 'context' in given ? given.context : (options.context ?? options.experimental_context);
    return { ...options, messages: [...options.messages], context, experimental_context: context };
  };
  return {
    ...(onInputStart && { onInputStart: (options: AiSdkExecutionOptions) => input.start(told(options)) }),
    ...(onInputDelta && {
      onInputDelta: (options: AiSdkExecutionOptions) => onInputDelta.call(tool, told(options) as never),
    }),
    ...(onInputAvailable && {
      onInputAvailable: (options: AiSdkExecutionOptions) => onInputAvailable.call(tool, told(options) as never),
    }),
  };
}

function displayNameOf(name: string, { title, metadata }: AnyAiSdkTool): string {
  const { displayName } = (metadata ?? {}) as { displayName?: unknown };
  return (
    ([title, displayName].find((text) => typeof text === 'string' && text.trim() !== '') as string | undefined) ?? name
  );
}

function approvalOf(tool: AnyAiSdkTool, options: FromAiSdkToolOptions): { needsApproval?: unknown } {
  const { needsApproval } = tool;
  if (typeof needsApproval !== 'function') return needsApproval === undefined ? {} : { needsApproval };
  return {
    needsApproval: (input: unknown, call: ApprovalCall) => {
      const context = 'context' in options ? options.context : call.context;
      const { toolCallId } = call;
      const told = { toolCallId, messages: [...call.messages], context, experimental_context: context };
      return needsApproval.call(tool, input as never, told as never);
    },
  };
}

function annotationsOf({ metadata }: AnyAiSdkTool): { annotations?: ToolAnnotations } {
  const { mcp } = (metadata ?? {}) as { mcp?: { annotations?: unknown } };
  const annotations = mcp?.annotations;
  return typeof annotations === 'object' && annotations !== null ? { annotations: { ...annotations } } : {};
}
