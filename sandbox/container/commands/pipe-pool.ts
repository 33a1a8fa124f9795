import { spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { findProgram } from './find-programs.js';

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;

/** FIFOs made with one `mkfifo`; more are made when all are in use. */
const BATCH = 48;
/** 666: whoever is given an end may open it again by its name in /proc; nobody else gets into the directory. */
const MODE = ['-m', '666'];

export interface Pipe {
  readonly path: string;
  /** The agent's end. */
  ours: Socket;
  /** The command's end: give it to `spawn`, then close it with `handOver`. */
  theirs: number;
  handOver(): void;
  /** The FIFO may serve another call: nobody else has it open. */
  free(): void;
}

/**
 * Pipes for commands. Node would give them sockets, and a socket cannot be opened again by its name: `> /dev/stderr` and
 * `cat /dev/stdin`, which scripts do, would fail. Named pipes in a directory that only the agent can enter are real
 * pipes; they are used again when nobody has them open.
 */
export class PipePool {
  readonly #directory: string;
  readonly #free: string[] = [];
  #made = 0;
  #mkfifo = findProgram('mkfifo');

  constructor(directory: string) {
    this.#directory = directory;
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    } catch {
      // Not writable: Node's sockets must do.
      this.#mkfifo = undefined;
    }
  }

  /** Where the next FIFOs are to be, for whoever makes them; they count when they are added. None where none can be made. */
  reserve(): string[] {
    return this.#mkfifo === undefined ? [] : this.#nextPaths();
  }

  /** FIFOs that are there now, and that nobody has open. */
  add(paths: readonly string[]): void {
    this.#free.push(...paths);
  }

  /** While the agent still starts: the first command need not wait for them. */
  makeAhead(): void {
    const paths = this.reserve();
    if (this.#mkfifo === undefined) return;
    const child = spawn(this.#mkfifo, [...MODE, ...paths], { stdio: 'ignore' });
    child.once('exit', (code) => code === 0 && this.add(paths));
    child.once('error', () => {});
  }

  /** For what a command writes. @returns undefined where pipes cannot be made */
  forOutput(): Pipe | undefined {
    const path = this.#take();
    if (path === undefined) return undefined;
    const reader = openSync(path, O_RDONLY | O_NONBLOCK);
    const theirs = openSync(path, O_WRONLY);
    return this.#pipe(path, new Socket({ fd: reader, readable: true, writable: false }), theirs);
  }

  /** For what a command reads. */
  forInput(): Pipe | undefined {
    const path = this.#take();
    if (path === undefined) return undefined;
    // An end that does not block can only be opened when the other is; a command's end must block.
    const both = openSync(path, O_RDWR | O_NONBLOCK);
    const theirs = openSync(path, O_RDONLY);
    const writer = openSync(path, O_WRONLY | O_NONBLOCK);
    closeSync(both);
    return this.#pipe(path, new Socket({ fd: writer, readable: false, writable: true }), theirs);
  }

  #pipe(path: string, ours: Socket, theirs: number): Pipe {
    ours.on('error', () => {});
    let open = true;
    return {
      path,
      ours,
      theirs,
      handOver: () => {
        if (open) closeSync(theirs);
        open = false;
      },
      free: () => this.#free.push(path),
    };
  }

  #take(): string | undefined {
    if (this.#free.length === 0) this.#make();
    return this.#free.pop();
  }

  #make(): void {
    if (this.#mkfifo === undefined) return;
    const paths = this.#nextPaths();
    const made = spawnSync(this.#mkfifo, [...MODE, ...paths], { stdio: 'ignore' });
    if (made.status === 0) this.add(paths);
    else this.#mkfifo = undefined;
  }

  #nextPaths(): string[] {
    const paths = Array.from({ length: BATCH }, (_, index) => `${this.#directory}/${this.#made + index}`);
    this.#made += BATCH;
    return paths;
  }
}
