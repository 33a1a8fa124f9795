import type { ToolHost } from '../../host/types.js';
import type { Decision } from '../../permissions/rule.js';
import { isPropagatingToolError } from '../../tool/propagating-error.js';
import { callContext, type SdkVersion } from './sdk-version.js';
import type { AiSdkApprovalOptions, AiSdkTool } from './types.js';

/** Whether the AI SDK asks before a call runs. A denied call is not asked about: it runs into its refusal. */
export function askedByAiSdk(
  host: ToolHost,
  name: string,
  version: SdkVersion,
): NonNullable<AiSdkTool['needsApproval']> {
  return async (input, options) => {
    version.notice(options);
    return (await reviewCall(host, { name, input, options }))?.effect === 'ask';
  };
}

/**
 * The host's decision on a call that the AI SDK is about to make; `undefined` when the call would fail anyway.
 * @throws PropagatingToolError
 */
export async function reviewCall(
  host: ToolHost,
  { name, input, options }: { name: string; input: unknown; options: AiSdkApprovalOptions },
): Promise<Decision | undefined> {
  const { toolCallId, messages = [] } = options;
  try {
    return await host.review({ toolCallId, toolName: name, args: input }, { messages, ...callContext(options) });
  } catch (error) {
    if (isPropagatingToolError(error)) throw error;
    // The tool's own predicate failed: so does the call, and that says why.
    return undefined;
  }
}
