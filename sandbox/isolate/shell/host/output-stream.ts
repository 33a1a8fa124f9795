import { monotonicMs } from '../../monotonic-ms.js';
import { sendFrame } from '../../wire/send-frame.js';
import { OutputKeeper } from './output-keeper.js';

type Stream = 'stdout' | 'stderr';

/** Pieces wait until there are this many bytes of them… */
const FLUSH_BYTES = 16 * 1024;
/** …or the first has waited this long. */
const FLUSH_MS = 15;

/** A command's output on its way to the host: kept for the result, and sent as `output` frames while the command runs. */
export class OutputStream {
  readonly #id: number;
  readonly #maxBytes: number;
  #keepers: Record<Stream, OutputKeeper>;
  readonly #budget: Record<Stream, number>;
  #waiting: { stream: Stream; bytes: Uint8Array }[] = [];
  #waitingBytes = 0;
  #waitingSince = monotonicMs();
  #sentAny = false;
  readonly #quiet: boolean;

  constructor(id: number, options: { maxBytes: number; quiet: boolean }) {
    const { maxBytes, quiet } = options;
    this.#id = id;
    this.#maxBytes = maxBytes;
    this.#quiet = quiet;
    this.#keepers = { stdout: new OutputKeeper(maxBytes), stderr: new OutputKeeper(maxBytes) };
    this.#budget = { stdout: maxBytes, stderr: maxBytes };
  }

  add(stream: Stream, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#keepers[stream].add(bytes);
    const counted = bytes.subarray(0, this.#budget[stream]);
    if (counted.length === 0) return;
    this.#budget[stream] -= counted.length;
    this.#waiting.push({ stream, bytes: counted });
    this.#waitingBytes += counted.length;
    if (this.#waitingBytes >= FLUSH_BYTES || monotonicMs() - this.#waitingSince > FLUSH_MS) this.flush();
  }

  /** Sends what waits: the command waits itself, and whoever watches should see what it wrote so far. */
  flush(): void {
    for (const { stream, bytes } of joined(this.#waiting)) {
      sendFrame({ type: 'output', id: this.#id, stream }, bytes);
      this.#sentAny = true;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#waitingSince = monotonicMs();
  }

  /** Forgets what was kept; what was sent cannot be taken back. */
  restart(): void {
    this.#keepers = { stdout: new OutputKeeper(this.#maxBytes), stderr: new OutputKeeper(this.#maxBytes) };
    this.#waiting = [];
    this.#budget.stdout = this.#sentAny ? 0 : this.#maxBytes;
    this.#budget.stderr = this.#budget.stdout;
  }

  /** The kept bytes of both streams, after the last frame. */
  finish(): { stdout: Buffer; stderr: Buffer; droppedStdoutBytes: number; droppedStderrBytes: number } {
    const { stdout, stderr } = this.#keepers;
    if (!this.#quiet) this.flush();
    return {
      stdout: stdout.kept,
      stderr: stderr.kept,
      droppedStdoutBytes: stdout.dropped,
      droppedStderrBytes: stderr.dropped,
    };
  }
}

/** Neighbours of one stream become one piece. */
function* joined(pieces: { stream: Stream; bytes: Uint8Array }[]): Generator<{ stream: Stream; bytes: Uint8Array }> {
  for (let from = 0; from < pieces.length; ) {
    const stream = pieces[from]?.stream ?? 'stdout';
    let to = from;
    while (to < pieces.length && pieces[to]?.stream === stream) to += 1;
    yield { stream, bytes: Buffer.concat(pieces.slice(from, to).map(({ bytes }) => bytes)) };
    from = to;
  }
}
