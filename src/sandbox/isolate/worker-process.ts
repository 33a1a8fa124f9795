import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { encodeFrame, FrameDecoder } from '../../../sandbox/protocol/frame.js';
import {
  CANCEL_BYTES,
  type HostMessage,
  LAST_WORDS_FD,
  type LastWords,
  WATCHDOG_CONTROL_FD,
  type WorkerMessage,
} from '../../../sandbox/protocol/isolate.js';
import { readWorkerMessage } from './worker-messages.js';

/** Why a worker is gone. */
export type WorkerEnd = 'timeout' | 'aborted' | 'oom' | 'crashed' | 'protocol' | 'disposed';

export interface WorkerListener {
  message(message: WorkerMessage, body: Uint8Array): void;
  /**
   * Called once, after the last message and when the process is gone.
   * @param call id of the call the worker ended itself over, 0 when it was none; undefined when it did not say
   */
  ended(end: WorkerEnd, call: number | undefined): void;
}

/** Stderr of a dying V8 that ran out of memory. */
const OUT_OF_MEMORY = /out of memory|allocation failed|is_heap_oom = 1|CALL_AND_RETRY_LAST/i;
const LAST_WORDS = /^(timeout|oom|aborted)(?: (\d{1,10}))?$/;
const STDERR_KEPT = 8 * 1024;
/** How V8 ends a process that it cannot continue: abort, trap, illegal instruction. */
const FATAL_SIGNALS = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);

/**
 * One worker: its process, its frames, its end. Knows nothing of what calls mean. While no call is under way it does
 * not keep the host's event loop alive.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #listener: WorkerListener;
  readonly #decoder = new FrameDecoder();
  readonly #exited: Promise<void>;
  #lastWords = '';
  #stderr = '';
  #killedFor: WorkerEnd | undefined;
  #ended = false;

  constructor(nodeArguments: string[], listener: WorkerListener) {
    this.#listener = listener;
    this.#child = spawn(process.execPath, nodeArguments, {
      env: {},
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    endWithHost(this.#child);
    this.#exited = new Promise((resolve) => {
      const settle = (signal: NodeJS.Signals | null) => {
        resolve();
        this.#finish(signal);
      };
      // `close` comes after `exit`, when everything that was written has been read.
      this.#child.once('close', (_code, signal) => settle(signal));
      // `error` may come instead of any `exit`, when the process could not be started.
      this.#child.once('error', () => {
        if (this.#child.pid === undefined) settle(null);
      });
    });
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return (
      !this.#ended && this.#killedFor === undefined && this.#child.exitCode === null && this.#child.signalCode === null
    );
  }

  send(message: HostMessage, body?: Uint8Array): void {
    const stdin = this.#child.stdin;
    if (stdin === null || !stdin.writable) return;
    for (const piece of encodeFrame(message, body)) stdin.write(piece);
  }

  /** Tells the watchdog thread, which hears it even while guest code holds the main thread. */
  cancel(id: number): void {
    const control = this.#child.stdio[WATCHDOG_CONTROL_FD] as Writable | null;
    if (control === null || !control.writable) return;
    const bytes = Buffer.alloc(CANCEL_BYTES);
    bytes.writeUInt32BE(id);
    control.write(bytes);
  }

  /** Ends the process at once and resolves when it is gone. */
  async kill(reason: WorkerEnd): Promise<void> {
    this.#killedFor ??= reason;
    // An idle worker does not keep the host alive, but whoever awaits its end has to see it.
    this.hold(true);
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Whether the process keeps the host's event loop alive. */
  hold(held: boolean): void {
    const handles = [this.#child, ...this.#child.stdio] as ({ ref?: () => void; unref?: () => void } | null)[];
    for (const handle of handles) {
      if (held) handle?.ref?.();
      else handle?.unref?.();
    }
  }

  #listen(): void {
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#stderr.length < STDERR_KEPT) this.#stderr += chunk.toString('latin1');
    });
    const lastWords = this.#child.stdio[LAST_WORDS_FD] as Readable | null;
    lastWords?.on('data', (chunk: Buffer) => {
      if (this.#lastWords.length < 64) this.#lastWords += chunk.toString('latin1');
    });
    // A worker may die while something is being written to it; its end is reported once, by `close`.
    for (const stream of this.#child.stdio) stream?.on('error', () => {});
  }

  #read(chunk: Buffer): void {
    if (this.#killedFor === 'protocol') return;
    try {
      for (const frame of this.#decoder.push(chunk)) {
        const message = readWorkerMessage(frame.header);
        if (message === undefined) return this.#breakOff();
        this.#listener.message(message, frame.body);
      }
    } catch {
      this.#breakOff();
    }
  }

  #breakOff(): void {
    this.#killedFor ??= 'protocol';
    this.#child.kill('SIGKILL');
  }

  #finish(signal: NodeJS.Signals | null): void {
    if (this.#ended) return;
    this.#ended = true;
    const said = LAST_WORDS.exec(this.#lastWords);
    if (said === null) this.#listener.ended(this.#endReason(signal), undefined);
    else this.#listener.ended(said[1] as LastWords, said[2] === undefined ? undefined : Number(said[2]));
  }

  #endReason(signal: NodeJS.Signals | null): WorkerEnd {
    if (this.#killedFor !== undefined) return this.#killedFor;
    if (OUT_OF_MEMORY.test(this.#stderr)) return 'oom';
    if (signal !== null && FATAL_SIGNALS.has(signal)) return 'oom';
    return 'crashed';
  }
}

const running = new Set<ChildProcess>();
let endsAtExit = false;

/**
 * A worker ends by itself when its host does, once its watchdog is up. A host that exits removes the session's
 * directory, and without that the watchdog of a worker that has just started does not come up.
 */
function endWithHost(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  if (endsAtExit) return;
  endsAtExit = true;
  process.on('exit', () => {
    for (const worker of running) worker.kill('SIGKILL');
  });
}
