import type { OutputChunk } from './contract.js';
import { HeadTailBuffer } from './head-tail-buffer.js';

/** The output of one command as it comes: kept within its limit, and told to whoever listens. */
export class KeptOutput {
  readonly stdout: HeadTailBuffer;
  readonly stderr: HeadTailBuffer;
  readonly #listener: ((chunk: OutputChunk) => void) | undefined;
  #failure: { error: unknown } | undefined;

  constructor({ maxOutputBytes, onOutput }: { maxOutputBytes: number; onOutput?: (chunk: OutputChunk) => void }) {
    this.stdout = new HeadTailBuffer(maxOutputBytes);
    this.stderr = new HeadTailBuffer(maxOutputBytes);
    this.#listener = onOutput;
  }

  get hasListener(): boolean {
    return this.#listener !== undefined;
  }

  /** Set when the listener threw: the call rejects with that once it is over. */
  get listenerFailure(): { error: unknown } | undefined {
    return this.#failure;
  }

  get dropped(): { stdoutBytes: number; stderrBytes: number } {
    return { stdoutBytes: this.stdout.droppedBytes, stderrBytes: this.stderr.droppedBytes };
  }

  take(stream: 'stdout' | 'stderr', data: Uint8Array): void {
    this[stream].push(data);
    // A listener that throws must not break the reading of frames.
    try {
      this.#listener?.({ stream, data: new Uint8Array(data) });
    } catch (error) {
      this.#failure ??= { error };
    }
  }
}
