import { readFileSync } from 'node:fs';
import type ivm from 'isolated-vm';
import type { ErrorCode } from '../../protocol/error-code.js';
import { MAX_HEADER_BYTES } from '../../protocol/frame.js';
import type { HostMessage } from '../../protocol/isolate.js';
import { CallMeter, createCallback } from '../callbacks.js';
import { monotonicMs } from '../monotonic-ms.js';
import { die } from '../watch/die.js';
import { sendFrame } from '../wire/send-frame.js';
import type { EvaluateGuest, SettleKind } from './evaluate-bridge.js';
import { evaluateLimits, MAX_CODE_BYTES } from './evaluate-limits.js';

export type EvaluateMessage = Extract<HostMessage, { type: 'evaluate' }>;

export interface EvaluateContext {
  ivm: typeof ivm;
  memoryMegabytes: number;
  /** When its time is up, by `monotonicMs`. */
  deadline: number;
  finished(): void;
}

interface Outcome {
  ok: boolean;
  code?: ErrorCode;
  /** JSON. */
  text: string;
}

/** One evaluation, in an isolate of its own that nobody used before and nobody will use again. */
export class EvaluateCall {
  readonly #message: EvaluateMessage;
  readonly #context: EvaluateContext;
  readonly #limits: ReturnType<typeof evaluateLimits>;
  readonly #meter = new CallMeter();
  readonly #logs: string[] = [];
  #logged = 0;
  #calls = 0;
  #isolate: ivm.Isolate | undefined;
  #answerGuest: ivm.Reference<EvaluateGuest['answer']> | undefined;
  #outcome: Outcome | undefined;
  #over = false;

  constructor(message: EvaluateMessage, context: EvaluateContext) {
    this.#message = message;
    this.#context = context;
    this.#limits = evaluateLimits(message.maxCalls);
  }

  start(code: Uint8Array): void {
    if (code.length > MAX_CODE_BYTES) {
      this.#finish(failure('invalid_input', 'RangeError', 'The code is larger than 1 MiB'));
      return;
    }
    const text = Buffer.from(code.buffer, code.byteOffset, code.byteLength).toString('utf8');
    this.#enter(() => this.#boot(text));
  }

  /** The host's answer to a call of the code. */
  answer(callId: number, ok: boolean, body: Uint8Array): void {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    this.#enter((timeout) => this.#answerGuest?.applySync(undefined, [callId, ok, text], { timeout }));
  }

  /** Ends an evaluation that waits. */
  stop(because: 'timeout' | 'aborted'): void {
    this.#finish(stopped(because));
  }

  /** Runs code of the isolate and ends the call when it settled, or can no longer. */
  #enter(work: (timeoutMs: number) => void): void {
    if (this.#over) return;
    const left = this.#context.deadline - monotonicMs();
    if (left <= 0) return this.#finish(stopped('timeout'));
    try {
      // V8's own timeout ends most endless loops and leaves the worker whole; the watchdog ends the others with it.
      work(Math.ceil(left));
    } catch (error) {
      // Interrupted: what it had settled on before it went on for ever is no result.
      this.#outcome = this.#explain(error);
    }
    // Not from within: the isolate is disposed of here.
    if (this.#outcome !== undefined) this.#finish(this.#outcome);
  }

  #boot(code: string): void {
    const { ivm, memoryMegabytes } = this.#context;
    // Without `onCatastrophicError`: it is called on the thread that the isolate blocks, so that V8 would sleep until
    // the deadline instead of aborting the process, which the host reads as `oom`.
    const isolate = new ivm.Isolate({ memoryLimit: memoryMegabytes });
    this.#isolate = isolate;
    const context = isolate.createContextSync();
    isolate.compileScriptSync(bootstrap(), { filename: 'evaluate.js' }).runSync(context);
    const guest = context.global.getSync('caissonEvaluate', { reference: true });
    this.#answerGuest = guest.getSync('answer', { reference: true });
    const callback = (work: (...values: never[]) => string | number | boolean | undefined) =>
      createCallback(ivm, this.#meter, work);
    const { input, functions, timeoutMs } = this.#message;
    context.evalClosureSync(
      `'use strict';
      const guest = caissonEvaluate;
      delete globalThis.caissonEvaluate;
      guest.run({ settle: $0, log: $1, call: $2 }, $3);`,
      [
        callback((kind: SettleKind, text: string) => this.#settle(kind, text)),
        callback((line: string) => this.#log(line)),
        callback((callId: number, name: string, argument: string) => this.#call(callId, name, argument)),
        { code, input, functions, limits: this.#limits },
      ],
      {
        arguments: { copy: true },
        timeout: Math.max(1, Math.ceil(Math.min(timeoutMs, this.#context.deadline - monotonicMs()))),
      },
    );
  }

  #settle(kind: SettleKind, text: string): undefined {
    if (this.#outcome !== undefined || typeof text !== 'string') return;
    if (kind === 'value') this.#outcome = { ok: true, text };
    else if (kind === 'thrown') this.#outcome = { ok: false, text };
    else this.#outcome = { ok: false, code: kind, text };
  }

  /** The guest counts too; this holds whatever it does. */
  #log(line: string): boolean {
    const { logLines, logCharacters } = this.#limits;
    if (typeof line !== 'string' || this.#logs.length >= logLines || this.#logged >= logCharacters) return false;
    const kept = line.slice(0, logCharacters + 100);
    this.#logs.push(kept);
    this.#logged += kept.length;
    return true;
  }

  #call(callId: number, name: string, argument: string): boolean {
    if (this.#over || !this.#message.functions.includes(name)) return false;
    this.#calls += 1;
    if (this.#calls > this.#limits.calls || argument.length > this.#limits.resultCharacters) return false;
    sendFrame({ type: 'call', id: this.#message.id, callId, name }, Buffer.from(argument, 'utf8'));
    return true;
  }

  #explain(error: unknown): Outcome {
    // What the isolate took is not given back at once: the next call, which did nothing, would be ended for it.
    if (this.#isolate?.isDisposed) die('oom', this.#message.id);
    const message = error instanceof Error ? error.message : '';
    if (message.includes('timed out')) return stopped('timeout');
    return failure(undefined, 'Error', message.slice(0, this.#limits.messageCharacters));
  }

  #finish(outcome: Outcome): void {
    if (this.#over) return;
    this.#over = true;
    const { ok, code, text } = outcome;
    const header = { type: 'evaluate-result', id: this.#message.id, ok, logs: fittingLogs(this.#logs) } as const;
    sendFrame(code === undefined ? header : { ...header, code }, Buffer.from(text, 'utf8'));
    if (this.#isolate !== undefined && !this.#isolate.isDisposed) this.#isolate.dispose();
    this.#context.finished();
  }
}

function stopped(because: 'timeout' | 'aborted'): Outcome {
  const message = because === 'timeout' ? 'The code did not finish in time' : 'The evaluation was aborted';
  return failure(because, because === 'timeout' ? 'TimeoutError' : 'AbortError', message);
}

function failure(code: ErrorCode | undefined, name: string, message: string): Outcome {
  return { ok: false, ...(code === undefined ? {} : { code }), text: JSON.stringify({ name, message }) };
}

/** Logs travel in the frame's header, where a control character takes six bytes. */
function fittingLogs(logs: readonly string[]): string[] {
  let count = logs.length;
  while (count > 0 && Buffer.byteLength(JSON.stringify(logs.slice(0, count))) > MAX_LOG_BYTES)
    count = Math.floor(count / 2);
  return count === logs.length ? [...logs] : [...logs.slice(0, count), '… (the log is full)'];
}

const MAX_LOG_BYTES = MAX_HEADER_BYTES - 10_000;

let bootstrapText: string | undefined;

/** Strict, as is the closure: a stack's frames give away sloppy functions, and their `arguments` our callbacks. */
function bootstrap(): string {
  bootstrapText ??= `'use strict';\n${readFileSync(new URL('./evaluate.js', import.meta.url), 'utf8')}`;
  return bootstrapText;
}
