import { accessSync, constants, statSync } from 'node:fs';
import type { AgentInit, AgentMessage, AgentSignal, ExecMessage, SpawnMessage } from '../../protocol/container.js';
import { CounterClaims } from '../../protocol/counter-claims.js';
import { Command, type CommandSpec, type CommandSurroundings } from './command.js';
import { shortage } from './command-failures.js';
import { readCounters } from './counters.js';
import { enterDirectory } from './enter-directory.js';
import type { Launcher } from './launcher.js';
import { openStdio } from './open-stdio.js';
import type { PipePool } from './pipe-pool.js';

export interface CommandsOptions {
  init: AgentInit;
  launcher: Launcher;
  pipes: PipePool;
  send(message: AgentMessage, body?: Uint8Array): void;
}

/** One argument may have 128 KiB; a longer command line goes through a pipe. */
const LONG_COMMAND_BYTES = 120 * 1024;

/** All commands of a session, those that run and those that wait their turn. Nothing is kept of one that has ended. */
export class Commands {
  readonly #options: CommandsOptions;
  readonly #around: CommandSurroundings;
  readonly #running = new Map<number, Command>();
  /** Whether the first may start. */
  #open = false;
  readonly #waiting = new Map<number, CommandSpec & { arrived: number; wake: NodeJS.Timeout | undefined }>();

  constructor(options: CommandsOptions) {
    this.#options = options;
    this.#around = {
      init: options.init,
      launcher: options.launcher,
      claims: new CounterClaims(readCounters()),
      openStdio: (wanted) => openStdio(options.pipes, wanted),
      send: options.send,
      running: () => this.#running.size,
    };
    void options.launcher.settled.then(() => {
      this.#open = true;
      this.#startWaiting();
    });
  }

  exec(message: ExecMessage, stdin: Uint8Array): void {
    const { id, cwd, timeoutMs } = message;
    const { argv, script } = this.#commandLine(message);
    this.#enter({
      id,
      argv,
      cwd,
      shownCwd: cwd,
      program: message.argv?.[0] ?? 'the command',
      env: { ...this.#options.init.env, ...message.env },
      timeoutMs,
      maxOutputBytes: message.stream ? undefined : message.maxOutputBytes,
      stdin,
      script,
      announced: false,
    });
  }

  spawn({ id, argv, cwd, env, timeoutMs }: SpawnMessage): void {
    this.#enter({
      id,
      argv,
      cwd,
      shownCwd: cwd,
      program: argv[0] ?? '',
      env: { ...this.#options.init.env, ...env },
      timeoutMs,
      maxOutputBytes: undefined,
      stdin: undefined,
      script: undefined,
      announced: true,
    });
  }

  stdin(id: number, bytes: Uint8Array, end: boolean): void {
    const stdin = this.#running.get(id)?.stdin;
    const answer = () => this.#options.send({ type: 'stdin-credit', id, bytes: bytes.length });
    // What a process does not read any more is as good as read.
    if (stdin === undefined || stdin.destroyed || stdin.writableEnded) return answer();
    if (bytes.length > 0) stdin.write(bytes, answer);
    if (end) stdin.end();
  }

  credit(id: number, bytes: number): void {
    this.#running.get(id)?.credit(bytes);
  }

  signal(id: number, signal: AgentSignal): void {
    this.#options.send({ type: 'signalled', id, delivered: this.#running.get(id)?.signal(signal) ?? false });
  }

  cancel(id: number): void {
    if (this.#waiting.has(id)) this.#giveUp(id, 'aborted');
    this.#running.get(id)?.stop('aborted');
  }

  #commandLine({ command, argv }: ExecMessage): { argv: string[]; script: Uint8Array | undefined } {
    if (argv !== undefined) return { argv, script: undefined };
    const { path, args } = this.#options.launcher.shell;
    const script = Buffer.from(command ?? '', 'utf8');
    if (script.length < LONG_COMMAND_BYTES) return { argv: [path, ...args, command ?? ''], script: undefined };
    return { argv: [path, ...args, '__caisson=$(cat <&3); exec 3<&-; eval "$__caisson"'], script };
  }

  #enter(spec: CommandSpec): void {
    if (this.#mayStart) return this.#start(spec);
    const { id, timeoutMs } = spec;
    // The time a command waits is part of the time it was given.
    const wake = timeoutMs === undefined ? undefined : setTimeout(() => this.#giveUp(id, 'timeout'), timeoutMs);
    this.#waiting.set(id, { ...spec, arrived: performance.now(), wake });
  }

  #start(spec: CommandSpec): void {
    try {
      const command = new Command({ ...spec, ...enterDirectory(spec, this.#options.init, canEnter) }, this.#around);
      this.#running.set(spec.id, command);
      command.ended.then(
        () => this.#finish(spec.id),
        () => this.#fail(spec.id),
      );
    } catch (error) {
      this.#options.send(
        shortage(spec.id, error as Error) ?? {
          type: 'error',
          id: spec.id,
          code: 'session_limit',
          message: `Cannot start the command: ${(error as NodeJS.ErrnoException).code ?? 'the sandbox could not make a process'}`,
        },
      );
    }
  }

  #finish(id: number): void {
    this.#running.delete(id);
    this.#startWaiting();
  }

  get #mayStart(): boolean {
    return this.#open && this.#running.size < this.#options.init.maxRunning;
  }

  #startWaiting(): void {
    for (const [id, { arrived, wake, ...spec }] of this.#waiting) {
      if (!this.#mayStart) return;
      this.#waiting.delete(id);
      clearTimeout(wake);
      const timeoutMs =
        spec.timeoutMs === undefined ? undefined : Math.max(1, spec.timeoutMs - (performance.now() - arrived));
      this.#start({ ...spec, timeoutMs });
    }
  }

  #fail(id: number): void {
    this.#options.send({
      type: 'error',
      id,
      code: 'adapter_bug',
      message: 'Cannot report the end of the command: the sandbox failed in an unforeseen way',
    });
    this.#finish(id);
  }

  #giveUp(id: number, cause: 'timeout' | 'aborted'): void {
    const spec = this.#waiting.get(id);
    if (spec === undefined) return;
    clearTimeout(spec.wake);
    this.#waiting.delete(id);
    this.#options.send({
      type: 'exec-result',
      id,
      exitCode: null,
      cause,
      killed: 'verified',
      stdoutBytes: 0,
      droppedStdoutBytes: 0,
      droppedStderrBytes: 0,
    });
  }
}

function canEnter(path: string): boolean {
  try {
    // Being allowed to look at it is not being allowed to enter it.
    accessSync(path, constants.X_OK);
    const stats = statSync(path);
    // Its owner may have shut out nobody but itself.
    return stats.isDirectory() && (stats.mode & constants.S_IXUSR) !== 0;
  } catch {
    return false;
  }
}
