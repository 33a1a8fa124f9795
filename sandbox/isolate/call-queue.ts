import type { FileLayer } from '../files/file-layer.js';
import type { Frame } from '../protocol/frame.js';
import type { HostMessage } from '../protocol/isolate.js';
import type { CommandRule, EnforcementPlan } from '../protocol/plan.js';
import { EvaluateCall } from './evaluate/evaluate-call.js';
import { type ExecMessage, runExec } from './exec/run-exec.js';
import { answerFileCall, fileCallTimeout } from './file-calls.js';
import { monotonicMs } from './monotonic-ms.js';
import type { StartedShell } from './start-shell.js';
import { die } from './watch/die.js';
import type { WatchState } from './watch/watch-state.js';
import { sendFrame } from './wire/send-frame.js';

export interface WorkerParts {
  watch: WatchState;
  /** For the host's file calls. */
  hostFiles: FileLayer;
  /** For commands. */
  guestFiles: FileLayer;
  shell: StartedShell | undefined;
  /** Commands that rules do not let start. */
  denied?: readonly CommandRule[];
}

type EvaluateMessage = Extract<HostMessage, { type: 'evaluate' }>;
type GuestCall = { message: ExecMessage | EvaluateMessage; body: Uint8Array };

/** Of the memory limit. */
const FULL = 0.75;

interface Running {
  id: number;
  /** Asks a waiting call to end. */
  stop(): void;
  evaluate?: EvaluateCall;
}

/** Takes the host's messages: guest code runs one call at a time, file calls are answered in between. */
export class CallQueue {
  readonly #parts: WorkerParts;
  #denied: readonly CommandRule[];
  #waiting: GuestCall[] = [];
  #running: Running | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#denied = parts.denied ?? [];
  }

  receive(frames: Frame[]): void {
    const messages = frames.map(({ header, body }) => ({ message: header as HostMessage, body }));
    const cancelled = new Set<number>();
    for (const { message } of messages) if (message?.type === 'cancel') cancelled.add(message.id);
    for (const { message, body } of messages) this.#take(message, body, cancelled);
  }

  #take(message: HostMessage, body: Uint8Array, cancelled: ReadonlySet<number>): void {
    switch (message?.type) {
      case 'exec':
      case 'evaluate':
        if (cancelled.has(message.id)) return this.#refuse(message);
        this.#waiting.push({ message, body });
        this.#next();
        return;
      case 'cancel':
        this.#cancel(message.id);
        return;
      case 'answer':
        if (this.#running?.id === message.id) this.#running.evaluate?.answer(message.callId, message.ok, body);
        return;
      case 'enforce':
        this.#enforce(message.plan);
        return;
      case 'file':
        this.#file(message, body);
        return;
      default:
        die();
    }
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const call = this.#waiting.shift();
    if (call === undefined) return;
    const { shell, watch } = this.#parts;
    const { message, body } = call;
    if (shell === undefined) return this.#unsupported(message.id);
    watch.begin(message.id, message.timeoutMs);
    if (message.type === 'exec') this.#exec(message, body, shell);
    else this.#evaluate(message, body, shell);
    if (this.#running !== undefined) this.#stopAtDeadline();
  }

  #exec(message: ExecMessage, stdin: Uint8Array, { isolate }: StartedShell): void {
    const { watch, guestFiles } = this.#parts;
    this.#running = { id: message.id, stop: () => isolate.interrupt() };
    runExec(message, stdin, {
      shell: isolate,
      files: guestFiles,
      denied: this.#denied,
      stoppedBecause: () => (watch.cancelled ? 'aborted' : 'timeout'),
      finished: () => this.#finished(),
    });
  }

  #evaluate(message: EvaluateMessage, code: Uint8Array, shell: StartedShell): void {
    const { watch } = this.#parts;
    const evaluate = new EvaluateCall(message, {
      ivm: shell.ivm,
      memoryMegabytes: shell.memoryMegabytes,
      deadline: watch.deadline,
      finished: () => this.#finished(),
    });
    this.#running = {
      id: message.id,
      evaluate,
      stop: () => evaluate.stop(watch.cancelled ? 'aborted' : 'timeout'),
    };
    evaluate.start(code);
  }

  #finished(): void {
    this.#parts.watch.end();
    this.#running = undefined;
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    this.#retireWhenFull();
    // The isolate's code may still be on the stack.
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }

  /** What the call left behind would count as the next one's: that gets a worker of its own. */
  #retireWhenFull(): void {
    const { memoryLimit } = this.#parts.watch;
    if (memoryLimit > 0 && process.memoryUsage.rss() > memoryLimit * FULL) die('oom');
  }

  #stopAtDeadline(): void {
    const running = this.#running;
    const left = Math.max(0, this.#parts.watch.deadline - monotonicMs());
    this.#deadline = setTimeout(() => {
      if (this.#running === running) running?.stop();
    }, left + 1);
  }

  #cancel(id: number): void {
    if (this.#running?.id === id) {
      this.#parts.watch.cancel(id);
      this.#running.stop();
      return;
    }
    const index = this.#waiting.findIndex(({ message }) => message.id === id);
    const [call] = index === -1 ? [] : this.#waiting.splice(index, 1);
    if (call !== undefined) this.#refuse(call.message);
  }

  #enforce(plan: EnforcementPlan): void {
    const { hostFiles, guestFiles } = this.#parts;
    for (const files of new Set([hostFiles, guestFiles])) files.enforce(plan);
    this.#denied = [...this.#denied, ...(plan.denyCommands ?? [])];
  }

  #refuse({ id }: { id: number }): void {
    sendFrame({ type: 'error', id, code: 'aborted', message: 'The call was cancelled before it started' });
  }

  #unsupported(id: number): void {
    sendFrame({ type: 'error', id, code: 'unsupported', message: 'This worker only does file work' });
  }

  #file(message: Extract<HostMessage, { type: 'file' }>, body: Uint8Array): void {
    const { watch, hostFiles } = this.#parts;
    // While a guest call waits, its own deadline is the one that counts.
    const alone = this.#running === undefined;
    if (alone) watch.begin(message.id, fileCallTimeout(message.operation));
    answerFileCall(message, body, hostFiles);
    if (alone) watch.end();
  }
}
