import type { ToolExecutionContext } from '../../tool/context.js';
import type { LlmRunState } from './types.js';

const PEER = '@hoangvvo/llm-agent';
const MAX_TURNS = 10;

type RunStateClass = new (items: object[], maxTurns: number, signal?: AbortSignal) => LlmRunState;

let peer: Promise<RunStateClass | undefined> | undefined;

/** A run state for a call that no agent makes: llm-agent's own class where it is installed, else one of its shape. */
export async function createRunState({ messages, abortSignal }: ToolExecutionContext): Promise<LlmRunState> {
  peer ??= loadRunState();
  const RunState = (await peer) ?? DetachedRunState;
  const state = new RunState(messages.map(toItem), MAX_TURNS, abortSignal);
  // The published class knows of no signal.
  if (abortSignal !== undefined && state.signal === undefined) Object.assign(state, { signal: abortSignal });
  return state;
}

async function loadRunState(): Promise<RunStateClass | undefined> {
  try {
    const { RunState } = (await import(PEER)) as { RunState?: RunStateClass };
    return RunState;
  } catch {
    return undefined;
  }
}

/** Messages of another framework are handed over as they are. */
function toItem(message: unknown): object {
  return typeof message === 'object' && message !== null
    ? { type: 'message', ...message }
    : { type: 'message', role: 'user', content: [{ type: 'text', text: String(message) }] };
}

/** The members of llm-agent's `RunState`, for where it is not installed. */
export class DetachedRunState implements LlmRunState {
  currentTurn = 0;
  readonly signal?: AbortSignal;
  readonly #input: object[];
  readonly #output: object[] = [];
  readonly #maxTurns: number;

  constructor(input: object[], maxTurns: number, signal?: AbortSignal) {
    this.#input = input;
    this.#maxTurns = maxTurns;
    if (signal !== undefined) this.signal = signal;
  }

  turn(): void {
    this.currentTurn += 1;
    if (this.currentTurn > this.#maxTurns) throw new Error(`The run took more than ${this.#maxTurns} turns`);
  }

  getItems(): object[] {
    return [...this.#input, ...this.#output];
  }

  /** @returns the index of the item among those that the run made */
  appendItem(item: object): number {
    return this.#output.push(item) - 1;
  }

  appendModelResponse(response: object): { item: object; index: number } {
    const item = { ...response, type: 'model' };
    return { item, index: this.appendItem(item) };
  }

  getTurnMessages(): object[] {
    return this.getItems().map(({ type, ...message }: { type?: unknown }) => message);
  }

  createResponse(content: unknown[]): { content: unknown[]; output: object[] } {
    return { content, output: [...this.#output] };
  }
}
