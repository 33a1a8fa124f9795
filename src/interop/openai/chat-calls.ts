import { randomUUID } from 'node:crypto';
import type { ToolErrorResult } from '../../tool/result.js';
import { outcomeParts, outcomeText, partText } from '../provider/output-text.js';
import { member, textMember } from '../provider/record.js';
import { malformed, nameOf, notServed } from '../provider/refusals.js';
import type { DecidedOutcome, TurnCall } from '../provider/turn-call.js';
import type { OpenAiToolMessage } from './wire.js';

/** The calls of an assistant message; every entry of `tool_calls` has an answer, whatever it holds. */
export function chatCalls(toolCalls: unknown): TurnCall<OpenAiToolMessage>[] {
  return (Array.isArray(toolCalls) ? toolCalls : []).map(chatCall);
}

function chatCall(entry: unknown): TurnCall<OpenAiToolMessage> {
  const id = textMember(entry, 'id');
  const asked = member(entry, 'function') ?? member(entry, 'custom');
  const toolName = nameOf(member(asked, 'name'));
  const refused = (error: ToolErrorResult): TurnCall<OpenAiToolMessage> => ({
    kind: 'refused',
    answer: toolMessage(id ?? `call_${randomUUID()}`, JSON.stringify(error)),
  });
  if (id === undefined) return refused(malformed(toolName, "the call has no 'id', so it was not run"));
  const type = member(entry, 'type') ?? 'function';
  if (type !== 'function')
    return refused(notServed(toolName, `Calls of type '${nameOf(type)}' are not served; call a function`));
  const name = textMember(asked, 'name');
  if (name === undefined) return refused(malformed(toolName, "the call has no function 'name'"));
  return {
    kind: 'function',
    call: { toolCallId: id, toolName: name, args: member(asked, 'arguments') },
    answer: (outcome) => toolMessage(id, textOf(outcome)),
  };
}

/** A `tool` message carries text alone. */
function textOf(outcome: DecidedOutcome): string {
  return outcomeParts(outcome)?.map(partText).join('\n') ?? outcomeText(outcome);
}

function toolMessage(id: string, content: string): OpenAiToolMessage {
  return { role: 'tool', tool_call_id: id, content };
}
