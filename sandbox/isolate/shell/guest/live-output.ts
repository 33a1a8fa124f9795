import { host } from './connection.js';

type Stream = 'stdout' | 'stderr';
type Written = Record<Stream, string>;

const STREAMS: Stream[] = ['stdout', 'stderr'];

/**
 * Tells output while the command runs. The interpreter returns what a statement wrote when the statement is over; this
 * is told of each one (see `interpreter-hooks.ts`) and passes on what nothing around it can still redirect, pipe or
 * capture. Statements nest: what an inner one told is left out of what the outer one returns.
 */
export class LiveOutput {
  readonly #told: Record<Stream, string[]> = { stdout: [], stderr: [] };
  readonly #length: Record<Stream, number> = { stdout: 0, stderr: 0 };
  /** How many redirections, pipes and substitutions lie between the running statement and the command's output. */
  readonly #captured: Record<Stream, number> = { stdout: 0, stderr: 0 };

  /** Runs `work` with its streams going somewhere else than to the command's own. */
  async capture<T>(stdout: boolean, stderr: boolean, work: () => Promise<T>): Promise<T> {
    if (stdout) this.#captured.stdout += 1;
    if (stderr) this.#captured.stderr += 1;
    try {
      return await work();
    } finally {
      if (stdout) this.#captured.stdout -= 1;
      if (stderr) this.#captured.stderr -= 1;
    }
  }

  async statement<T extends Written>(work: () => Promise<T>): Promise<T> {
    const before = { ...this.#length };
    const result = await work();
    for (const stream of STREAMS) {
      if (this.#captured[stream] === 0) this.#tell(stream, result[stream].slice(this.#length[stream] - before[stream]));
    }
    return result;
  }

  /** What of the finished command's output has not been told; undefined when it does not begin with what was told. */
  restOf(stream: Stream, text: string): string | undefined {
    let at = 0;
    for (const piece of this.#told[stream]) {
      if (!text.startsWith(piece, at)) return undefined;
      at += piece.length;
    }
    return text.slice(at);
  }

  #tell(stream: Stream, text: string): void {
    if (text === '') return;
    this.#told[stream].push(text);
    this.#length[stream] += text.length;
    host().emit(stream === 'stdout' ? 1 : 2, text);
  }
}
