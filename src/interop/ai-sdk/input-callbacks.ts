import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyAiSdkTool } from './types.js';

const seen = new AsyncLocalStorage<string>();

/** Runs a call whose input the AI SDK has already told the tool about. */
export function withInputSeen<T>(toolCallId: string, run: () => T): T {
  return seen.run(toolCallId, run);
}

/** Calls whose input began and which never ran. */
const MAX_STARTED = 1_000;

/** Tells an imported tool of its input in the AI SDK's order: start, deltas where the caller streams them, available. */
export class InputCallbacks {
  readonly #tool: AnyAiSdkTool;
  readonly #started = new Set<string>();

  constructor(tool: AnyAiSdkTool) {
    this.#tool = tool;
  }

  async start(options: { toolCallId: string }): Promise<void> {
    this.#started.add(options.toolCallId);
    const [oldest] = this.#started;
    if (this.#started.size > MAX_STARTED && oldest !== undefined) this.#started.delete(oldest);
    await this.#tool.onInputStart?.(options as never);
  }

  /** Before it runs: what it has not heard of yet. */
  async available(input: unknown, options: { toolCallId: string }): Promise<void> {
    const hasStarted = this.#started.delete(options.toolCallId);
    if (seen.getStore() === options.toolCallId) return;
    if (!hasStarted) await this.#tool.onInputStart?.(options as never);
    await this.#tool.onInputAvailable?.({ ...options, input } as never);
  }
}
