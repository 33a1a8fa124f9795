import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type AgentInit, type AgentMessage, type HostMessage, LOADER } from '../../protocol/container.js';
import { type ErrorCode, isErrorCode } from '../../protocol/error-code.js';
import type { EnforcementPlan } from '../../protocol/plan.js';
import type { Launcher } from '../commands/launcher.js';
import { Wire } from '../wire.js';

type FileMessage = Extract<HostMessage, { type: 'file' | 'tree' }>;

export interface FileWorkerOptions {
  init: AgentInit;
  launcher: Launcher;
  source: Uint8Array;
  scratchDirectory: string;
  /** All rules that hold now, for a helper that is new. */
  plan(): EnforcementPlan;
  send(message: AgentMessage, body?: Uint8Array): void;
}

interface Pending {
  message: FileMessage;
  body: Uint8Array;
  timer: NodeJS.Timeout;
  tries: number;
}

const MAX_TRIES = 3;
/** The host takes no longer texts. */
const MAX_TEXT = 8_000;
/** A helper that has not answered for so long is woken: a command of the same user may have stopped it. */
const WAKE_EVERY_MS = 250;

/**
 * One helper process. Commands run as the same user and can end it: then its calls, each of which is done at once or not
 * at all, go to the next one. What it says is passed on only as an answer to a call it has.
 */
export class FileWorker {
  readonly #options: FileWorkerOptions;
  readonly #pending = new Map<number, Pending>();
  #waker: NodeJS.Timeout | undefined;
  #helper: { child: ChildProcess; wire: Wire } | undefined;

  constructor(options: FileWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#helper ??= this.#launch();
  }

  call(message: FileMessage, body: Uint8Array): void {
    const timer = setTimeout(
      () => this.#giveUp(message.id, 'timeout', 'The file call did not finish in time'),
      message.timeoutMs,
    );
    this.#pending.set(message.id, { message, body, timer, tries: 1 });
    this.start();
    this.#helper?.wire.send(message, body);
    this.#waker ??= setInterval(() => this.#helper?.child.kill('SIGCONT'), WAKE_EVERY_MS);
  }

  cancel(id: number): void {
    if (this.#pending.has(id)) this.#giveUp(id, 'aborted', 'The file call was aborted');
  }

  enforce(plan: EnforcementPlan): void {
    this.#helper?.wire.send({ type: 'enforce', plan });
  }

  #launch(): { child: ChildProcess; wire: Wire } | undefined {
    const { init, launcher, source, scratchDirectory, plan } = this.#options;
    try {
      const child = launcher.launch({
        argv: [process.execPath, '-e', LOADER, 'files'],
        cwd: '/',
        env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const wire = new Wire(child.stdout as Readable, child.stdin as Writable, {
        frame: (header, body) => this.#receive(header, body),
        closed: () => this.#lost(child),
      });
      child.once('error', () => this.#lost(child));
      child.once('exit', () => this.#lost(child));
      (child.stdin as Writable).write(source);
      wire.send({
        type: 'init',
        plan: plan(),
        startedEmpty: init.startedEmpty,
        workspace: init.workspace,
        scratchDirectory,
      });
      return { child, wire };
    } catch {
      for (const id of this.#pending.keys())
        this.#answerError(id, 'session_limit', 'Cannot start file work: no more processes are allowed');
      return undefined;
    }
  }

  #receive(header: unknown, body: Uint8Array): void {
    if (typeof header !== 'object' || header === null || !('id' in header) || !('type' in header)) return;
    const { id } = header;
    // A command of the same user may speak in its place: an object here could make whoever reads it throw.
    if (typeof id !== 'number' || !this.#pending.has(id)) return;
    if (header.type === 'file-result' && 'value' in header) {
      // First: a value that does not fit a frame any more throws, and then the call is still one to be answered.
      this.#options.send({ type: 'file-result', id, value: header.value }, body);
      this.#settle(id);
    } else if (header.type === 'error' && 'code' in header && isErrorCode(header.code) && 'message' in header) {
      const path = 'path' in header && typeof header.path === 'string' ? header.path : undefined;
      if (typeof header.message === 'string')
        this.#answerError(id, header.code, header.message.slice(0, MAX_TEXT), path?.slice(0, MAX_TEXT));
    }
  }

  #lost(child: ChildProcess): void {
    if (this.#helper?.child !== child) return;
    this.#helper = undefined;
    child.kill('SIGKILL');
    for (const [id, call] of this.#pending) {
      call.tries += 1;
      if (call.tries > MAX_TRIES)
        this.#answerError(id, 'sandbox_crashed', 'The process that does file work keeps ending. Make the call again');
    }
    if (this.#pending.size === 0) return;
    const next = this.#launch();
    this.#helper = next;
    for (const { message, body } of this.#pending.values()) next?.wire.send(message, body);
  }

  /** The helper may be stuck in it: it goes, and the other calls start over in the next one. */
  #giveUp(id: number, code: 'timeout' | 'aborted', message: string): void {
    this.#answerError(id, code, message);
    const child = this.#helper?.child;
    if (child === undefined) return;
    for (const call of this.#pending.values()) call.tries -= 1;
    this.#lost(child);
  }

  #answerError(id: number, code: ErrorCode, message: string, path?: string): void {
    this.#settle(id);
    this.#options.send({ type: 'error', id, code, message, ...(path === undefined ? {} : { path }) });
  }

  #settle(id: number): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
    if (this.#pending.size > 0) return;
    clearInterval(this.#waker);
    this.#waker = undefined;
  }
}
