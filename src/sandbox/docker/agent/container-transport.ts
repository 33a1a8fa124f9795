import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import type { AgentTransport, TransportEnd, TransportListener } from './agent-transport.js';
import { Demultiplexer } from './demultiplex.js';

const STDERR_KEPT = 4 * 1024;
const REMOVE_PATIENCE_MS = 15_000;

/** The attached stream of a container whose main process is the agent. Closing it ends the container. */
export class ContainerTransport implements AgentTransport {
  readonly #container: Docker.Container;
  readonly #stream: Duplex;
  readonly #lossNote: string;
  readonly #alsoRemove: () => Promise<void>;
  #stderr = '';
  #destroyed: Promise<void> | undefined;

  constructor(
    container: Docker.Container,
    stream: Duplex,
    /** What is lost with the container, for the message; and what else to remove when it is gone. */
    { lossNote, remove }: { lossNote: string; remove(): Promise<void> },
  ) {
    this.#lossNote = lossNote;
    this.#alsoRemove = remove;
    this.#container = container;
    this.#stream = stream;
    stream.on('error', () => {});
  }

  write(bytes: Uint8Array): void {
    if (this.#stream.writable) this.#stream.write(bytes);
  }

  listen(listener: TransportListener): void {
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      listener.closed();
    };
    const demultiplexer = new Demultiplexer((stream, data) => {
      if (stream === 'stdout') listener.data(data);
      else if (this.#stderr.length < STDERR_KEPT) this.#stderr += Buffer.from(data).toString('latin1');
    });
    this.#stream.on('data', (chunk: Uint8Array) => {
      try {
        demultiplexer.push(chunk);
      } catch {
        close();
        void this.destroy();
      }
    });
    this.#stream.once('end', close);
    this.#stream.once('close', close);
    this.#stream.once('error', close);
  }

  hold(held: boolean): void {
    // An upgraded connection is the bare socket.
    const socket = this.#stream as Partial<Socket>;
    if (held) socket.ref?.();
    else socket.unref?.();
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#remove().then(() => this.#alsoRemove());
    return this.#destroyed;
  }

  async explainEnd(): Promise<TransportEnd> {
    try {
      const { State } = await this.#container.inspect();
      if (State.Paused) return this.#crashed('The container was paused and does not answer; it was ended');
      if (State.Running) return this.#crashed('The connection to the container was cut; the container was ended');
      if (State.OOMKilled || State.ExitCode === 137) {
        return this.#crashed('The container was killed from outside, or its main process ran out of memory');
      }
      return this.#crashed(`The container ended with exit code ${State.ExitCode}${this.#lastWords()}`);
    } catch (error) {
      if (statusOf(error) === 404)
        return this.#crashed(`The container is gone: it ended or was removed from outside${this.#lastWords()}`);
      return {
        code: 'engine_unreachable',
        reason:
          'The Docker engine does not answer any more, and the container is out of reach. Check the engine and start a new sandbox',
      };
    }
  }

  #crashed(reason: string): TransportEnd {
    return { code: 'sandbox_crashed', reason: `${reason}. ${this.#lossNote}` };
  }

  #lastWords(): string {
    const line = /^(.*(?:Error|FATAL).*)$/m.exec(this.#stderr)?.[1];
    return line === undefined ? '' : ` (${line.slice(0, 200)})`;
  }

  async #remove(): Promise<void> {
    this.#stream.destroy();
    for (let attempt = 0; attempt < 50; attempt += 1) {
      try {
        // An engine that hangs over this container must not keep its host from ending: what stays is the reaper's.
        await Promise.race([this.#container.remove({ force: true, v: true }), patience()]);
        return;
      } catch (error) {
        const status = statusOf(error);
        if (status === 404) return;
        // Its own removal is under way: gone when the engine no longer knows it.
        if (status !== 409) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REMOVE_PATIENCE_MS).unref());
}

export function statusOf(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown }).statusCode;
  return typeof status === 'number' ? status : undefined;
}
