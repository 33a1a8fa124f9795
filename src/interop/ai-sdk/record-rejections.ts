import type { ToolHost } from '../../host/types.js';
import { rejectionsOfRecord } from './approval-record.js';
import { callContext } from './sdk-version.js';
import type { AiSdkToolNames } from './tool-keys.js';
import type { AiSdkApprovalOptions } from './types.js';
import { useApproval } from './used-approvals.js';

/**
 * Tells the host of the calls that a person has just rejected in the transcript: the AI SDK does not make them, so the
 * host hears of them with whatever call of its tools comes next.
 */
export async function recordRejections(
  host: ToolHost,
  options: AiSdkApprovalOptions,
  names: AiSdkToolNames = {},
): Promise<void> {
  for (const { approvalId, call, note } of rejectionsOfRecord(options.messages ?? [])) {
    const toolName = hostName(names, call.key);
    if (host.registry.get(toolName) === undefined) continue;
    if (!useApproval(host, { approvalId, toolCallId: call.toolCallId })) continue;
    const answer = { approvalId, ...(note === undefined ? {} : { note }) };
    const made = { toolCallId: call.toolCallId, toolName, args: call.input };
    await host.approvals.recordRejection(made, answer, callContext(options));
  }
}

function hostName(names: AiSdkToolNames, key: string): string {
  return Object.entries(names).find(([, there]) => there === key)?.[0] ?? key;
}
