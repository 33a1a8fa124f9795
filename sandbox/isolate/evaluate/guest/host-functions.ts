import type { EvaluateBridge, EvaluateLimits } from '../evaluate-bridge.js';
import { encode } from './encode.js';
import { bare, type Dictionary, intrinsics } from './intrinsics.js';

const { addWeak, apply, defineProperty, deleteProperty, freeze, hasWeak, parse } = intrinsics;

type Tool = (argument?: unknown) => Promise<unknown>;

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The code's `tools`: functions of its own realm that ask the worker. */
export class HostFunctions {
  readonly tools: Dictionary<Tool>;
  readonly #pending = bare<Pending>();
  readonly #bridge: EvaluateBridge;
  readonly #limits: EvaluateLimits;
  readonly #refusals = new intrinsics.WeakSet<object>();
  #calls = 0;
  #unanswered = 0;

  constructor(bridge: EvaluateBridge, names: readonly string[], limits: EvaluateLimits) {
    this.#bridge = bridge;
    this.#limits = limits;
    this.tools = bare<Tool>();
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string;
      defineProperty(this.tools, name, { value: (argument?: unknown) => this.#call(name, argument), enumerable: true });
    }
    freeze(this.tools);
  }

  /** Whether `thrown` is our refusal of one call too many. */
  isRefusal(thrown: unknown): boolean {
    return typeof thrown === 'object' && thrown !== null && apply(hasWeak, this.#refusals, [thrown]);
  }

  answer(callId: number, ok: boolean, text: string): void {
    const pending = this.#pending[callId];
    if (pending === undefined) return;
    deleteProperty(this.#pending, callId);
    this.#unanswered -= 1;
    const value: unknown = parse(text);
    if (ok) pending.resolve(value);
    else pending.reject(errorOf(value as { name: string; message: string }));
  }

  #call(name: string, argument: unknown): Promise<unknown> {
    return new intrinsics.Promise((resolve, reject) => {
      const encoded = encode(argument, { characters: this.#limits.resultCharacters, depth: this.#limits.depth });
      if (encoded.refusal !== undefined) {
        throw new intrinsics.TypeError(`Cannot pass the argument of tools.${name}: ${encoded.refusal.reason}`);
      }
      const { calls, unansweredCalls } = this.#limits;
      if (this.#calls >= calls) this.#refuse(`Cannot call tools.${name}: ${calls} calls were made already`);
      if (this.#unanswered >= unansweredCalls) {
        this.#refuse(`Cannot call tools.${name}: ${unansweredCalls} calls are unanswered. Await some of them first`);
      }
      this.#calls += 1;
      this.#unanswered += 1;
      const callId = this.#calls;
      this.#pending[callId] = { resolve, reject };
      if (!this.#bridge.call(callId, name, encoded.text)) this.#refuse(`Cannot call tools.${name}`);
    });
  }

  #refuse(message: string): never {
    const error = new intrinsics.Error(message);
    apply(addWeak, this.#refusals, [error]);
    throw error;
  }
}

function errorOf({ name, message }: { name: string; message: string }): Error {
  const error = new intrinsics.Error(message);
  defineProperty(error, 'name', { value: name, writable: true, enumerable: false, configurable: true });
  return error;
}
