import {
  type AgentMessage,
  type ExecResultMessage,
  type HostMessage,
  WINDOW_BYTES,
} from '../../../../sandbox/protocol/container.js';
import type { ExecResult } from '../../contract.js';
import { SandboxCrashedError, type SandboxError } from '../../errors.js';
import { execCause } from '../../exec-cause.js';
import type { ExecRequest } from '../../exec-request.js';
import { createExecResult } from '../../exec-result.js';
import { guestError } from '../../guest-error.js';
import type { HeadTailBuffer } from '../../head-tail-buffer.js';
import { KeptOutput } from '../../kept-output.js';
import type { AgentCall, AgentConnection } from './agent-connection.js';

/** One command in the container. Keeps what has come of its output, for the case that the container dies over it. */
export class ExecCall implements AgentCall {
  readonly result: Promise<ExecResult>;
  readonly #request: ExecRequest;
  readonly #connection: AgentConnection;
  readonly #settle = Promise.withResolvers<ExecResult>();
  readonly #startedAt = performance.now();
  readonly #output: KeptOutput;
  readonly #id: number;
  #unanswered = 0;

  constructor(connection: AgentConnection, request: ExecRequest) {
    this.#request = request;
    this.#connection = connection;
    this.#output = new KeptOutput(request);
    this.result = this.#settle.promise;
    this.#id = connection.begin(this);
    connection.send(this.#message(this.#id), request.stdin);
  }

  cancel(): void {
    this.#connection.send({ type: 'cancel', id: this.#id });
  }

  receive(message: AgentMessage, body: Uint8Array): boolean {
    switch (message.type) {
      case 'output':
        this.#take(message.stream, body);
        return false;
      case 'exec-result':
        this.#finish(message, body);
        return true;
      case 'error':
        this.#settle.reject(guestError(message));
        return true;
      default:
        return false;
    }
  }

  lost(error: SandboxError): void {
    if (error instanceof SandboxCrashedError) {
      const partial = { stdout: text(this.#output.stdout), stderr: text(this.#output.stderr) };
      return this.#settle.reject(new SandboxCrashedError(error.message, error.code as 'sandbox_crashed', partial));
    }
    this.#settle.reject(error);
  }

  /** The agent did not end it in time: the container has been ended instead. */
  giveUp(cause: 'timeout' | 'aborted', killed: 'verified' | 'unverified'): void {
    this.#settle.resolve(this.#result({ exitCode: null, cause, killed }, { stdoutBytes: 0, stderrBytes: 0 }));
  }

  #message(id: number): HostMessage {
    const { command, argv, cwd, env, timeoutMs, maxOutputBytes, onOutput } = this.#request;
    return {
      type: 'exec',
      id,
      ...(command === undefined ? {} : { command }),
      ...(argv === undefined ? {} : { argv }),
      cwd,
      env,
      timeoutMs,
      maxOutputBytes,
      stream: onOutput !== undefined,
    };
  }

  #take(stream: 'stdout' | 'stderr', data: Uint8Array): void {
    this.#output.take(stream, data);
    if (!this.#output.hasListener) return;
    this.#unanswered += data.length;
    if (this.#unanswered < WINDOW_BYTES / 4) return;
    this.#connection.send({ type: 'credit', id: this.#id, bytes: this.#unanswered });
    this.#unanswered = 0;
  }

  #finish(message: ExecResultMessage, body: Uint8Array): void {
    const { listenerFailure } = this.#output;
    if (listenerFailure !== undefined) return this.#settle.reject(listenerFailure.error);
    this.#output.stdout.push(body.subarray(0, message.stdoutBytes));
    this.#output.stderr.push(body.subarray(message.stdoutBytes));
    this.#settle.resolve(
      this.#result(message, { stdoutBytes: message.droppedStdoutBytes, stderrBytes: message.droppedStderrBytes }),
    );
  }

  #result(
    end: Pick<ExecResultMessage, 'exitCode' | 'signal' | 'cause' | 'killed' | 'stillRunning'>,
    dropped: { stdoutBytes: number; stderrBytes: number },
  ): ExecResult {
    const { stdout, stderr } = this.#output;
    const cause = execCause(end.cause);
    return createExecResult({
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      exitCode: end.exitCode,
      durationMs: performance.now() - this.#startedAt,
      dropped: {
        stdoutBytes: dropped.stdoutBytes + stdout.droppedBytes,
        stderrBytes: dropped.stderrBytes + stderr.droppedBytes,
      },
      ...(cause === undefined ? {} : { cause }),
      ...(end.signal === undefined ? {} : { signal: end.signal }),
      ...(end.killed === undefined ? {} : { killed: end.killed }),
      ...(end.stillRunning === undefined ? {} : { stillRunning: end.stillRunning }),
    });
  }
}

function text(buffer: HeadTailBuffer): string {
  return Buffer.from(buffer.bytes()).toString('utf8');
}
