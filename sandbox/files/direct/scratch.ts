import { closeSync, constants, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { temporaryName } from '../reserved-name.js';
import type { Gate } from './gate.js';

/** What is on its way right now: enough for the next process to tidy up after one that was killed. */
export interface InFlight {
  /** Real path of the directory that holds the temporary name. */
  directory: string;
  name: string;
  /** Set while a file is between two directories: where it came from. */
  cameFrom?: { directory: string; name: string };
}

/**
 * Hands out temporary names. Each process notes its current one in a file of its own in the private directory, so that
 * what a killed process left in the workspace goes away when the next one starts, not when somebody finds it.
 */
export class Scratch {
  readonly #gate: Gate;
  readonly #notes: string;
  #fd: number | undefined;

  constructor(gate: Gate, notes: string) {
    this.#gate = gate;
    this.#notes = notes;
  }

  /** A new temporary name in `directory`, noted. */
  name(directory: string): string {
    const name = temporaryName();
    this.note({ directory, name });
    return name;
  }

  note(what: InFlight): void {
    this.#fd ??= openSync(
      `${this.#notes}/${process.pid}`,
      constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW,
      0o600,
    );
    // One small write at offset 0; what an older, longer note left behind its line end is not read.
    writeSync(this.#fd, `${JSON.stringify(what)}\n`, 0);
  }

  /** What processes that are gone left behind. Never throws. */
  abandoned(): InFlight[] {
    const found: InFlight[] = [];
    for (const pid of this.#pids()) {
      const file = `${this.#notes}/${pid}`;
      try {
        const line = readFileSync(file, 'utf8').split('\n', 1)[0] ?? '';
        if (line !== '') found.push(JSON.parse(line) as InFlight);
        rmSync(file);
      } catch {
        // Half a note: nothing had been made under that name yet.
      }
    }
    this.#gate.reset();
    return found;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #pids(): string[] {
    try {
      return readdirSync(this.#notes).filter((pid) => !isAlive(Number(pid)));
    } catch {
      return [];
    }
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
