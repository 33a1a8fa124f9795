import { isDeepStrictEqual } from 'node:util';

interface Part {
  type?: unknown;
  toolCallId?: unknown;
  toolName?: unknown;
  approvalId?: unknown;
  approved?: unknown;
  input?: unknown;
  isAutomatic?: unknown;
  reason?: unknown;
}

/** A call as the AI SDK makes it; `key` is the name of its tool there. */
export interface RecordedCall {
  toolCallId: string;
  key: string;
  input: unknown;
}

/**
 * The id of the approval by which the transcript says that somebody approved this very call: the last call under its
 * id has its tool and its arguments, a request for that one was answered `approved`, and it has no result yet. Where
 * answers contradict each other the last one counts. `undefined` when there is none.
 */
export function approvalOfRecord(messages: readonly unknown[], call: RecordedCall): string | undefined {
  let made: Part | undefined;
  let asked: unknown;
  let isApproved = false;
  for (const message of messages) {
    const said = partsOf(message, 'assistant').filter(({ toolCallId }) => toolCallId === call.toolCallId);
    // Some providers count their ids anew in every turn: what was answered before is about another call.
    const again = said.findLast(({ type }) => type === 'tool-call');
    const request = said.findLast(({ type }) => type === 'tool-approval-request');
    if (again !== undefined || request !== undefined) isApproved = false;
    if (again !== undefined) [made, asked] = [again, undefined];
    if (request !== undefined) asked = request.approvalId;
    for (const part of partsOf(message, 'tool')) {
      if (part.type === 'tool-approval-response' && part.approvalId === asked) isApproved = part.approved === true;
      if (part.type === 'tool-result' && part.toolCallId === call.toolCallId) [made, isApproved] = [undefined, false];
    }
  }
  const isThisCall = made?.toolName === call.key && isDeepStrictEqual(made.input, call.input);
  return isApproved && isThisCall && typeof asked === 'string' ? asked : undefined;
}

/**
 * The calls that a person has just rejected, by the answers at the end of the transcript: what was answered in earlier
 * turns was told in those. What a program refused by itself is left out.
 */
export function rejectionsOfRecord(
  messages: readonly unknown[],
): { approvalId: string; call: RecordedCall; note?: string }[] {
  const asked = messages.findLastIndex((message) => (message as { role?: unknown } | null)?.role !== 'tool');
  const answers = messages.slice(asked + 1).flatMap((message) => partsOf(message, 'tool'));
  const said = partsOf(messages[asked], 'assistant');
  return answers.flatMap(({ type, approved, approvalId, reason }) => {
    if (type !== 'tool-approval-response' || approved !== false || typeof approvalId !== 'string') return [];
    const request = said.findLast((part) => part.type === 'tool-approval-request' && part.approvalId === approvalId);
    const made = said.findLast((part) => part.type === 'tool-call' && part.toolCallId === request?.toolCallId);
    if (request === undefined || made === undefined || request.isAutomatic === true) return [];
    const { toolCallId, toolName, input } = made;
    if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return [];
    const note = typeof reason === 'string' ? { note: reason } : {};
    return [{ approvalId, call: { toolCallId, key: toolName, input }, ...note }];
  });
}

/** What a person wrote is no record, whatever it looks like. */
function partsOf(message: unknown, from: 'assistant' | 'tool'): Part[] {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  if (role !== from) return [];
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}
