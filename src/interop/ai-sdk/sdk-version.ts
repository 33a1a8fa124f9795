import type { AiSdkApprovalOptions } from './types.js';

/** Which AI SDK calls, told from what it passes: 6 has `experimental_context`, 7 has `context`. */
export class SdkVersion {
  #version: 6 | 7;
  readonly #isGiven: boolean;

  constructor(given: 6 | 7 | undefined) {
    this.#version = given ?? 7;
    this.#isGiven = given !== undefined;
  }

  get current(): 6 | 7 {
    return this.#version;
  }

  notice(options: AiSdkApprovalOptions): void {
    if (this.#isGiven) return;
    if ('experimental_context' in options) this.#version = 6;
    else if ('context' in options) this.#version = 7;
  }
}

/** The caller's own value, if it gave one. */
export function callContext({ context, experimental_context }: AiSdkApprovalOptions): { context?: unknown } {
  const value = context ?? experimental_context;
  return value === undefined ? {} : { context: value };
}
