import type { CallOptions, ToolHost } from '../../host/types.js';
import type { SandboxAdapter } from '../../sandbox/contract.js';
import { isPropagatingToolError } from '../../tool/propagating-error.js';
import type { ToolErrorResult } from '../../tool/result.js';
import { approvalOfRecord, type RecordedCall } from './approval-record.js';
import { asErrorValue } from './error-value.js';
import { fromAiSdkSandbox } from './from-ai-sdk-sandbox.js';
import { HostToolError } from './host-tool-error.js';
import { recordRejections } from './record-rejections.js';
import type { AnyAiSdkSandboxSession } from './sandbox-types.js';
import { callContext, type SdkVersion } from './sdk-version.js';
import type { ToAiSdkToolsOptions } from './to-ai-sdk-tools.js';
import type { AiSdkExecutionOptions } from './types.js';
import { useApproval } from './used-approvals.js';

export type ExportSettings = Omit<ToAiSdkToolsOptions, 'version'> & { version: SdkVersion };

interface AiSdkCall {
  name: string;
  /** The tool's name in the AI SDK. */
  key: string;
  /** The tool as it was when it was exported, and as the AI SDK asked about it. */
  descriptor: object;
  input: unknown;
  options: AiSdkExecutionOptions;
}

const NOT_ASKED =
  'It needs approval and the AI SDK asked nobody about this call of this tool: leave `needsApproval` as toAiSdkTools made it, rename tools with its `names`, or give it an `approve`';
const CHANGED = 'Its tool changed after this set of tools was made, and so after its approval was asked for';
const USED = 'Its approval was used before, and an approval is for one call: call the tool again to ask anew';
const NOT_DECIDED = 'It needs approval, and nobody decided while the call waited';

/**
 * A call of the AI SDK, run by the host.
 * @throws HostToolError when it failed, unless errors are values
 * @throws PropagatingToolError after `onPropagate` was told of it
 */
export async function callOfAiSdk(
  host: ToolHost,
  { name, key, descriptor, input, options }: AiSdkCall,
  settings: ExportSettings,
  { onSnapshot, leaving }: { onSnapshot?: (snapshot: unknown) => void; leaving?: AbortSignal } = {},
): Promise<unknown> {
  settings.version.notice(options);
  const { toolCallId, messages = [] } = options;
  const signals = [options.abortSignal, leaving].filter((signal) => signal !== undefined);
  try {
    await recordRejections(host, options, settings.names);
    const outcome = await host.call(
      { toolCallId, toolName: name, args: input },
      {
        messages,
        ...callContext(options),
        ...sandboxOf(options),
        ...approvalOf(host, settings, { name, descriptor, messages, call: { toolCallId, key, input } }),
        ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
        ...(onSnapshot === undefined ? {} : { onPartial: ({ output }) => onSnapshot(output) }),
      },
    );
    if (outcome.status === 'ok') return outcome.output;
    if (outcome.status === 'error') return fail(outcome.error, settings);
    const rejected = await host.approvals.resolve(outcome.approval.id, { decision: 'reject', note: NOT_DECIDED });
    return rejected.status === 'error' ? fail(rejected.error, settings) : undefined;
  } catch (error) {
    if (isPropagatingToolError(error)) settings.onPropagate?.(error);
    throw error;
  }
}

/** The AI SDK's own approval replaces the host's: it is looked up in the transcript, and taken for nothing else. */
function approvalOf(
  host: ToolHost,
  { approve }: ExportSettings,
  {
    name,
    descriptor,
    messages,
    call,
  }: Pick<AiSdkCall, 'name' | 'descriptor'> & {
    messages: readonly unknown[];
    call: RecordedCall;
  },
): Pick<CallOptions, 'approve'> {
  if (approve === 'host') return {};
  if (approve !== undefined) return { approve };
  const approvalId = approvalOfRecord(messages, call);
  if (approvalId === undefined) return rejecting(NOT_ASKED);
  if (host.registry.get(name) !== descriptor) return rejecting(CHANGED);
  return useApproval(host, { approvalId, toolCallId: call.toolCallId }) ? { approve: 'approved' } : rejecting(USED);
}

function rejecting(note: string): Pick<CallOptions, 'approve'> {
  return { approve: () => ({ decision: 'reject', note }) };
}

/** Used only by a host that has no sandbox of its own. */
function sandboxOf({ experimental_sandbox }: AiSdkExecutionOptions): { sandbox?: SandboxAdapter } {
  if (typeof experimental_sandbox !== 'object' || experimental_sandbox === null) return {};
  return { sandbox: fromAiSdkSandbox(experimental_sandbox as AnyAiSdkSandboxSession) };
}

function fail(error: ToolErrorResult, { errors }: ExportSettings): ToolErrorResult {
  if (errors === 'value') return asErrorValue(error);
  throw new HostToolError(error);
}
