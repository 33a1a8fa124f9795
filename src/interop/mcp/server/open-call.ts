import type { ServerContext } from '@modelcontextprotocol/server';
import { textOf } from './call-result.js';
import { Progress } from './progress.js';

/**
 * One call of the host, which several MCP requests may be about: the one that made it and, after a question, the one
 * that brought the answer. Cancelling the current one aborts the call; progress goes to the current one.
 */
export class OpenCall {
  readonly #controller = new AbortController();
  #progress: Progress | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: string): void {
    this.#controller.abort(new DOMException(reason, 'AbortError'));
  }

  report(snapshot: unknown): void {
    this.#progress?.report(textOf(snapshot));
  }

  /** Lets a request stand for the call while `work` goes on. */
  async during<T>(ctx: ServerContext, work: () => Promise<T>): Promise<T> {
    const { signal } = ctx.mcpReq;
    const onAbort = () => this.abort('The client cancelled the request or went away');
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const progress = Progress.of(ctx);
    this.#progress = progress;
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', onAbort);
      progress?.stop();
      this.#progress = undefined;
    }
  }
}
