import { AsyncLocalStorage } from 'node:async_hooks';

const seen = new AsyncLocalStorage<string>();

/** Runs a call whose input the AI SDK has already told the tool about. */
export function withInputSeen<T>(toolCallId: string, run: () => T): T {
  return seen.run(toolCallId, run);
}

interface InputCallbacks {
  onInputStart?: ((options: never) => unknown) | undefined;
  onInputAvailable?: ((options: never) => unknown) | undefined;
}

/** Tells an imported tool of its input, as the AI SDK does for a call that was not streamed: start, then available. */
export async function tellInput(tool: InputCallbacks, input: unknown, options: { toolCallId: string }): Promise<void> {
  if (seen.getStore() === options.toolCallId) return;
  await tool.onInputStart?.(options as never);
  await tool.onInputAvailable?.({ ...options, input } as never);
}
