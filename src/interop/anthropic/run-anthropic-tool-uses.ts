import type { ApprovalRequest, CallOptions, ToolHost } from '../../host/types.js';
import { ToolTurn, type TurnPause } from '../provider/tool-turn.js';
import { toolUseCalls } from './tool-use-calls.js';
import type { AnthropicMessage, AnthropicToolResult, AnthropicUserMessage } from './wire.js';

/** Passed to each call of the host. */
export type AnthropicRunOptions = CallOptions;

/** What to append after a message of the model. */
export interface AnthropicRun {
  /**
   * One `tool_result` for each `tool_use`, in order; while a call is pending, those before it. Empty content: the
   * message had no tool uses, and there is nothing to append.
   */
  message: AnthropicUserMessage;
  /** A call that waits for a person; the calls after it run when it was decided. */
  pending?: AnthropicPendingCall;
}

export interface AnthropicPendingCall {
  approval: ApprovalRequest;
  /**
   * Decides, once, and goes on.
   * @returns the whole turn as it then stands
   * @throws Error when the approval was decided before
   */
  decide(decision: { decision: 'approve' | 'reject'; note?: string }): Promise<AnthropicRun>;
}

/**
 * Runs the tool uses of a model's message through the host and gives the user message that answers them. Anthropic's
 * `bash` and text editor run as calls of the host's own `shell`, `read_file`, `write_file`, `edit_file` and
 * `list_dir`, unless the host has a tool of that name. Whatever is wrong with a tool use is its answer; blocks of
 * other kinds are left alone.
 *
 * @example
 * ```ts
 * const { message } = await runAnthropicToolUses(host, response);
 * messages.push({ role: 'assistant', content: response.content }, message);
 * ```
 *
 * @param input a message, or its content blocks
 * @throws PropagatingToolError when a tool throws one
 * @throws TypeError when it is given neither
 */
export async function runAnthropicToolUses(
  host: ToolHost,
  input: AnthropicMessage | readonly object[],
  options: AnthropicRunOptions = {},
): Promise<AnthropicRun> {
  const turn = new ToolTurn(host, toolUseCalls(blocksOf(input), { host, sessionId: options.sessionId }), options);
  return runOf(turn, await turn.run());
}

function blocksOf(input: AnthropicMessage | readonly object[]): readonly unknown[] {
  const content: unknown = Array.isArray(input) ? input : (input as AnthropicMessage | null)?.content;
  if (Array.isArray(content)) return content;
  if (typeof content === 'string') return [];
  throw new TypeError('Cannot run tool uses: give a message of the model, or its content blocks');
}

function runOf(turn: ToolTurn<AnthropicToolResult>, pause: TurnPause | undefined): AnthropicRun {
  const message: AnthropicUserMessage = { role: 'user', content: turn.answers };
  if (pause === undefined) return { message };
  return {
    message,
    pending: {
      approval: pause.approval,
      decide: async (decision) => runOf(turn, await pause.decide(decision)),
    },
  };
}
