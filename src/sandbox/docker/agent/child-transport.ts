import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { AgentTransport, TransportEnd, TransportListener } from './agent-transport.js';

/** The pipes of a process of this machine. */
export class ChildTransport implements AgentTransport {
  readonly #child: ChildProcess;
  readonly #stdin: Writable;
  readonly #stdout: Readable;
  readonly #gone: Promise<void>;
  readonly #afterwards: () => Promise<void>;
  #destroyed: Promise<void> | undefined;
  #ending = false;

  /** @param child spawned with pipes for stdin and stdout; `afterwards` runs once when it has been ended from here */
  constructor(child: ChildProcess, afterwards: () => Promise<void> = async () => {}) {
    this.#afterwards = afterwards;
    if (child.stdin === null || child.stdout === null) throw new TypeError('The child has no pipes');
    this.#child = child;
    this.#stdin = child.stdin;
    this.#stdout = child.stdout;
    this.#gone = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    this.#stdin.on('error', () => {});
  }

  write(bytes: Uint8Array): void {
    if (this.#stdin.writable) this.#stdin.write(bytes);
  }

  listen(listener: TransportListener): void {
    this.#stdout.on('data', (chunk: Uint8Array) => listener.data(chunk));
    this.#stdout.once('close', () => listener.closed());
  }

  hold(held: boolean): void {
    if (this.#ending) return;
    const handles = [this.#child, this.#stdin, this.#stdout] as unknown as { ref?(): void; unref?(): void }[];
    for (const handle of handles) {
      if (held) handle.ref?.();
      else handle.unref?.();
    }
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#end();
    return this.#destroyed;
  }

  async explainEnd(): Promise<TransportEnd> {
    return { code: 'sandbox_crashed', reason: 'The agent process has ended. Make the call again' };
  }

  async #end(): Promise<void> {
    // Whoever waits for this end must not have the host's own process end first.
    this.hold(true);
    this.#ending = true;
    this.#stdin.destroy();
    this.#child.kill('SIGKILL');
    await this.#gone;
    await this.#afterwards();
  }
}
