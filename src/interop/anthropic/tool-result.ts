import type { ContentPart } from '../../tool/content.js';
import type { ToolErrorResult } from '../../tool/result.js';
import { outcomeParts, outcomeText, partText } from '../provider/output-text.js';
import type { DecidedOutcome } from '../provider/turn-call.js';
import type { AnthropicContentBlock, AnthropicImageType, AnthropicToolResult } from './wire.js';

const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** The result block of a call of the host. */
export function resultOf(id: string, outcome: DecidedOutcome): AnthropicToolResult {
  const parts = outcomeParts(outcome);
  if (parts === undefined && outcome.status === 'error') return errorResult(id, outcome.error);
  // The API refuses empty text blocks.
  const blocks = parts?.map(contentBlock).filter((block) => block.type !== 'text' || block.text !== '');
  const content = blocks === undefined || blocks.length === 0 ? outcomeText(outcome) : blocks;
  return { type: 'tool_result', tool_use_id: id, content, ...(outcome.isError && { is_error: true as const }) };
}

export function textResult(id: string, text: string): AnthropicToolResult {
  return { type: 'tool_result', tool_use_id: id, content: text };
}

export function errorResult(id: string, error: ToolErrorResult): AnthropicToolResult {
  return { type: 'tool_result', tool_use_id: id, content: JSON.stringify(error), is_error: true };
}

function contentBlock(part: ContentPart): AnthropicContentBlock {
  if (part.type === 'image' && IMAGE_TYPES.includes(part.mimeType)) {
    const media_type = part.mimeType as AnthropicImageType;
    return { type: 'image', source: { type: 'base64', media_type, data: part.data } };
  }
  if (part.type === 'file' && part.mimeType === 'application/pdf') {
    return {
      type: 'document',
      source: { type: 'base64', media_type: part.mimeType, data: part.data },
      ...(part.name !== undefined && { title: part.name }),
    };
  }
  return { type: 'text', text: partText(part) };
}
