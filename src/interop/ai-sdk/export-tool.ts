import type { ToolHost, ToolListing } from '../../host/types.js';
import type { ToolDescriptor } from '../../tool/descriptor.js';
import { markOriginal } from '../original-tool.js';
import { callOfAiSdk, type ExportSettings } from './call-of-ai-sdk.js';
import { exportedSchema } from './exported-schema.js';
import { withInputSeen } from './input-callbacks.js';
import { exportedModelOutput } from './model-output.js';
import { askedByAiSdk } from './review-call.js';
import { callContext } from './sdk-version.js';
import { streamOutcome } from './stream-outcome.js';
import type { AiSdkExecutionOptions, AiSdkJson, AiSdkTool } from './types.js';

/** Carried from the registered tool as they are, whatever they hold. */
const CARRIED = [
  'strict',
  'inputExamples',
  'providerOptions',
  'deferLoading',
  'contextSchema',
  'type',
  'id',
  'args',
  'isProviderExecuted',
] as const;

type Carrier = ToolDescriptor & Partial<Record<(typeof CARRIED)[number], unknown>>;

/** One tool of the host as a tool of the AI SDK, where its name is `key`. */
export function exportTool(
  host: ToolHost,
  { key, listing }: { key: string; listing: ToolListing },
  settings: ExportSettings,
): AiSdkTool {
  const { name, displayName, description, inputSchema, outputSchema } = listing;
  const descriptor = (host.registry.get(name) ?? {}) as Carrier;
  const tool: AiSdkTool = {
    description,
    title: displayName,
    inputSchema: exportedSchema(inputSchema),
    metadata: metadataOf(descriptor, listing),
    ...(outputSchema === undefined ? {} : { outputSchema: exportedSchema(outputSchema) }),
    ...(settings.approve === undefined ? { needsApproval: askedByAiSdk(host, { name, key }, settings) } : {}),
    execute: executeOf(host, { name, key, descriptor }, { settings, isStream: isStream(descriptor) }),
    toModelOutput: exportedModelOutput(descriptor, name, settings),
  };
  const carried = CARRIED.filter((key) => descriptor[key] !== undefined).map((key) => [key, descriptor[key]]);
  Object.assign(tool, Object.fromEntries(carried), inputCallbacks(host, name, descriptor));
  // The AI SDK hands such a call to its own caller, who runs it.
  if ((descriptor as { clientSide?: unknown }).clientSide === true) delete (tool as Partial<AiSdkTool>).execute;
  return markOriginal(tool, descriptor);
}

function executeOf(
  host: ToolHost,
  tool: { name: string; key: string; descriptor: Carrier },
  { settings, isStream: streams }: { settings: ExportSettings; isStream: boolean },
): AiSdkTool['execute'] {
  const run = (input: unknown, options: AiSdkExecutionOptions, more: Parameters<typeof callOfAiSdk>[3] = {}) =>
    withInputSeen(options.toolCallId, () => callOfAiSdk(host, { ...tool, input, options }, settings, more));
  if (!streams) return (input, options = BY_HAND) => run(input, options);
  return (input, options = BY_HAND) =>
    streamOutcome((onSnapshot, signal) => run(input, options, { onSnapshot, leaving: signal }));
}

/** Called without the AI SDK: the host gives the call an id. */
const BY_HAND: AiSdkExecutionOptions = { toolCallId: '', messages: [] };

/** Known before it runs: the AI SDK streams only what `execute` returns at once. */
function isStream(descriptor: Carrier): boolean {
  const { streaming, requiresSandbox, sandboxExecute, execute, tool } = descriptor as Carrier & { streaming?: unknown };
  if (typeof streaming === 'boolean') return streaming;
  const run = requiresSandbox === true ? sandboxExecute : (execute ?? tool?.execute);
  return Object.prototype.toString.call(run) === '[object AsyncGeneratorFunction]';
}

function metadataOf(descriptor: object, { displayName, annotations }: ToolListing): Metadata {
  const { metadata } = descriptor as { metadata?: unknown };
  const own = typeof metadata === 'object' && metadata !== null ? (metadata as Metadata) : {};
  if (annotations === undefined) return { ...own, displayName };
  const mcp = typeof own.mcp === 'object' && own.mcp !== null && !Array.isArray(own.mcp) ? own.mcp : {};
  return { ...own, displayName, mcp: { ...mcp, annotations: annotations as { [key: string]: AiSdkJson } } };
}

type Metadata = AiSdkTool['metadata'];

/** What the AI SDK says of arguments that are still being written goes to the host; an imported tool hears it there. */
function inputCallbacks(host: ToolHost, toolName: string, descriptor: object): object {
  const { onInputAvailable } = descriptor as { onInputAvailable?: (options: unknown) => unknown };
  const call = (options: AiSdkExecutionOptions) => ({ toolCallId: options.toolCallId, toolName });
  const rest = (options: AiSdkExecutionOptions) => ({
    messages: options.messages,
    ...callContext(options),
    ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
  });
  return {
    onInputStart: (options: AiSdkExecutionOptions) => host.input.start(call(options), rest(options)),
    onInputDelta: (options: AiSdkExecutionOptions & { inputTextDelta: string }) =>
      host.input.delta({ ...call(options), text: options.inputTextDelta }, rest(options)),
    ...(typeof onInputAvailable === 'function' && {
      onInputAvailable: (options: unknown) => onInputAvailable.call(descriptor, options),
    }),
  };
}
