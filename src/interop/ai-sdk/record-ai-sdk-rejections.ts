import { checkOptions, shapeOf } from '../../checks/options.js';
import type { ToolHost } from '../../host/types.js';
import { recordRejections } from './record-rejections.js';
import { type AiSdkToolNames, toolNames } from './tool-keys.js';

export interface RecordAiSdkRejectionsOptions {
  /** The same as `toAiSdkTools` was given. */
  names?: AiSdkToolNames;
}

const OPTIONS = shapeOf<RecordAiSdkRejectionsOptions>({ names: toolNames });

/**
 * Tells the host's listeners of the calls that a person rejected in the answers at the end of `messages`, each once for
 * a host. The AI SDK does not make such a call, so without this the host hears of it only with the next call of a tool.
 * @throws TypeError for an unknown option
 * @example
 * await recordAiSdkRejections(host, messages);
 * const result = await generateText({ model, tools: toAiSdkTools(host), messages });
 */
export async function recordAiSdkRejections(
  host: ToolHost,
  messages: readonly unknown[],
  options: RecordAiSdkRejectionsOptions = {},
): Promise<void> {
  checkOptions('recordAiSdkRejections', options, OPTIONS);
  await recordRejections(host, { toolCallId: '', messages }, options.names);
}
