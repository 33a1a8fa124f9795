import type { CallOptions, ToolHost } from '../../../src/index.js';
import { type AnthropicToolResult, runAnthropicToolUses } from '../../../src/interop/anthropic/index.js';

/** Runs one tool use and gives its result. */
export async function callTool(
  host: ToolHost,
  { name, input }: { name: string; input: unknown },
  options: CallOptions = {},
): Promise<AnthropicToolResult> {
  const { message } = await runAnthropicToolUses(host, [{ type: 'tool_use', id: 'toolu_1', name, input }], options);
  const [result] = message.content;
  if (result === undefined) throw new Error('The tool use was not answered');
  return result;
}
