import type { DescriptionOptions } from '../../tool/descriptor.js';
import { readThrown } from '../../tool/thrown.js';
import type { FromAiSdkToolOptions } from './from-ai-sdk-tool.js';
import { toAiSdkSandbox } from './to-ai-sdk-sandbox.js';
import type { AnyAiSdkTool } from './types.js';

/**
 * What a model is told of an imported tool. A function is asked at each listing, as the AI SDK asks it at each call;
 * once it has answered, one that fails later on changes nothing.
 * @throws TypeError naming the tool when the import gives its context, and the function fails with it
 */
export function importedDescription(
  name: string,
  tool: AnyAiSdkTool,
  options: FromAiSdkToolOptions,
): string | ((told: DescriptionOptions) => string) {
  const { description } = tool;
  const textOf = (text: unknown): string => (isText(text) ? text : (tool.title ?? tool.id ?? name));
  if (typeof description !== 'function') return textOf(description);
  const ask = (told: DescriptionOptions) => textOf(description.call(tool, optionsOf(options, told) as never));
  let last: string | undefined;
  if ('context' in options) {
    try {
      last = ask({ context: undefined, sandbox: undefined });
    } catch (error) {
      throw new TypeError(
        `Cannot import tool '${name}': its description function failed: ${readThrown(error).message}. Give the import the 'context' it reads`,
        { cause: error },
      );
    }
  }
  return (told) => {
    try {
      last = ask(told);
    } catch (error) {
      if (last === undefined) throw error;
    }
    return last;
  };
}

/** What the AI SDK tells it. The host's context holds where the import gives none, as it does for the call. */
function optionsOf({ sandbox: wants = 'none', ...options }: FromAiSdkToolOptions, told: DescriptionOptions): object {
  const { context, sandbox } = told;
  return {
    context: 'context' in options ? options.context : context,
    experimental_sandbox: wants === 'none' || sandbox === undefined ? undefined : toAiSdkSandbox(sandbox),
  };
}

function isText(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
