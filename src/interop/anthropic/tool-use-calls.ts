import { randomUUID } from 'node:crypto';
import type { ToolHost } from '../../host/types.js';
import type { ToolErrorResult } from '../../tool/result.js';
import { CallFailed } from '../provider/call-failed.js';
import { member, textMember } from '../provider/record.js';
import { malformed, nameOf } from '../provider/refusals.js';
import type { HostCall, TurnCall } from '../provider/turn-call.js';
import { runBash } from './bash/run-bash.js';
import { runTextEditor } from './editor/run-text-editor.js';
import { ExpectedError } from './expected-error.js';
import { errorResult, resultOf, textResult } from './tool-result.js';
import type { AnthropicToolResult } from './wire.js';

export interface ToolUseContext {
  host: ToolHost;
  sessionId: string | undefined;
}

/** Anthropic's coding tools by the names that the API fixes; the last is that of older versions. */
const CODING_TOOLS: ReadonlyMap<string, CodingTool> = new Map<string, CodingTool>([
  ['bash', (input, call, context) => runBash(input, call, context)],
  ['str_replace_based_edit_tool', (input, call) => runTextEditor(input, call)],
  ['str_replace_editor', (input, call) => runTextEditor(input, call)],
]);

type CodingTool = (input: unknown, call: HostCall, context: ToolUseContext) => Promise<string>;

/** The tool uses among the blocks of a message, in order; every one has an answer. */
export function toolUseCalls(blocks: readonly unknown[], context: ToolUseContext): TurnCall<AnthropicToolResult>[] {
  return blocks.filter((block) => member(block, 'type') === 'tool_use').map((block) => toolUseCall(block, context));
}

function toolUseCall(block: unknown, context: ToolUseContext): TurnCall<AnthropicToolResult> {
  const id = textMember(block, 'id');
  const toolName = textMember(block, 'name');
  if (id === undefined) {
    const error = malformed(nameOf(toolName), "the tool use has no 'id', so it was not run");
    return { kind: 'refused', answer: errorResult(`toolu_${randomUUID()}`, error) };
  }
  if (toolName === undefined)
    return { kind: 'refused', answer: errorResult(id, malformed('unknown', "the tool use has no 'name'")) };
  const toolset = textMember(block, 'toolset_name');
  const input = member(block, 'input');
  const coding = toolset === undefined && !context.host.registry.has(toolName) ? CODING_TOOLS.get(toolName) : undefined;
  if (coding !== undefined) return codingCall({ id, toolName, run: (call) => coding(input, call, context) });
  return {
    kind: 'function',
    call: { toolCallId: id, toolName, args: input },
    answer: (outcome) => ({ ...resultOf(id, outcome), ...(toolset !== undefined && { toolset_name: toolset }) }),
  };
}

function codingCall({
  id,
  toolName,
  run,
}: {
  id: string;
  toolName: string;
  run: (call: HostCall) => Promise<string>;
}): TurnCall<AnthropicToolResult> {
  const failed = (error: ToolErrorResult) => errorResult(id, error);
  return {
    kind: 'coding',
    toolCallId: id,
    toolName,
    failed,
    async run(call) {
      try {
        return textResult(id, await run(call));
      } catch (error) {
        if (error instanceof ExpectedError) return { ...textResult(id, error.message), is_error: true };
        if (error instanceof CallFailed) return failed(error.result);
        throw error;
      }
    },
  };
}
