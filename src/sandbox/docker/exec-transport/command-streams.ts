import { WINDOW_BYTES } from '../../../../sandbox/protocol/container.js';
import { EndRecord } from './end-record.js';
import type { EngineExec } from './engine-exec.js';

type Stream = 'stdout' | 'stderr';

/** What a command's parent says of itself before the command begins. */
export interface FirstWords {
  pid: number;
  fileSize: number;
  dataSize: number;
}

const STDERR_KEPT = 4096;
const MAX_FIRST_BYTES = 4096;
/** More than the engine and the pipes hold of what a command itself wrote. */
const MAX_LATE_BYTES = 4 * 1024 * 1024;

/** A command's output, taken apart from what its parent says on the same streams. */
export class CommandStreams {
  /** Its parent has said who it is. */
  readonly begun: Promise<void>;
  /** Its parent has said on both streams how it ended: all that came before on them is here. */
  readonly recorded: Promise<void>;
  /** Nobody holds the streams any more. */
  readonly closed: Promise<void>;
  first: FirstWords | undefined;
  ended = false;
  readonly #token: string;
  #flow: boolean;
  readonly #take: (stream: Stream, chunk: Uint8Array) => void;
  readonly #begun = Promise.withResolvers<void>();
  readonly #recorded = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #words = new Map<Stream, string>();
  readonly #records: { [stream in Stream]: EndRecord };
  #firstLine = Buffer.alloc(0);
  #stderrEnd = '';
  #unanswered = 0;
  /** Bytes that are still taken, once nothing makes the output wait. */
  #late: number | undefined;
  #exec: EngineExec | undefined;
  #over = false;

  /** @param flow output is held back until it is answered by `credit` */
  constructor(token: string, { flow, take }: { flow: boolean; take(stream: Stream, chunk: Uint8Array): void }) {
    this.#token = token;
    this.#flow = flow;
    this.#take = take;
    this.#records = { stdout: this.#record('stdout'), stderr: this.#record('stderr') };
    this.begun = this.#begun.promise;
    this.recorded = this.#recorded.promise;
    this.closed = this.#closed.promise;
  }

  /** What its parent said of the end: an exit code, or why nothing was started. */
  get endWord(): string | undefined {
    return this.#words.get('stderr');
  }

  get isRecorded(): boolean {
    return this.#words.size === 2;
  }

  /** The host makes the output wait. */
  get stalled(): boolean {
    return this.#unanswered >= WINDOW_BYTES;
  }

  get stderrEnd(): string {
    return this.#stderrEnd.trimEnd();
  }

  /** What came where its parent should have spoken: the engine's own words. */
  get otherWords(): string {
    return `${this.#firstLine.toString('latin1')}${this.#stderrEnd}`;
  }

  attach(exec: EngineExec): void {
    this.#exec = exec;
    exec.listen({
      keeps: false,
      data: (stream, chunk) => {
        if (stream === 'stdout' && this.first === undefined) this.#begin(chunk);
        else this.#records[stream].push(chunk);
      },
      ended: () => {
        this.ended = true;
        this.#closed.resolve();
      },
    });
  }

  credit(bytes: number): void {
    this.#unanswered = Math.max(0, this.#unanswered - bytes);
    if (!this.stalled) this.#exec?.resume();
  }

  /** The command is over: what is still on its way need not wait for the host, and is given up where it has no end. */
  release(): void {
    if (this.#flow) this.#late = MAX_LATE_BYTES;
    this.#flow = false;
    this.credit(this.#unanswered);
  }

  /** What comes now is nobody's any more. */
  finish(): void {
    for (const record of Object.values(this.#records)) record.flush();
    this.#over = true;
  }

  #record(stream: Stream): EndRecord {
    return new EndRecord(this.#token, {
      pass: (chunk) => this.#pass(stream, chunk),
      found: (word) => {
        this.#words.set(stream, word);
        if (this.isRecorded) this.#recorded.resolve();
      },
    });
  }

  #begin(chunk: Uint8Array): void {
    if (this.#firstLine.length > MAX_FIRST_BYTES) return;
    const bytes = Buffer.concat([this.#firstLine, chunk]);
    this.#firstLine = bytes;
    const end = bytes.indexOf(10);
    if (end === -1) return;
    const [, token, pid, fileSize, dataSize] =
      /^([0-9a-f]{32}) (\d+) (\S+) (\S+)$/.exec(bytes.toString('latin1', 0, end)) ?? [];
    if (token !== this.#token) return;
    this.first = { pid: Number(pid), fileSize: Number(fileSize), dataSize: Number(dataSize) };
    this.#begun.resolve();
    if (end + 1 < bytes.length) this.#records.stdout.push(bytes.subarray(end + 1));
  }

  #pass(stream: Stream, chunk: Uint8Array): void {
    if (this.#over || chunk.length === 0) return;
    if (stream === 'stderr') {
      this.#stderrEnd = (this.#stderrEnd + Buffer.from(chunk).toString('latin1')).slice(-STDERR_KEPT);
    }
    if (this.#late !== undefined) {
      this.#late -= chunk.length;
      if (this.#late < 0) return;
    }
    if (this.#flow) {
      this.#unanswered += chunk.length;
      if (this.stalled) this.#exec?.pause();
    }
    this.#take(stream, chunk);
  }
}
