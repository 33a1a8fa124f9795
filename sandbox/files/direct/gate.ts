import { errnoOf, Moved } from '../refusal.js';

/**
 * Anchors every access in a directory whose real path is known. `chdir` follows links wherever they lead, but the kernel
 * then says where it ended up, and from there a name without a slash cannot be diverted any more. Works without `/proc`,
 * and under Node's permission model, which by itself follows links out.
 *
 * The process has one working directory: all file work of a process goes through one gate, synchronously.
 */
export class Gate {
  #current = '';

  /** Forgets where it is: the next `enter` asks the kernel again. Called at the start of each operation. */
  reset(): void {
    this.#current = '';
  }

  /**
   * Goes into `directory`, a real path without links.
   * @throws `Moved` when a part of it is a link or was moved; system errors of `chdir`
   */
  enter(directory: string): void {
    if (this.#current === directory) return;
    this.#current = '';
    changeDirectory(directory);
    if (process.cwd() !== directory) throw new Moved();
    this.#current = directory;
  }

  /** Goes where `directory` leads, and says where that is; `undefined` when it leads nowhere. */
  follow(directory: string): string | undefined {
    this.#current = '';
    try {
      process.chdir(directory);
      // `chdir` drops what Node remembers of the working directory, so this is the kernel's answer.
      this.#current = process.cwd();
      return this.#current;
    } catch {
      this.#current = '';
      return undefined;
    }
  }
}

/** A link to itself on a path that had no links: somebody put it there since. */
function changeDirectory(directory: string): void {
  try {
    process.chdir(directory);
  } catch (error) {
    throw errnoOf(error) === 'ELOOP' ? new Moved() : error;
  }
}
