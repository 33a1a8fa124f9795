import { checkOptions, shapeOf } from '../../checks/options.js';
import type { ToolHost } from '../../host/types.js';
import type { Decision } from '../../permissions/rules/rule.js';
import { recordRejections } from './record-rejections.js';
import { reviewCall } from './review-call.js';
import { type AiSdkToolNames, keyed, keyedDenied, toolNames } from './tool-keys.js';
import type { AiSdkApprovalStatus, AiSdkToolApproval } from './types.js';

export interface ToAiSdkToolApprovalOptions {
  /** The same as `toAiSdkTools` was given. */
  names?: AiSdkToolNames;
}

const OPTIONS = shapeOf<ToAiSdkToolApprovalOptions>({ names: toolNames });

/**
 * The host's decisions as the `toolApproval` option of the AI SDK 7: what is denied is told to the model as
 * `execution-denied` with the reason and never runs, what needs approval stops the run with an approval request, the
 * rest runs. Version 6 has no such option; there the tools' own `needsApproval` asks, and a denied call is a tool error.
 * @throws TypeError for an unknown option, and for two tools of one name
 */
export function toAiSdkToolApproval(host: ToolHost, options: ToAiSdkToolApprovalOptions = {}): AiSdkToolApproval {
  checkOptions('toAiSdkToolApproval', options, OPTIONS);
  const approval: AiSdkToolApproval = Object.create(null);
  for (const [key, { name }] of [...keyed(host.tools(), options.names), ...keyedDenied(host, options.names)]) {
    approval[key] = async (input, { toolCallId, messages, toolContext }) => {
      const about = { toolCallId, messages, context: toolContext };
      await recordRejections(host, about, options.names);
      // What is denied here never comes to the host as a call.
      return toStatus(await reviewCall(host, { name, input, options: about, recordDenial: true }));
    };
  }
  return approval;
}

function toStatus(decision: Decision | undefined): AiSdkApprovalStatus {
  if (decision?.effect === 'deny') return { type: 'denied', reason: reasonOf(decision) };
  return decision?.effect === 'ask' ? 'user-approval' : 'not-applicable';
}

function reasonOf({ rule }: Decision): string {
  if (rule?.reason !== undefined) return rule.reason;
  return rule === undefined ? 'Permission denied by the default of the policy' : `Permission denied by '${rule.text}'`;
}
