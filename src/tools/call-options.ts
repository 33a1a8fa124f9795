import type { ToolExecutionContext } from '../tool/context.js';

/** The call's signal as sandbox calls take it; absent when the run has none. */
export function signalOf(context: ToolExecutionContext | undefined): { signal?: AbortSignal } {
  return context?.abortSignal === undefined ? {} : { signal: context.abortSignal };
}
