import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { type ExecFilesInit, FROM_SHELL_FD, TO_SHELL_FD } from '../../../../sandbox/protocol/exec-files.js';
import { encodeFrame, FrameDecoder } from '../../../../sandbox/protocol/frame.js';
import { mergePlans } from '../../../../sandbox/protocol/plan.js';
import { type ErrorCode, isErrorCode } from '../../errors.js';
import type { EnforcementPlan } from '../../plan.js';
import { createPrivateDirectory, type PrivateDirectory } from '../../private-directory.js';
import { guestPath } from '../agent/guest-path.js';
import type { EngineExec } from './engine-exec.js';
import type { FileAnswer, FileMessage } from './exec-files.js';

export interface FileHelperOptions {
  plan: EnforcementPlan;
  startedEmpty: boolean;
  /** Starts the shell in the container that does the single steps. */
  openShell(): Promise<EngineExec>;
}

interface Pending {
  message: FileMessage;
  body: Uint8Array;
  answer: FileAnswer;
  timer: NodeJS.Timeout;
  tries: number;
}

interface Pair {
  child: ChildProcess;
  scratch: PrivateDirectory;
  shell: EngineExec | undefined;
  ended: boolean;
}

const MAX_TRIES = 3;

/**
 * A process of the host and a shell in the container that do file work together. Commands run as the shell's user and can
 * end it: then its calls, each of which is done at once or not at all, go to the next pair. What comes from it is passed
 * on only as the answer to a call it has.
 */
export class FileHelper {
  readonly #options: FileHelperOptions;
  readonly #pending = new Map<number, Pending>();
  #plan: EnforcementPlan;
  #pair: Pair | undefined;
  #over = false;

  constructor(options: FileHelperOptions) {
    this.#options = options;
    this.#plan = options.plan;
  }

  call(message: FileMessage, body: Uint8Array, answer: FileAnswer): void {
    const { id, timeoutMs } = message;
    const timer = setTimeout(() => this.#giveUp(id, 'timeout', 'The file call did not finish in time'), timeoutMs);
    this.#pending.set(id, { message, body, answer, timer, tries: 1 });
    this.#pair ??= this.#launch();
    if (this.#pending.size === 1) this.#hold(this.#pair, true);
    write(this.#pair, message, body);
  }

  cancel(id: number): void {
    if (this.#pending.has(id)) this.#giveUp(id, 'aborted', 'The file call was aborted');
  }

  enforce(plan: EnforcementPlan): void {
    this.#plan = mergePlans(this.#plan, plan);
    if (this.#pair !== undefined) write(this.#pair, { type: 'enforce', plan });
  }

  end(): void {
    this.#over = true;
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
    if (this.#pair !== undefined) endPair(this.#pair);
    this.#pair = undefined;
  }

  #launch(): Pair {
    const scratch = createPrivateDirectory({ kind: 'files' });
    const script = guestPath('exec-files.cjs');
    // What it searches is hostile: it may read itself and use its own directory, and nothing else of this machine.
    const locked = [
      '--permission',
      `--allow-fs-read=${script}`,
      `--allow-fs-read=${scratch.path}`,
      `--allow-fs-write=${scratch.path}`,
    ];
    const child = spawn(process.execPath, [...locked, script], {
      cwd: scratch.path,
      env: {},
      stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    const pair: Pair = { child, scratch, shell: undefined, ended: false };
    const decoder = new FrameDecoder();
    child.stdout?.on('data', (chunk: Uint8Array) => {
      try {
        for (const { header, body } of decoder.push(chunk)) this.#receive(header, body);
      } catch {
        this.#lost(pair);
      }
    });
    child.stdin?.on('error', () => {});
    child.once('error', () => this.#lost(pair));
    child.once('exit', () => this.#lost(pair));
    const token = randomBytes(16).toString('hex');
    const { startedEmpty } = this.#options;
    const init: ExecFilesInit = { type: 'init', token, plan: this.#plan, startedEmpty, scratchDirectory: scratch.path };
    write(pair, init);
    this.#hold(pair, false);
    void this.#connect(pair);
    return pair;
  }

  async #connect(pair: Pair): Promise<void> {
    const toShell = pair.child.stdio[TO_SHELL_FD] as Readable;
    const fromShell = pair.child.stdio[FROM_SHELL_FD] as Writable;
    fromShell.on('error', () => {});
    fromShell.on('drain', () => pair.shell?.resume());
    toShell.on('error', () => {});
    try {
      const shell = await this.#options.openShell();
      if (pair.ended) return shell.destroy();
      pair.shell = shell;
      shell.listen({
        keeps: true,
        data: (stream, chunk) => {
          if (stream === 'stdout' && fromShell.writable && !fromShell.write(chunk)) shell.pause();
        },
        ended: () => this.#lost(pair),
      });
      toShell.on('data', (chunk: Uint8Array) => {
        toShell.pause();
        shell.write(chunk, () => toShell.resume());
      });
    } catch {
      this.#lost(pair);
    }
  }

  #receive(header: unknown, body: Uint8Array): void {
    if (typeof header !== 'object' || header === null || !('id' in header) || !('type' in header)) return;
    const id = Number(header.id);
    const call = this.#pending.get(id);
    if (call === undefined) return;
    if (header.type === 'file-result' && 'value' in header) {
      this.#settle(id);
      call.answer({ type: 'file-result', id, value: header.value }, body);
    } else if (header.type === 'error' && 'code' in header && isErrorCode(header.code) && 'message' in header) {
      const path = 'path' in header && typeof header.path === 'string' ? header.path : undefined;
      this.#answerError(id, header.code, { message: String(header.message), path });
    }
  }

  #lost(pair: Pair): void {
    endPair(pair);
    if (this.#pair !== pair || this.#over) return;
    this.#pair = undefined;
    for (const [id, call] of this.#pending) {
      call.tries += 1;
      if (call.tries > MAX_TRIES) {
        this.#answerError(id, 'sandbox_crashed', {
          message: 'The processes that do file work keep ending. Make the call again',
        });
      }
    }
    if (this.#pending.size === 0) return;
    const next = this.#launch();
    this.#pair = next;
    this.#hold(next, true);
    for (const { message, body } of this.#pending.values()) write(next, message, body);
  }

  /** The pair may be stuck in it: it goes, and the other calls start over in the next one. */
  #giveUp(id: number, code: 'timeout' | 'aborted', message: string): void {
    this.#answerError(id, code, { message });
    for (const call of this.#pending.values()) call.tries -= 1;
    if (this.#pair !== undefined) this.#lost(this.#pair);
  }

  #answerError(id: number, code: ErrorCode, { message, path }: { message: string; path?: string | undefined }): void {
    const call = this.#pending.get(id);
    this.#settle(id);
    call?.answer({ type: 'error', id, code, message, ...(path === undefined ? {} : { path }) });
  }

  #settle(id: number): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
    if (this.#pending.size === 0 && this.#pair !== undefined) this.#hold(this.#pair, false);
  }

  /** Whether it keeps the host's event loop alive. */
  #hold({ child }: Pair, held: boolean): void {
    const handles = [child, ...child.stdio] as unknown as ({ ref?(): void; unref?(): void } | null)[];
    for (const handle of handles) {
      if (held) handle?.ref?.();
      else handle?.unref?.();
    }
  }
}

function write({ child }: Pair, message: object, body?: Uint8Array): void {
  for (const piece of encodeFrame(message, body)) if (child.stdin?.writable === true) child.stdin.write(piece);
}

function endPair(pair: Pair): void {
  if (pair.ended) return;
  pair.ended = true;
  pair.child.kill('SIGKILL');
  pair.shell?.endInput();
  pair.shell?.destroy();
  pair.scratch.remove();
}
