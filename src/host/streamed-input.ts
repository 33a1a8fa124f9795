import { about, type CallState, contextOf, type HostParts, startCall } from './call-state.js';
import type { CallOptions, HostInput, InputCall } from './types.js';

/** Calls whose input began and which never came. */
const MAX_OPEN = 1_000;

/** What a tool may have to hear of its own arguments before it runs. */
interface InputListener {
  onInputStart?: (ctx: unknown) => unknown;
  onInputDelta?: (delta: unknown) => unknown;
}

/** Arguments on their way from the model: told in order, call by call. */
export class StreamedInputs implements HostInput {
  readonly #parts: HostParts;
  readonly #open = new Map<string, Promise<void>>();

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  start(call: InputCall, options: CallOptions = {}): Promise<void> {
    return this.#enqueue(call, options);
  }

  delta({ text, ...call }: InputCall & { text: string }, options: CallOptions = {}): Promise<void> {
    return this.#enqueue(call, options, text);
  }

  /** Resolves when everything told of a call so far was heard; what comes later belongs to another call of the id. */
  settle(toolCallId: unknown): Promise<void> | undefined {
    const heard = this.#open.get(toolCallId as string);
    this.#open.delete(toolCallId as string);
    return heard;
  }

  #enqueue(given: InputCall, options: CallOptions, text?: string): Promise<void> {
    const call = startCall({ ...given, args: undefined }, options);
    const before = this.#open.get(call.toolCallId);
    const told = (before ?? this.#tellStart(call)).then(() => this.#tellDelta(call, text));
    this.#open.set(call.toolCallId, told);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    return told;
  }

  async #tellStart(call: CallState): Promise<void> {
    this.#parts.events.emit(() => ({ type: 'input.started', ...about(call) }));
    await this.#tell(call, (tool, ctx) => tool.onInputStart?.(ctx));
  }

  async #tellDelta(call: CallState, text: string | undefined): Promise<void> {
    if (text === undefined) return;
    this.#parts.events.emit(() => ({ type: 'input.delta', ...about(call), text }));
    await this.#tell(call, (tool, ctx) => tool.onInputDelta?.({ ...(ctx as object), inputTextDelta: text }));
  }

  /** Nobody has parsed or decided anything yet: only a listener hears of it, and what it does wrong breaks nothing. */
  async #tell(call: CallState, tell: (tool: InputListener, ctx: unknown) => unknown): Promise<void> {
    const { registry, policy } = this.#parts;
    const tool = registry.get(call.toolName) as InputListener | undefined;
    if (tool === undefined || policy.isWhollyDenied(call.toolName)) return;
    try {
      await tell(tool, contextOf(this.#parts, call));
    } catch {
      // The call itself says what is wrong.
    }
  }
}
