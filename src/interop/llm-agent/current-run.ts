import { AsyncLocalStorage } from 'node:async_hooks';
import type { LlmRunState } from './types.js';

const current = new AsyncLocalStorage<LlmRunState>();

/** Runs a call that an agent makes, so that imported tools get the agent's own state. */
export function withRunState<T>(state: LlmRunState | undefined, run: () => T): T {
  return state === undefined ? run() : current.run(state, run);
}

/** The state of the agent that makes this call, if one does. */
export function currentRunState(): LlmRunState | undefined {
  return current.getStore();
}
