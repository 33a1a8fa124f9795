import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { AgentInit, AgentMessage, AgentSignal } from '../../protocol/container.js';
import type { CounterClaims } from '../../protocol/counter-claims.js';
import type { ErrorCode } from '../../protocol/error-code.js';
import { exitCause } from '../../protocol/exit-cause.js';
import { badDirectory, startFailure } from './command-failures.js';
import { readCounters } from './counters.js';
import { endTree, signalTree } from './end-tree.js';
import { refusedDirectory } from './enter-directory.js';
import type { Launcher } from './launcher.js';
import type { Stdio } from './open-stdio.js';
import { type OutputSender, StreamingSender, SummarySender } from './output-sender.js';
import { commandLine, findKinSoon } from './process-table.js';
import type { Exit, StartedCommand } from './started-command.js';

export interface CommandSpec {
  id: number;
  argv: string[];
  cwd: string;
  /** As they were asked for, for messages. */
  shownCwd: string;
  program: string;
  env: Record<string, string>;
  timeoutMs: number | undefined;
  /** Absent: all of it is streamed. */
  maxOutputBytes: number | undefined;
  /** Absent: an open pipe that the host writes to. */
  stdin: Uint8Array | undefined;
  /** More for the program to read, on fd 3. */
  script: Uint8Array | undefined;
  /** The host is told its pid as soon as it has one. */
  announced: boolean;
}

export interface CommandSurroundings {
  init: AgentInit;
  launcher: Launcher;
  claims: CounterClaims;
  openStdio(wanted: { stdin: boolean; script: boolean }): Stdio;
  send(message: AgentMessage, body?: Uint8Array): void;
  /** How many commands run now, this one among them. */
  running(): number;
}

/** How much longer output is read when everything that could write it is known to be gone. */
const LAST_WORDS_MS = 200;

/** One command from its start until its result is sent. */
export class Command {
  readonly ended: Promise<void>;
  readonly #spec: CommandSpec;
  readonly #around: CommandSurroundings;
  readonly #process: StartedCommand;
  readonly #stdio: Stdio;
  readonly #output: OutputSender;
  readonly #timer: NodeJS.Timeout | undefined;
  #cause: 'timeout' | 'aborted' | undefined;
  #exit: Exit | undefined;

  /** @throws system errors of starting a process */
  constructor(spec: CommandSpec, around: CommandSurroundings) {
    this.#spec = spec;
    this.#around = around;
    this.#stdio = around.openStdio({
      script: spec.script !== undefined,
      stdin: spec.stdin === undefined || spec.stdin.length > 0,
    });
    this.#process = this.#launch();
    const { stdout, stderr } = this.#stdio;
    this.#output =
      spec.maxOutputBytes === undefined
        ? new StreamingSender(spec.id, { stdout, stderr }, around.send)
        : new SummarySender(spec.id, { stdout, stderr }, { maxBytes: spec.maxOutputBytes, send: around.send });
    if (spec.timeoutMs !== undefined) this.#timer = setTimeout(() => this.stop('timeout'), spec.timeoutMs);
    this.ended = this.#run();
  }

  get pid(): number {
    return this.#process.pid;
  }

  get stdin(): Writable | undefined {
    return this.#stdio.stdin;
  }

  /** Ends everything the command started. */
  stop(cause: 'timeout' | 'aborted'): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#stopped.resolve(
      this.#process.started.then((error) =>
        error === undefined ? endTree(this.#kin, this.#around.init.graceMs) : 'verified',
      ),
    );
  }

  credit(bytes: number): void {
    this.#output.credit(bytes);
  }

  /** @returns whether there was anything to signal */
  signal(signal: AgentSignal): boolean {
    return this.#exit === undefined && this.pid !== 0 && signalTree(this.#kin, signal);
  }

  readonly #stopped = Promise.withResolvers<'verified' | 'unverified'>();

  readonly #seen = new Set<number>();

  get #kin() {
    return { pid: this.pid, mark: this.#process.mark, seen: this.#seen };
  }

  #launch(): StartedCommand {
    try {
      return this.#around.launcher.start({
        argv: this.#spec.argv,
        cwd: this.#spec.cwd,
        env: this.#spec.env,
        stdio: this.#stdio.forChild,
        paths: this.#stdio.paths,
      });
    } catch (error) {
      this.#stdio.discard();
      throw error;
    }
  }

  async #run(): Promise<void> {
    const refusal = await this.#process.started;
    if (refusal !== undefined) return this.#neverRan(refusal);
    this.#stdio.attach(this.#process.child);
    // Not before: a pipe whose writer has already closed it could no longer be opened by its name.
    if (this.#spec.script !== undefined) this.#stdio.script?.end(this.#spec.script);
    if (this.#spec.stdin !== undefined) this.#stdio.stdin?.end(this.#spec.stdin);
    if (this.#spec.announced) this.#around.send({ type: 'started', id: this.#spec.id, pid: this.pid });
    const killed = await Promise.race([this.#exited(), this.#stopped.promise]);
    clearTimeout(this.#timer);
    if (this.#exit?.error !== undefined) return this.#neverRan(this.#exit.error);
    if (killed === undefined) await this.#drain(this.#around.init.drainMs);
    // Stopped while its output drained, or before: either way its end has to be waited for.
    const verified = this.#cause === undefined ? undefined : await this.#stopped.promise;
    if (verified !== undefined) await this.#drain(LAST_WORDS_MS);
    this.#report(verified, verified === 'verified' ? [] : await findKinSoon(this.#kin));
  }

  #neverRan(why: Error): void {
    clearTimeout(this.#timer);
    this.#stdio.discard();
    this.#around.send(startFailure(this.#spec, why));
  }

  async #exited(): Promise<undefined> {
    this.#exit = await this.#process.exited;
  }

  /** Waits for the end of both streams, but not for children that merely hold them open. */
  async #drain(ms: number): Promise<void> {
    const { stdout, stderr } = this.#stdio;
    // What the pipes still hold need not wait for the host: somebody may read it only after this has ended.
    this.#output.release();
    const ends = Promise.all([ended(stdout), ended(stderr)]);
    for (let left = ms; left > 0; left -= 50) {
      const done = await Promise.race([ends.then(() => true), pause(Math.min(left, 50)).then(() => false)]);
      if (done || this.#cause === 'aborted') return;
    }
  }

  #report(killed: 'verified' | 'unverified' | undefined, left: number[]): void {
    const { id } = this.#spec;
    const stderrEnd = this.#output.stderrEnd();
    const rest = this.#output.rest();
    if (left.length > 0 && this.#process.mark !== undefined) this.#around.launcher.marks.keep(this.#process.mark);
    this.#stdio.finish(left.length > 0);
    const refused = refusedDirectory(this.#exit?.code ?? null, stderrEnd);
    if (refused !== undefined) return this.#around.send(badDirectory(this.#spec, refused));
    this.#around.send(
      {
        type: 'exec-result',
        id,
        ...this.#outcome(killed, stderrEnd),
        ...(left.length > 0
          ? { stillRunning: left.slice(0, 50).map((pid) => ({ pid, command: commandLine(pid) })) }
          : {}),
        stdoutBytes: rest.stdout.length,
        droppedStdoutBytes: rest.droppedStdoutBytes,
        droppedStderrBytes: rest.droppedStderrBytes,
      },
      Buffer.concat([rest.stdout, rest.stderr]),
    );
  }

  #outcome(
    killed: 'verified' | 'unverified' | undefined,
    stderrEnd: string,
  ): {
    exitCode: number | null;
    signal?: string;
    cause?: ErrorCode;
    killed?: 'verified' | 'unverified';
  } {
    if (this.#cause !== undefined)
      return {
        exitCode: null,
        cause: this.#cause,
        killed: this.#process.mark === undefined ? 'unverified' : (killed ?? 'unverified'),
      };
    const { code, signal, signalNumber } = this.#exit ?? { code: null, signal: null };
    const number = signalNumber ?? (signal === null ? undefined : constants.signals[signal]);
    // What a shell makes of a child's signal: scripts and people know 137.
    const exitCode = code ?? (number === undefined ? null : 128 + number);
    const wasKilled = signal === 'SIGKILL' || code === 137;
    const counted = this.#around.claims.claim(readCounters(), {
      killed: wasKilled,
      failed: exitCode !== 0,
      alone: this.#around.running() === 1,
    });
    const cause =
      counted ??
      // Real-time signals have no name that Node knows.
      (code === null ? 'killed' : exitCause(code, stderrEnd, this.#around.init.network));
    return {
      exitCode,
      ...(signal === null ? {} : { signal }),
      ...(cause === undefined ? {} : { cause }),
    };
  }
}

function ended(stream: Readable): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
