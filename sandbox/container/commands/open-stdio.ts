import type { ChildProcess, StdioOptions } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Pipe, PipePool } from './pipe-pool.js';
import type { CommandPaths } from './started-command.js';

export interface Stdio {
  /** For `spawn`. */
  forChild: StdioOptions;
  /** The same by name, where all of it has names and is no more than a program's usual three. */
  readonly paths: CommandPaths | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable | undefined;
  /** fd 3 of the command. */
  readonly script: Writable | undefined;
  /** The process exists: its ends are closed on this side. */
  attach(child: ChildProcess | undefined): void;
  /** The process never came to be. */
  discard(): void;
  /** The result is made. What still runs may go on writing; nobody hears it, and it is not told so by a signal. */
  finish(somethingRuns: boolean): void;
}

export function openStdio(pool: PipePool, wanted: { stdin: boolean; script: boolean }): Stdio {
  const stdout = pool.forOutput();
  const stderr = pool.forOutput();
  const stdin = wanted.stdin ? pool.forInput() : undefined;
  const script = wanted.script ? pool.forInput() : undefined;
  if (stdout === undefined || stderr === undefined) return new NodeStdio(wanted);
  return new PipeStdio({ stdout, stderr, stdin, script });
}

class PipeStdio implements Stdio {
  readonly forChild: StdioOptions;
  readonly paths: CommandPaths | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable | undefined;
  readonly script: Writable | undefined;
  readonly #pipes: Pipe[];
  readonly #inputs: Pipe[];
  readonly #outputs: Pipe[];

  constructor({
    stdout,
    stderr,
    stdin,
    script,
  }: { stdout: Pipe; stderr: Pipe; stdin: Pipe | undefined; script: Pipe | undefined }) {
    this.stdout = stdout.ours;
    this.stderr = stderr.ours;
    this.stdin = stdin?.ours;
    this.script = script?.ours;
    this.#outputs = [stdout, stderr];
    this.#inputs = [stdin, script].filter((pipe) => pipe !== undefined);
    this.#pipes = [...this.#outputs, ...this.#inputs];
    this.paths = script === undefined ? { stdin: stdin?.path, stdout: stdout.path, stderr: stderr.path } : undefined;
    this.forChild = [
      stdin?.theirs ?? 'ignore',
      stdout.theirs,
      stderr.theirs,
      ...(script === undefined ? [] : [script.theirs]),
    ];
  }

  attach(): void {
    for (const pipe of this.#pipes) pipe.handOver();
  }

  discard(): void {
    for (const pipe of this.#pipes) {
      pipe.handOver();
      pipe.ours.destroy();
      pipe.free();
    }
  }

  finish(somethingRuns: boolean): void {
    for (const pipe of this.#inputs) {
      pipe.ours.destroy();
      if (!somethingRuns) pipe.free();
    }
    for (const pipe of this.#outputs) {
      if (pipe.ours.readableEnded) {
        pipe.ours.destroy();
        pipe.free();
      } else if (somethingRuns) {
        pipe.ours.removeAllListeners('data');
        pipe.ours.resume();
        pipe.ours.once('end', () => pipe.free());
      } else {
        // Held open by what is no child of the call: that name is not used again.
        pipe.ours.destroy();
      }
    }
  }
}

/** Where named pipes cannot be made. */
class NodeStdio implements Stdio {
  readonly forChild: StdioOptions;
  readonly paths = undefined;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly stdin: PassThrough | undefined;
  readonly script: PassThrough | undefined;
  #child: ChildProcess | undefined;

  constructor(wanted: { stdin: boolean; script: boolean }) {
    this.forChild = [wanted.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(wanted.script ? ['pipe' as const] : [])];
    this.stdin = wanted.stdin ? new PassThrough() : undefined;
    this.script = wanted.script ? new PassThrough() : undefined;
  }

  attach(child: ChildProcess | undefined): void {
    if (child === undefined) return;
    this.#child = child;
    child.stdout?.pipe(this.stdout);
    child.stderr?.pipe(this.stderr);
    for (const [ours, theirs] of [
      [this.stdin, child.stdin],
      [this.script, child.stdio[3] as Writable | null | undefined],
    ] as const) {
      if (ours === undefined || theirs == null) continue;
      theirs.on('error', () => ours.destroy());
      ours.pipe(theirs);
    }
  }

  discard(): void {
    this.stdout.destroy();
    this.stderr.destroy();
  }

  finish(somethingRuns: boolean): void {
    this.stdin?.destroy();
    for (const stream of [this.#child?.stdout, this.#child?.stderr]) {
      stream?.unpipe();
      if (somethingRuns) stream?.resume();
      else stream?.destroy();
    }
  }
}
