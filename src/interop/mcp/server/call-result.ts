import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolOutcome } from '../../../host/types.js';
import type { ContentPart } from '../../../tool/content.js';
import { hiddenCharactersIn } from '../../../tool/hidden-characters.js';
import type { ToolErrorResult } from '../../../tool/result.js';
import { partsOf, toContentBlocks } from '../content-blocks.js';

/** A failed call: the model reads the text, a program the same object under `_meta`. Parts that came with it follow. */
export function errorResult(error: ToolErrorResult, parts: readonly ContentPart[] = []): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(error) }, ...toContentBlocks(parts)],
    _meta: { 'caisson/error': { ...error }, ...hiddenNote([error, parts]) },
  };
}

/** A call that went well. With an output schema clients want `structuredContent`, and older ones the same as text. */
export function successResult(
  { output, content }: Extract<ToolOutcome, { status: 'ok' }>,
  hasOutputSchema: boolean,
): CallToolResult {
  const parts = content ?? (hasOutputSchema ? undefined : partsOf(output));
  const blocks = parts === undefined ? [{ type: 'text' as const, text: textOf(output) }] : toContentBlocks(parts);
  const note = hiddenNote([output, content]);
  return {
    content: blocks,
    ...(hasOutputSchema ? { structuredContent: output as Record<string, unknown> } : {}),
    ...(note === undefined ? {} : { _meta: note }),
  };
}

/**
 * What a tool or a result holds that a terminal would obey and nobody would see. The text goes out as it is: whoever
 * shows it is told.
 */
export function hiddenNote(said: unknown): { 'caisson/hidden-characters': string[] } | undefined {
  const hidden = hiddenCharactersIn(said);
  return hidden === undefined ? undefined : { 'caisson/hidden-characters': hidden };
}

/** A string as it is, anything else as JSON. */
export function textOf(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null');
}
