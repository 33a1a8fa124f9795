import type { HostMessage, WorkerMessage } from '../../../sandbox/protocol/isolate.js';
import { readProperty, textOf } from '../../checks/safe-read.js';
import type { EvaluateOptions, EvaluateResult, JsonValue } from '../contract.js';
import { SandboxError } from '../errors.js';
import type { MessageCleaner } from '../message-cleaner.js';
import type { IsolateWorker, WorkerCall } from './isolate-worker.js';
import { lostError, NOT_STARTED } from './lost-call.js';
import { decodeJson, encodePlainJson } from './plain-json.js';
import type { WorkerEnd } from './worker-process.js';

export interface EvaluateRequest {
  code: Uint8Array;
  input: string;
  functions: NonNullable<EvaluateOptions['functions']>;
  timeoutMs: number;
  maxCalls: number;
}

type EvaluateErrorCode = NonNullable<Extract<EvaluateResult, { status: 'error' }>['code']>;

const MESSAGES: Record<EvaluateErrorCode, string> = {
  timeout: 'The code did not finish in time. Make it do less, or give a larger timeoutMs',
  aborted: 'The evaluation was aborted',
  oom: 'The code used more memory than the sandbox allows. Work on less data at once',
  output_limit: 'The code logged or returned more than the sandbox allows. Return a smaller value',
  result_invalid: 'The code returned what JSON cannot carry. Return plain data: no functions, cycles or symbols',
  invalid_input: 'The code cannot be evaluated: it is too large',
  session_limit: 'The code called host functions more often than it may',
};

/** One evaluation on a worker, with the host functions it calls. */
export class EvaluateCall implements WorkerCall {
  readonly result: Promise<EvaluateResult | typeof NOT_STARTED>;
  readonly #request: EvaluateRequest;
  readonly #worker: IsolateWorker;
  readonly #clean: MessageCleaner;
  readonly #startedAt = performance.now();
  /** Aborted when the evaluation is over, however it ends: host functions stop working for nobody. */
  readonly #over = new AbortController();
  #calls = 0;
  #resolve!: (result: EvaluateResult | typeof NOT_STARTED) => void;
  #reject!: (error: SandboxError) => void;

  constructor(worker: IsolateWorker, request: EvaluateRequest, clean: MessageCleaner) {
    this.#worker = worker;
    this.#clean = clean;
    this.#request = request;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  request(id: number): { message: HostMessage; body: Uint8Array } {
    const { code, input, functions, timeoutMs, maxCalls } = this.#request;
    return {
      message: { type: 'evaluate', id, input, functions: Object.keys(functions), timeoutMs, maxCalls },
      body: code,
    };
  }

  receive(message: WorkerMessage, body: Uint8Array, id: number): boolean {
    switch (message.type) {
      case 'call':
        void this.#answer(id, message.callId, message.name, body);
        return false;
      case 'evaluate-result':
        this.#finish(message, body);
        return true;
      case 'error':
        this.#over.abort();
        this.#reject(new SandboxError(message.code, message.message));
        return true;
      default:
        return false;
    }
  }

  lost(end: WorkerEnd, started: boolean): void {
    this.#over.abort();
    if (started && (end === 'timeout' || end === 'aborted' || end === 'oom'))
      return this.#resolve(this.#failure(end, []));
    if (!started && end !== 'disposed') return this.#resolve(NOT_STARTED);
    this.#reject(lostError(end));
  }

  #finish(message: Extract<WorkerMessage, { type: 'evaluate-result' }>, body: Uint8Array): void {
    this.#over.abort();
    const decoded = decodeJson(body);
    if (message.ok && decoded !== undefined) {
      const value = decoded.value as JsonValue;
      return this.#resolve({ status: 'ok', value, logs: message.logs, durationMs: this.#elapsed() });
    }
    const thrown = decoded === undefined ? undefined : readThrown(decoded.value);
    const code = message.ok ? 'result_invalid' : message.code;
    if (code !== undefined && Object.hasOwn(MESSAGES, code)) {
      return this.#resolve(this.#failure(code as EvaluateErrorCode, message.logs, thrown));
    }
    this.#resolve({
      status: 'error',
      error: thrown ?? { name: 'Error', message: 'The code threw something that cannot be shown' },
      logs: message.logs,
      durationMs: this.#elapsed(),
    });
  }

  #failure(code: EvaluateErrorCode, logs: string[], detail?: { name: string; message: string }): EvaluateResult {
    const error = detail ?? { name: 'SandboxError', message: MESSAGES[code] };
    return { status: 'error', error, code, logs, durationMs: this.#elapsed() };
  }

  async #answer(id: number, callId: number, name: string, body: Uint8Array): Promise<void> {
    const answer = await this.#callFunction(name, body);
    if (this.#over.signal.aborted) return;
    const reply = answer.ok ? answer.text : JSON.stringify(answer.error);
    this.#worker.send({ type: 'answer', id, callId, ok: answer.ok }, Buffer.from(reply));
  }

  async #callFunction(name: string, body: Uint8Array): Promise<FunctionAnswer> {
    const { functions, maxCalls } = this.#request;
    // The worker counts too; a worker that does not is hostile.
    this.#calls += 1;
    if (this.#calls > maxCalls) return refused('TooManyCalls', `Host functions may be called ${maxCalls} times`);
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    const argument = decodeJson(body);
    if (called === undefined || argument === undefined) return refused('TypeError', `There is no tool '${name}'`);
    try {
      const value = await called(argument.value as JsonValue, { signal: this.#over.signal });
      const encoded = encodePlainJson(value);
      if (encoded.ok) return encoded;
      return refused(
        'ResultInvalid',
        `The tool '${name}' answered what cannot cross into the sandbox: ${encoded.reason}`,
      );
    } catch (error) {
      const [thrown, message] = describeThrown(error);
      return refused(thrown, this.#clean(message, true));
    }
  }

  #elapsed(): number {
    return performance.now() - this.#startedAt;
  }
}

type FunctionAnswer = { ok: true; text: string } | { ok: false; error: { name: string; message: string } };

const MAX_MESSAGE_CHARACTERS = 2_000;

function refused(name: string, message: string): FunctionAnswer {
  return { ok: false, error: { name, message: message.slice(0, MAX_MESSAGE_CHARACTERS) } };
}

/** Name and message of a host error; never its stack, which holds host paths. */
function describeThrown(error: unknown): [name: string, message: string] {
  if (typeof error !== 'object' || error === null) return ['Error', textOf(error)];
  const name = readProperty(error, 'name');
  const message = readProperty(error, 'message');
  return [typeof name === 'string' ? name.slice(0, 200) : 'Error', textOf(message ?? error)];
}

function readThrown(value: unknown): { name: string; message: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, message } = value as { name?: unknown; message?: unknown };
  if (typeof name !== 'string' || typeof message !== 'string') return undefined;
  return { name: name.slice(0, 200), message: message.slice(0, MAX_MESSAGE_CHARACTERS) };
}
