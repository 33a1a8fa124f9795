import type { HostMessage, WorkerMessage } from '../../../sandbox/protocol/isolate.js';
import type { ExecCause, ExecResult } from '../contract.js';
import { execCause } from '../exec-cause.js';
import type { ExecRequest } from '../exec-request.js';
import { createExecResult } from '../exec-result.js';
import { guestError } from '../guest-error.js';
import { KeptOutput } from '../kept-output.js';
import type { WorkerCall } from './isolate-worker.js';
import { lostError, NOT_STARTED } from './lost-call.js';
import type { WorkerEnd } from './worker-process.js';

/** One command on a worker. Keeps the output that streams in, for the case that the worker dies over it. */
export class ExecCall implements WorkerCall {
  readonly result: Promise<ExecResult | typeof NOT_STARTED>;
  readonly #request: ExecRequest;
  readonly #startedAt = performance.now();
  readonly #output: KeptOutput;
  #resolve!: (result: ExecResult | typeof NOT_STARTED) => void;
  #reject!: (error: unknown) => void;

  constructor(request: ExecRequest) {
    this.#request = request;
    this.#output = new KeptOutput(request);
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  request(id: number): { message: HostMessage; body: Uint8Array } {
    const { command, argv, cwd, env, timeoutMs, maxOutputBytes, stdin } = this.#request;
    const message: HostMessage = { type: 'exec', id, cwd, env, timeoutMs, maxOutputBytes };
    if (command !== undefined) message.command = command;
    if (argv !== undefined) message.argv = argv;
    return { message, body: stdin };
  }

  receive(message: WorkerMessage, body: Uint8Array): boolean {
    switch (message.type) {
      case 'output':
        this.#output.take(message.stream, body);
        return false;
      case 'exec-result':
        this.#finish(message, body);
        return true;
      case 'error':
        this.#reject(guestError(message));
        return true;
      default:
        return false;
    }
  }

  lost(end: WorkerEnd, started: boolean): void {
    const cause = causeOf(end);
    if (cause !== undefined && started) return this.#resolve(this.#partial(cause));
    if (!started && end !== 'disposed') return this.#resolve(NOT_STARTED);
    this.#reject(lostError(end));
  }

  #finish(message: Extract<WorkerMessage, { type: 'exec-result' }>, body: Uint8Array): void {
    const { listenerFailure } = this.#output;
    if (listenerFailure !== undefined) return this.#reject(listenerFailure.error);
    const cause = execCause(message.cause);
    this.#resolve(
      createExecResult({
        stdout: new Uint8Array(body.subarray(0, message.stdoutBytes)),
        stderr: new Uint8Array(body.subarray(message.stdoutBytes)),
        exitCode: message.exitCode,
        durationMs: this.#elapsed(),
        dropped: { stdoutBytes: message.droppedStdoutBytes, stderrBytes: message.droppedStderrBytes },
        ...(cause === undefined ? {} : { cause }),
        // An isolate's command is nothing but the call itself: when it answered, it is over.
        ...(cause === 'timeout' || cause === 'aborted' ? { killed: 'verified' as const } : {}),
      }),
    );
  }

  #partial(cause: ExecCause): ExecResult {
    return createExecResult({
      stdout: this.#output.stdout.bytes(),
      stderr: this.#output.stderr.bytes(),
      exitCode: null,
      cause,
      killed: 'verified',
      durationMs: this.#elapsed(),
      dropped: this.#output.dropped,
    });
  }

  #elapsed(): number {
    return performance.now() - this.#startedAt;
  }
}

function causeOf(end: WorkerEnd): ExecCause | undefined {
  return end === 'timeout' || end === 'aborted' || end === 'oom' ? end : undefined;
}
