import type { Readable } from 'node:stream';
import { type AgentMessage, OUTPUT_PAUSE_MS, WINDOW_BYTES } from '../../protocol/container.js';
import { RefusalFilter } from './enter-directory.js';
import { TailBuffer } from './tail-buffer.js';

type Stream = 'stdout' | 'stderr';
type Send = (message: AgentMessage, body?: Uint8Array) => void;

/** What is left to say of the output when a command has ended. */
export interface OutputRest {
  stdout: Uint8Array;
  stderr: Uint8Array;
  droppedStdoutBytes: number;
  droppedStderrBytes: number;
}

/** Takes a command's output to the host, in one of two ways. */
export interface OutputSender {
  /** Bytes of stderr's end, for finding causes. */
  stderrEnd(): string;
  /** The host took so many bytes. */
  credit(bytes: number): void;
  /** The command has ended: what its pipes still hold is sent without waiting for the host. */
  release(): void;
  rest(): OutputRest;
}

/**
 * Everything, as it comes. At most a window of bytes is on its way: then the command's pipes are not read until the host
 * has caught up, and the command waits.
 */
export class StreamingSender implements OutputSender {
  readonly #sources: Readable[];
  readonly #end = new TailBuffer(STDERR_END_BYTES);
  readonly #refusal = new RefusalFilter();
  readonly #send: (stream: Stream, data: Uint8Array) => void;
  #window = WINDOW_BYTES;
  #stalled = false;

  constructor(id: number, streams: { stdout: Readable; stderr: Readable }, send: Send) {
    this.#sources = [streams.stdout, streams.stderr];
    this.#send = (stream, data) => {
      if (data.length === 0) return;
      send({ type: 'output', id, stream }, data);
      this.#window -= data.length;
      if (this.#window <= 0) this.#stall();
    };
    streams.stdout.on('data', (data: Uint8Array) => this.#send('stdout', data));
    streams.stderr.on('data', (data: Uint8Array) => {
      this.#end.push(data);
      this.#send('stderr', this.#refusal.pass(data));
    });
  }

  stderrEnd(): string {
    return this.#end.text();
  }

  credit(bytes: number): void {
    this.#window += bytes;
    if (!this.#stalled || this.#window <= 0) return;
    this.#stalled = false;
    for (const source of this.#sources) source.resume();
  }

  release(): void {
    this.credit(PIPES_BYTES);
  }

  rest(): OutputRest {
    this.#send('stderr', this.#refusal.rest());
    return { stdout: NOTHING, stderr: NOTHING, droppedStdoutBytes: 0, droppedStderrBytes: 0 };
  }

  #stall(): void {
    this.#stalled = true;
    for (const source of this.#sources) source.pause();
  }
}

/**
 * The start and the end of each stream. The start is sent while the command runs, so that the host has it although the
 * container may die; the end is kept here, however much is written.
 */
export class SummarySender implements OutputSender {
  readonly #halves: Record<Stream, Half>;

  constructor(id: number, streams: { stdout: Readable; stderr: Readable }, options: { maxBytes: number; send: Send }) {
    const half = (stream: Stream) =>
      new Half(options.maxBytes, (data) => options.send({ type: 'output', id, stream }, data));
    this.#halves = { stdout: half('stdout'), stderr: half('stderr') };
    for (const stream of ['stdout', 'stderr'] as const) {
      streams[stream].on('data', (data: Uint8Array) => this.#halves[stream].push(data));
    }
  }

  stderrEnd(): string {
    return this.#halves.stderr.end();
  }

  credit(): void {}

  release(): void {}

  rest(): OutputRest {
    const { stdout, stderr } = this.#halves;
    return {
      stdout: stdout.rest(),
      stderr: stderr.rest(),
      droppedStdoutBytes: stdout.dropped,
      droppedStderrBytes: stderr.dropped,
    };
  }
}

const STDERR_END_BYTES = 4 * 1024;
/** Two pipes, each as large as a command can make it, and what was read of them already. */
const PIPES_BYTES = 3 * 1024 * 1024;
const NOTHING = new Uint8Array(0);

class Half {
  readonly #send: (data: Uint8Array) => void;
  readonly #tail: TailBuffer;
  /** Also of what has been sent: a command may say why it fails long before it ends. */
  readonly #end = new TailBuffer(STDERR_END_BYTES);
  #headLeft: number;
  #unsent: Uint8Array[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(maxBytes: number, send: (data: Uint8Array) => void) {
    this.#headLeft = Math.ceil(maxBytes / 2);
    this.#tail = new TailBuffer(maxBytes - this.#headLeft);
    this.#send = send;
  }

  get dropped(): number {
    return this.#tail.dropped;
  }

  push(data: Uint8Array): void {
    this.#end.push(data);
    const head = data.subarray(0, this.#headLeft);
    if (head.length > 0) {
      this.#headLeft -= head.length;
      this.#unsent.push(head);
      this.#timer ??= setTimeout(() => this.#flush(), OUTPUT_PAUSE_MS);
    }
    if (head.length < data.length) this.#tail.push(data.subarray(head.length));
  }

  end(): string {
    return this.#end.text();
  }

  rest(): Uint8Array {
    clearTimeout(this.#timer);
    const rest = Buffer.concat([...this.#unsent, ...this.#tail.chunks()]);
    this.#unsent = [];
    return rest;
  }

  #flush(): void {
    this.#timer = undefined;
    const data = Buffer.concat(this.#unsent);
    this.#unsent = [];
    if (data.length > 0) this.#send(data);
  }
}
