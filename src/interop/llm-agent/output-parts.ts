import type { ToolOutcome } from '../../host/types.js';
import type { ContentPart } from '../../tool/content.js';
import type { ToolDescriptor } from '../../tool/descriptor.js';
import { fromModelOutput } from '../ai-sdk/content.js';
import { partsOf } from '../mcp/content-blocks.js';

/**
 * What a model sees of a result: as a tool of the AI SDK has it, else its parts, else a string as it is and anything else
 * as JSON.
 */
export async function outputParts(
  descriptor: ToolDescriptor | undefined,
  { toolCallId, output, content }: Extract<ToolOutcome, { status: 'ok' }>,
  input: unknown,
): Promise<ContentPart[]> {
  const tool = (descriptor ?? {}) as { toModelOutput?: (options: object) => unknown };
  const made = await tool.toModelOutput?.({ toolCallId, input, output });
  const parts = fromModelOutput(made) ?? content ?? partsOf(output);
  return parts ?? [{ type: 'text', text: typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null') }];
}
