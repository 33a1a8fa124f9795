import type { ToolHost } from '../../host/types.js';
import type { Decision } from '../../permissions/rules/rule.js';
import { isPropagatingToolError } from '../../tool/propagating-error.js';
import { approvalOfRecord } from './approval-record.js';
import type { ExportSettings } from './call-of-ai-sdk.js';
import { recordRejections } from './record-rejections.js';
import { callContext } from './sdk-version.js';
import type { AiSdkApprovalOptions, AiSdkTool } from './types.js';

/** Whether the AI SDK asks before a call runs. A denied call is not asked about: it runs into its refusal. */
export function askedByAiSdk(
  host: ToolHost,
  { name, key }: { name: string; key: string },
  { version, names }: Pick<ExportSettings, 'version' | 'names'>,
): NonNullable<AiSdkTool['needsApproval']> {
  return async (input, options) => {
    version.notice(options);
    await recordRejections(host, options, names);
    // Version 6 asks again before it runs what was approved, and refuses it for a no: the call itself is decided anew.
    if (approvalOfRecord(options.messages ?? [], { toolCallId: options.toolCallId, key, input }) !== undefined)
      return true;
    return (await reviewCall(host, { name, input, options }))?.effect === 'ask';
  };
}

/**
 * The host's decision on a call that the AI SDK is about to make; `undefined` when the call would fail anyway.
 * @throws PropagatingToolError
 */
export async function reviewCall(
  host: ToolHost,
  {
    name,
    input,
    options,
    recordDenial = false,
  }: { name: string; input: unknown; options: AiSdkApprovalOptions; recordDenial?: boolean },
): Promise<Decision | undefined> {
  const { toolCallId, messages = [] } = options;
  try {
    const call = { toolCallId, toolName: name, args: input };
    return await host.review(call, { messages, ...callContext(options), recordDenial });
  } catch (error) {
    if (isPropagatingToolError(error)) throw error;
    // The tool's own predicate failed: so does the call, and that says why.
    return undefined;
  }
}
