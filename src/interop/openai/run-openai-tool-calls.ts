import type { ApprovalRequest, CallOptions, ToolHost } from '../../host/types.js';
import { ToolTurn, type TurnPause } from '../provider/tool-turn.js';
import { chatCalls } from './chat-calls.js';
import { responseCalls } from './response-calls.js';
import type { OpenAiChatMessage, OpenAiOutputItem, OpenAiResponse, OpenAiToolMessage } from './wire.js';

/** Passed to each call of the host. */
export type OpenAiRunOptions = CallOptions;

/** What to append after an assistant message of the Chat Completions API. */
export interface OpenAiChatRun {
  /** One `tool` message for each call, in call order; while a call is pending, those before it. */
  messages: OpenAiToolMessage[];
  /** A call that waits for a person; the calls after it run when it was decided. */
  pending?: OpenAiPendingCall<OpenAiChatRun>;
}

/** What to append after the output items of a response. */
export interface OpenAiResponsesRun {
  /** One output item for each call, in call order; while a call is pending, those before it. */
  items: OpenAiOutputItem[];
  /** A call that waits for a person; the calls after it run when it was decided. */
  pending?: OpenAiPendingCall<OpenAiResponsesRun>;
}

export interface OpenAiPendingCall<Run> {
  approval: ApprovalRequest;
  /**
   * Decides, once, and goes on.
   * @returns the whole turn as it then stands
   * @throws Error when the approval was decided before
   */
  decide(decision: { decision: 'approve' | 'reject'; note?: string }): Promise<Run>;
}

/**
 * Runs the tool calls of a model's message through the host and gives what to append to the conversation: a chat
 * message gives `messages`, a response or its items give `items`. OpenAI's `shell`, `local_shell` and `apply_patch`
 * calls run as calls of the host's own `shell`, `read_file`, `write_file` and `edit_file`. Whatever is wrong with a
 * call is its answer; items that are no calls, or that run at the provider, are left alone.
 *
 * @example
 * ```ts
 * const { items } = await runOpenAiToolCalls(host, response);
 * input.push(...response.output, ...items);
 * ```
 *
 * @throws PropagatingToolError when a tool throws one
 * @throws TypeError when it is given neither a message nor items
 */
export function runOpenAiToolCalls(
  host: ToolHost,
  message: OpenAiChatMessage,
  options?: OpenAiRunOptions,
): Promise<OpenAiChatRun>;
export function runOpenAiToolCalls(
  host: ToolHost,
  response: OpenAiResponse | readonly object[],
  options?: OpenAiRunOptions,
): Promise<OpenAiResponsesRun>;
export async function runOpenAiToolCalls(
  host: ToolHost,
  input: OpenAiChatMessage | OpenAiResponse | readonly object[],
  options: OpenAiRunOptions = {},
): Promise<OpenAiChatRun | OpenAiResponsesRun> {
  const items = itemsOf(input);
  if (items === undefined) {
    const turn = new ToolTurn(host, chatCalls((input as OpenAiChatMessage).tool_calls), options);
    return chatRun(turn, await turn.run());
  }
  const turn = new ToolTurn(host, responseCalls(items), options);
  return responsesRun(turn, await turn.run());
}

function itemsOf(input: OpenAiChatMessage | OpenAiResponse | readonly object[]): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input;
  if (typeof input === 'object' && input !== null) {
    if ('output' in input && Array.isArray(input.output)) return input.output;
    if ('role' in input || 'tool_calls' in input) return undefined;
  }
  throw new TypeError(
    'Cannot run tool calls: give the assistant message of a chat completion, a response, or the items of its output',
  );
}

function chatRun(turn: ToolTurn<OpenAiToolMessage>, pause: TurnPause | undefined): OpenAiChatRun {
  return { messages: turn.answers, ...pendingOf(pause, (next) => chatRun(turn, next)) };
}

function responsesRun(turn: ToolTurn<OpenAiOutputItem>, pause: TurnPause | undefined): OpenAiResponsesRun {
  return { items: turn.answers, ...pendingOf(pause, (next) => responsesRun(turn, next)) };
}

function pendingOf<Run>(
  pause: TurnPause | undefined,
  runOf: (pause: TurnPause | undefined) => Run,
): { pending?: OpenAiPendingCall<Run> } {
  if (pause === undefined) return {};
  return {
    pending: { approval: pause.approval, decide: async (decision) => runOf(await pause.decide(decision)) },
  };
}
