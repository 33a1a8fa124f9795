import { isToolErrorResult } from '../../tool/carried-error.js';
import { partsOf } from '../mcp/content-blocks.js';
import type { ExportSettings } from './call-of-ai-sdk.js';
import { toAiSdkContent } from './content.js';
import type { AiSdkJson, AiSdkModelOutput, AiSdkTool } from './types.js';

/** What the model sees of a result: as an imported tool has it, parts as content, a string as text, the rest as JSON. */
export function exportedModelOutput(
  descriptor: object,
  name: string,
  { errors, version }: ExportSettings,
): AiSdkTool['toModelOutput'] {
  const tool = descriptor as Partial<Pick<AiSdkTool, 'toModelOutput'>>;
  return (options) => {
    const { output } = options;
    if (errors === 'value' && isToolErrorResult(output) && output.toolName === name) {
      return { type: 'error-json', value: output as unknown as AiSdkJson };
    }
    return tool.toModelOutput?.(options) ?? defaultModelOutput(output, version.current);
  };
}

function defaultModelOutput(output: unknown, version: 6 | 7): AiSdkModelOutput {
  const parts = partsOf(output);
  if (parts !== undefined) return { type: 'content', value: toAiSdkContent(parts, version) };
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: (output ?? null) as AiSdkJson };
}
