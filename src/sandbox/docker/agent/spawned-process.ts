import {
  type AgentMessage,
  type AgentSignal,
  type ExecResultMessage,
  WINDOW_BYTES,
} from '../../../../sandbox/protocol/container.js';
import type { ExecResult, SandboxProcess } from '../../contract.js';
import type { SandboxError } from '../../errors.js';
import { execCause } from '../../exec-cause.js';
import { createExecResult } from '../../exec-result.js';
import { guestError } from '../../guest-error.js';
import { HeadTailBuffer } from '../../head-tail-buffer.js';
import type { AgentCall, AgentConnection } from './agent-connection.js';

export interface SpawnRequest {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number | undefined;
  maxOutputBytes: number;
}

interface OpenStream {
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Bytes that went into it; what a waiting reader takes at once never stands in its queue. */
  given: number;
}

/**
 * A long-lived program. Its output waits in the container until it is read here: who never reads a stream stops the
 * program once a window is full, as a pipe does.
 */
export class SpawnedProcess implements AgentCall, SandboxProcess {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly stdin: WritableStream<Uint8Array>;
  readonly started: Promise<void>;
  pid = 0;
  readonly #connection: AgentConnection;
  readonly #startedAt = performance.now();
  readonly #started = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<ExecResult>();
  readonly #kept: { stdout: HeadTailBuffer; stderr: HeadTailBuffer };
  readonly #streams = new Map<'stdout' | 'stderr', OpenStream>();
  readonly #signals: ((delivered: boolean) => void)[] = [];
  readonly #id: number;
  #stdinTaken: (() => void) | undefined;
  #over = false;

  constructor(connection: AgentConnection, request: SpawnRequest) {
    this.#connection = connection;
    this.#kept = {
      stdout: new HeadTailBuffer(request.maxOutputBytes),
      stderr: new HeadTailBuffer(request.maxOutputBytes),
    };
    this.started = this.#started.promise;
    this.#end.promise.catch(() => {});
    this.stdout = this.#readable('stdout');
    this.stderr = this.#readable('stderr');
    this.stdin = this.#writable();
    const { argv, cwd, env, timeoutMs } = request;
    this.#id = connection.begin(this);
    connection.send({ type: 'spawn', id: this.#id, argv, cwd, env, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  }

  wait(): Promise<ExecResult> {
    return this.#end.promise;
  }

  kill(signal: AgentSignal = 'SIGTERM'): Promise<boolean> {
    if (this.#over) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#signals.push(resolve);
      this.#connection.send({ type: 'signal', id: this.#id, signal });
    });
  }

  /** Ends it and everything it started, as an aborted call is ended. */
  cancel(): void {
    if (!this.#over) this.#connection.send({ type: 'cancel', id: this.#id });
  }

  receive(message: AgentMessage, body: Uint8Array): boolean {
    switch (message.type) {
      case 'started':
        this.pid = message.pid;
        this.#started.resolve();
        return false;
      case 'output':
        this.#take(message.stream, body);
        return false;
      case 'stdin-credit':
        this.#stdinTaken?.();
        return false;
      case 'signalled':
        this.#signals.shift()?.(message.delivered);
        return false;
      case 'exec-result':
        this.#started.resolve();
        this.#finish(message, body);
        return true;
      case 'error':
        this.#fail(guestError(message));
        return true;
      default:
        return false;
    }
  }

  lost(error: SandboxError): void {
    this.#fail(error);
  }

  #take(stream: 'stdout' | 'stderr', data: Uint8Array): void {
    if (data.length === 0) return;
    this.#kept[stream].push(data);
    const open = this.#streams.get(stream);
    // The reader has cancelled this stream: nobody will take it, and the program need not wait for that.
    if (open === undefined) return this.#connection.send({ type: 'credit', id: this.#id, bytes: data.length });
    open.given += data.length;
    open.controller.enqueue(new Uint8Array(data));
  }

  #finish(message: ExecResultMessage, body: Uint8Array): void {
    this.#take('stdout', body.subarray(0, message.stdoutBytes));
    this.#take('stderr', body.subarray(message.stdoutBytes));
    this.#close();
    const cause = execCause(message.cause);
    const { stdout, stderr } = this.#kept;
    this.#end.resolve(
      createExecResult({
        stdout: stdout.bytes(),
        stderr: stderr.bytes(),
        exitCode: message.exitCode,
        durationMs: performance.now() - this.#startedAt,
        dropped: { stdoutBytes: stdout.droppedBytes, stderrBytes: stderr.droppedBytes },
        ...(cause === undefined ? {} : { cause }),
        ...(message.signal === undefined ? {} : { signal: message.signal }),
        ...(message.killed === undefined ? {} : { killed: message.killed }),
        ...(message.stillRunning === undefined ? {} : { stillRunning: message.stillRunning }),
      }),
    );
  }

  #fail(error: SandboxError): void {
    this.#started.reject(error);
    this.#started.promise.catch(() => {});
    this.#close(error);
    this.#end.reject(error);
  }

  #close(error?: SandboxError): void {
    this.#over = true;
    this.#stdinTaken?.();
    for (const resolve of this.#signals.splice(0)) resolve(false);
    for (const { controller } of this.#streams.values()) {
      try {
        if (error === undefined) controller.close();
        else controller.error(error);
      } catch {
        // Cancelled by its reader before.
      }
    }
  }

  #readable(stream: 'stdout' | 'stderr'): ReadableStream<Uint8Array> {
    let credited = 0;
    const strategy = { highWaterMark: WINDOW_BYTES, size: (chunk: Uint8Array) => chunk.length };
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#streams.set(stream, { controller, given: 0 });
        },
        // Asked whenever there is room for more: what has been taken since is the agent's to send again.
        pull: (controller) => {
          const queued = WINDOW_BYTES - (controller.desiredSize ?? 0);
          const taken = (this.#streams.get(stream)?.given ?? 0) - queued - credited;
          if (taken < WINDOW_BYTES / 4) return;
          credited += taken;
          this.#connection.send({ type: 'credit', id: this.#id, bytes: taken });
        },
        cancel: () => {
          this.#streams.delete(stream);
          this.#connection.send({ type: 'credit', id: this.#id, bytes: WINDOW_BYTES });
        },
      },
      strategy,
    );
  }

  #writable(): WritableStream<Uint8Array> {
    const send = (data: Uint8Array, end: boolean) =>
      new Promise<void>((resolve) => {
        if (this.#over) return resolve();
        this.#stdinTaken = () => {
          this.#stdinTaken = undefined;
          resolve();
        };
        this.#connection.send({ type: 'stdin', id: this.#id, end }, data);
      });
    return new WritableStream<Uint8Array>({
      write: async (chunk) => {
        for (let at = 0; at < chunk.length; at += WINDOW_BYTES)
          await send(chunk.subarray(at, at + WINDOW_BYTES), false);
      },
      close: () => this.#connection.send({ type: 'stdin', id: this.#id, end: true }),
      abort: () => this.#connection.send({ type: 'stdin', id: this.#id, end: true }),
    });
  }
}
