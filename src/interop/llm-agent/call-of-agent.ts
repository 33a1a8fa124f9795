import type { LlmRunState } from './types.js';

interface Item {
  type?: unknown;
  role?: unknown;
  content?: unknown;
  tool_call_id?: unknown;
}

interface Part {
  type?: unknown;
  tool_call_id?: unknown;
  tool_name?: unknown;
  call?: { name?: unknown };
}

/**
 * llm-agent tells a tool neither the id of its call nor the messages before it. Calls of a turn run one after another,
 * so the call is the turn's first of that name without a result.
 */
export function callOfAgent(
  state: LlmRunState | undefined,
  toolName: string,
): { toolCallId?: string; messages: object[] } {
  if (typeof state?.getItems !== 'function') return { messages: [] };
  const items: Item[] = state.getItems();
  const turn = items.findLastIndex(({ type, role }) => type === 'model' || role === 'assistant');
  const answered = new Set(items.slice(turn + 1).flatMap(answeredIds));
  const call = partsOf(items[turn]).find(
    (part) => part.type === 'tool-call' && nameOf(part) === toolName && !answered.has(part.tool_call_id),
  );
  const id = call?.tool_call_id;
  return { messages: messagesBefore(state), ...(typeof id === 'string' ? { toolCallId: id } : {}) };
}

/** Neither the turn that made the call nor its results so far. */
function messagesBefore(state: LlmRunState): object[] {
  const messages = state.getTurnMessages();
  const turn = messages.findLastIndex((message) => (message as Item).role === 'assistant');
  return turn === -1 ? messages : messages.slice(0, turn);
}

function answeredIds(item: Item): unknown[] {
  if (item.type === 'tool') return [item.tool_call_id];
  return partsOf(item).flatMap((part) => (part.type === 'tool-result' ? [part.tool_call_id] : []));
}

function partsOf(item: Item | undefined): Part[] {
  return Array.isArray(item?.content) ? item.content : [];
}

function nameOf({ tool_name, call }: Part): unknown {
  return tool_name ?? call?.name;
}
