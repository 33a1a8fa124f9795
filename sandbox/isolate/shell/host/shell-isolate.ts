import { createHash } from 'node:crypto';
import type ivm from 'isolated-vm';
import type { FileLayer } from '../../../files/file-layer.js';
import { CallMeter, createCallback, type HostFunction } from '../../callbacks.js';
import { decodeEscaped, encodeEscaped } from '../../text/escaped-text.js';
import type { ShellCommand, ShellResult, OutputStream as StreamNumber } from '../bridge.js';
import { FileBridge } from './file-bridge.js';
import type { OutputStream } from './output-stream.js';
import type { ShellSnapshot } from './snapshot.js';

type Ivm = typeof ivm;

export interface ShellIsolateOptions {
  ivm: Ivm;
  snapshot: ShellSnapshot;
  memoryMegabytes: number;
  /** 1 when the running call's time is up, 2 when it was cancelled, else 0. */
  interrupted(): number;
  onCatastrophe(): void;
}

/** How a command ended, and its whole output in the stream it was given. */
export interface ShellEnd extends ShellResult {
  ranOutOfSpace: boolean;
}

interface Running {
  output: OutputStream;
  ended(end: ShellEnd): void;
}

/** The isolate the shell lives in. Guest JavaScript never enters it; one command runs at a time. */
export class ShellIsolate {
  readonly #options: ShellIsolateOptions;
  readonly #isolate: ivm.Isolate;
  readonly #context: ivm.Context;
  readonly #meter = new CallMeter();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #files: FileBridge | undefined;
  #run: ivm.Reference<(command: ShellCommand) => void> | undefined;
  #fireTimer: ivm.Reference<(id: number) => void> | undefined;
  #interrupt: ivm.Reference<() => void> | undefined;
  #running: Running | undefined;

  constructor(options: ShellIsolateOptions) {
    this.#options = options;
    const { ivm, snapshot, memoryMegabytes } = options;
    // Without `onCatastrophicError`: it is called on the thread that the isolate blocks, so that V8 would sleep until
    // the deadline instead of aborting the process, which the host reads as `oom`.
    this.#isolate = new ivm.Isolate({
      memoryLimit: memoryMegabytes,
      snapshot: new ivm.ExternalCopy(snapshot.bytes.buffer),
    });
    this.#context = this.#isolate.createContextSync();
    this.#connect();
  }

  /** Gives the shell its files; until then it runs nothing. */
  attach(files: FileLayer): void {
    this.#files = new FileBridge(files);
  }

  get isDisposed(): boolean {
    return this.#isolate.isDisposed;
  }

  /** Starts a command; `ended` is called once, perhaps before this returns. */
  start(command: ShellCommand, running: Running): void {
    this.#running = running;
    this.#meter.reset();
    this.#files?.reset();
    this.#enter(() => this.#run?.applySync(undefined, [command], { arguments: { copy: true } }));
    if (this.#running === running) running.output.flush();
  }

  /** Wakes what waits, so that it sees that the call is to stop. */
  interrupt(): void {
    if (this.#running !== undefined) this.#enter(() => this.#interrupt?.applySync(undefined, []));
  }

  #enter(work: () => void): void {
    try {
      work();
    } catch (error) {
      // The isolate reached its memory limit: it is gone, and with it what it knew.
      if (this.#isolate.isDisposed) this.#options.onCatastrophe();
      throw error;
    }
  }

  #connect(): void {
    const global = this.#context.global;
    const shell = global.getSync('caissonShell', { reference: true });
    const functionOf = (name: string) => shell.getSync(name, { reference: true });
    this.#run = functionOf('run');
    this.#fireTimer = functionOf('fireTimer');
    this.#interrupt = functionOf('interrupt');
    const names = Object.keys(this.#bridge);
    const callbacks = Object.values<HostFunction>(this.#bridge).map((work) =>
      createCallback(this.#options.ivm, this.#meter, work),
    );
    const parameters = names.map((name, index) => `${name}: $${index}`).join(', ');
    this.#context.evalClosureSync(
      `caissonShell.connect({ ${parameters} }); delete globalThis.caissonShell;`,
      callbacks,
    );
  }

  readonly #bridge = {
    file: (operation: never, path: string, argument: never, more: never) =>
      this.#files?.call(operation, path, argument, more),
    failure: () => this.#files?.failure(),
    interrupted: () => this.#options.interrupted(),
    emit: (stream: StreamNumber, text: string) => {
      this.#running?.output.add(stream === 1 ? 'stdout' : 'stderr', encodeEscaped(text));
      return undefined;
    },
    done: (result: string, stdout: string, stderr: string) =>
      this.#done(JSON.parse(result) as ShellResult, stdout, stderr),
    startTimer: (id: number, delayMs: number) => this.#startTimer(id, delayMs),
    stopTimer: (id: number) => this.#stopTimer(id),
    decode: (bytes: string) => decodeEscaped(Buffer.from(bytes, 'latin1')),
    encode: (text: string) => encodeEscaped(text).toString('latin1'),
    byteLength: (text: string) => Buffer.byteLength(text),
    digest: (algorithm: string, bytes: string) =>
      createHash(algorithm).update(Buffer.from(bytes, 'latin1')).digest().toString('latin1'),
    toBase64: (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64'),
    fromBase64: (text: string) => Buffer.from(text, 'base64').toString('latin1'),
  };

  #done(result: ShellResult, stdout: string, stderr: string): undefined {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    if (result.replace) running.output.restart();
    running.output.add('stdout', encodeEscaped(stdout));
    running.output.add('stderr', encodeEscaped(stderr));
    running.ended({ ...result, ranOutOfSpace: this.#files?.ranOutOfSpace ?? false });
  }

  #startTimer(id: number, delayMs: number): undefined {
    const fire = () => {
      this.#timers.delete(id);
      const running = this.#running;
      this.#enter(() => this.#fireTimer?.applySync(undefined, [id]));
      if (running !== undefined && this.#running === running) running.output.flush();
    };
    this.#timers.set(id, setTimeout(fire, Math.min(Math.max(0, delayMs), MAX_DELAY_MS)));
  }

  #stopTimer(id: number): undefined {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}

/** The longest delay a timer takes without overflowing. */
const MAX_DELAY_MS = 2 ** 31 - 1;
