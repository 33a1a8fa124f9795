import { CarriedToolError, isToolErrorResult } from '../../tool/carried-error.js';
import type { ContentPart } from '../../tool/content.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { isPropagatingToolError, PropagatingToolError } from '../../tool/propagating-error.js';
import type { ToolErrorResult } from '../../tool/result.js';
import { readThrown } from '../../tool/thrown.js';
import { currentRunState } from './current-run.js';
import type { FromLlmAgentToolOptions } from './from-llm-agent-tool.js';
import { fromLlmParts } from './parts.js';
import { createRunState } from './run-state.js';
import type { AnyLlmAgentTool, LlmToolResult } from './types.js';

/** Runs an imported tool, in this process. */
export function executeImported(name: string, tool: AnyLlmAgentTool, options: FromLlmAgentToolOptions) {
  return async (args: unknown, ctx: ToolExecutionContext): Promise<unknown> => {
    const context = 'context' in options ? options.context : ctx.context;
    const state = currentRunState() ?? (await createRunState(ctx));
    return outputOf(
      name,
      await ending(name, options, () => tool.execute?.(args as never, context as never, state as never)),
    );
  };
}

/** In llm-agent a throw ends the run; only what a tool returns goes to the model. */
async function ending(
  name: string,
  { onThrow = 'propagate' }: FromLlmAgentToolOptions,
  run: () => unknown,
): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (onThrow === 'result' || isPropagatingToolError(error)) throw error;
    throw new PropagatingToolError(`Tool '${name}' threw: ${readThrown(error).message}`, { cause: error });
  }
}

/** One text is a string, anything more its parts. */
function outputOf(name: string, result: unknown): unknown {
  const { content, is_error } = (result ?? {}) as Partial<LlmToolResult>;
  if (!Array.isArray(content)) {
    throw new TypeError(`Tool '${name}' must answer { content, is_error }, with a list of parts as its content`);
  }
  const parts = fromLlmParts(name, content);
  if (is_error === true) throw failure(name, parts);
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' && only.meta === undefined ? only.text : { content: parts };
}

function failure(toolName: string, parts: ContentPart[]): CarriedToolError {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const ours = parts.length === 1 ? readToolError(texts[0]) : undefined;
  if (ours !== undefined) return new CarriedToolError(ours);
  const message = texts.join('\n') || `Tool '${toolName}' failed without saying why`;
  return new CarriedToolError({ error: 'Error', toolName, message, kind: 'execution' }, parts);
}

/** The error of another host, which crossed as text. */
function readToolError(text: string | undefined): ToolErrorResult | undefined {
  if (text?.startsWith('{') !== true) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isToolErrorResult(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
