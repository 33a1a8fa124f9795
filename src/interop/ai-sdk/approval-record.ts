import { isDeepStrictEqual } from 'node:util';

interface Part {
  type?: unknown;
  toolCallId?: unknown;
  approvalId?: unknown;
  approved?: unknown;
  input?: unknown;
}

/**
 * Whether the transcript says that somebody approved this very call: a request for it, the answer `approved`, and a
 * call with these arguments. Where answers contradict each other the last one counts.
 */
export function wasApproved(messages: readonly unknown[], call: { toolCallId: string; input: unknown }): boolean {
  const parts = messages.flatMap(partsOf);
  const ofCall = (type: string) => parts.filter((part) => part.type === type && part.toolCallId === call.toolCallId);
  const requests = new Set(ofCall('tool-approval-request').map(({ approvalId }) => approvalId));
  const answer = parts.findLast(
    ({ type, approvalId }) => type === 'tool-approval-response' && requests.has(approvalId),
  );
  return answer?.approved === true && isDeepStrictEqual(ofCall('tool-call').at(-1)?.input, call.input);
}

function partsOf(message: unknown): Part[] {
  const { content } = (message ?? {}) as { content?: unknown };
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}
