import { randomUUID } from 'node:crypto';
import type { ContentPart } from '../../tool/content.js';
import type { ToolErrorResult } from '../../tool/result.js';
import { outcomeParts, outcomeText, partText } from '../provider/output-text.js';
import { member, textMember } from '../provider/record.js';
import { malformed, nameOf, notServed } from '../provider/refusals.js';
import type { DecidedOutcome, TurnCall } from '../provider/turn-call.js';
import { applyPatchCall } from './apply-patch-call.js';
import { localShellCall } from './local-shell-call.js';
import { shellCall } from './shell-call.js';
import type { OpenAiContentPart, OpenAiOutputItem, OpenAiProgramCaller } from './wire.js';

/** An item of a response that asks for something, with the id its answer names. */
export interface CallItem {
  callId: string;
  item: unknown;
  /** Put into the answer: a call that a program made goes back to it. */
  echo: { caller?: OpenAiProgramCaller };
}

/** What serves each type of item; the others are no calls, or run at the provider. */
const SERVED: ReadonlyMap<unknown, (call: CallItem) => TurnCall<OpenAiOutputItem>> = new Map([
  ['function_call', functionCall],
  ['custom_tool_call', customToolCall],
  ['shell_call', shellCall],
  ['local_shell_call', localShellCall],
  ['apply_patch_call', applyPatchCall],
]);

/** The calls among the items of a response, in order. */
export function responseCalls(items: readonly unknown[]): TurnCall<OpenAiOutputItem>[] {
  return items.flatMap((item) => {
    const serve = SERVED.get(member(item, 'type'));
    if (serve === undefined || runsAtProvider(item)) return [];
    const callId = textMember(item, 'call_id');
    if (callId === undefined) return [withoutId(item)];
    return [serve({ callId, item, echo: callerOf(item) })];
  });
}

/** A shell in one of OpenAI's containers has run already. */
function runsAtProvider(item: unknown): boolean {
  return member(member(item, 'environment'), 'type') === 'container_reference';
}

function withoutId(item: unknown): TurnCall<OpenAiOutputItem> {
  const toolName = nameOf(member(item, 'name') ?? member(item, 'type'));
  return refused(`call_${randomUUID()}`, malformed(toolName, "the call has no 'call_id', so it was not run"));
}

function functionCall({ callId, item, echo }: CallItem): TurnCall<OpenAiOutputItem> {
  const toolName = textMember(item, 'name');
  if (toolName === undefined) return refused(callId, malformed('unknown', "the call has no 'name'"));
  return {
    kind: 'function',
    call: { toolCallId: callId, toolName, args: member(item, 'arguments') },
    answer: (outcome) => ({ type: 'function_call_output', call_id: callId, output: outputOf(outcome), ...echo }),
  };
}

/** Tools of a host take JSON arguments; free text has nowhere to go. */
function customToolCall({ callId, item }: CallItem): TurnCall<OpenAiOutputItem> {
  const name = nameOf(member(item, 'name'));
  const error = notServed(name, `The custom tool '${name}' is not served; call a function`);
  return {
    kind: 'refused',
    answer: { type: 'custom_tool_call_output', call_id: callId, output: JSON.stringify(error) },
  };
}

function refused(callId: string, error: ToolErrorResult): TurnCall<OpenAiOutputItem> {
  return {
    kind: 'refused',
    answer: { type: 'function_call_output', call_id: callId, output: JSON.stringify(error) },
  };
}

function outputOf(outcome: DecidedOutcome): string | OpenAiContentPart[] {
  return outcomeParts(outcome)?.map(contentPart) ?? outcomeText(outcome);
}

function contentPart(part: ContentPart): OpenAiContentPart {
  if (part.type === 'image') {
    return { type: 'input_image', image_url: `data:${part.mimeType};base64,${part.data}`, detail: 'auto' };
  }
  if (part.type === 'file') {
    return {
      type: 'input_file',
      filename: part.name ?? 'file',
      file_data: `data:${part.mimeType};base64,${part.data}`,
    };
  }
  return { type: 'input_text', text: partText(part) };
}

function callerOf(item: unknown): { caller?: OpenAiProgramCaller } {
  const caller = member(item, 'caller');
  const callerId = textMember(caller, 'caller_id');
  if (member(caller, 'type') !== 'program' || callerId === undefined) return {};
  return { caller: { type: 'program', caller_id: callerId } };
}
