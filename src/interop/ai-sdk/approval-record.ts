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
  const asked = messages.flatMap((message) => partsOf(message, 'assistant'));
  const answers = messages.flatMap((message) => partsOf(message, 'tool'));
  const ofCall = (type: string) => asked.filter((part) => part.type === type && part.toolCallId === call.toolCallId);
  const requests = new Set(ofCall('tool-approval-request').map(({ approvalId }) => approvalId));
  const answer = answers.findLast(
    ({ type, approvalId }) => type === 'tool-approval-response' && requests.has(approvalId),
  );
  return answer?.approved === true && isDeepStrictEqual(ofCall('tool-call').at(-1)?.input, call.input);
}

/** What a person wrote is no record, whatever it looks like. */
function partsOf(message: unknown, from: 'assistant' | 'tool'): Part[] {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  if (role !== from) return [];
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}
