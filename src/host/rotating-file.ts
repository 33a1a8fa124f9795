import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';

/** No link is followed: a log in a directory that others write must not become a write somewhere else. */
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const CLAIM = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
/** Putting files aside takes less than a millisecond: whoever held the lock for this long died with it. */
const DEAD_LOCK_MS = 10_000;
const LINE_END = 0x0a;

/**
 * A file of lines that is put aside when it is full: `path.1` is the newest of those. Several processes may write to
 * one path: each looks before every line which file has the name now, and one of them at a time puts it aside.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #limits: { maxBytes: number; keepFiles: number };
  #file: number | undefined;
  /** Whether the file ends inside a line, which the next one must not go on with. */
  #torn = false;

  /** @throws the system's error when the file cannot be opened */
  constructor(path: string, limits: { maxBytes: number; keepFiles: number }) {
    this.#path = path;
    this.#limits = limits;
    this.#open();
  }

  /** Appends a line, which brings its line end. Never throws: the first failure is a warning of the process. */
  write(line: string): void {
    if (this.#file === undefined) return;
    attempt(() => this.#makeRoom(Buffer.byteLength(line)));
    attempt(() => {
      this.#append(line);
      // What was taken away between the look and the line took the line with it.
      if (this.#stats().nlink > 0) return;
      this.#open();
      this.#append(line);
    });
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Where that fails, the full file goes on: a log too long is better than a log with a gap. */
  #makeRoom(bytes: number): void {
    const isFull = (size: number) => size > 0 && size + bytes > this.#limits.maxBytes;
    if (!this.#hasName()) this.#open();
    if (!isFull(this.#stats().size) || !takeLock(this.#lock)) return;
    try {
      // Another process may have done it before the lock was ours.
      if (this.#hasName() && isFull(this.#stats().size)) this.#putAside();
      this.#open();
    } finally {
      rmSync(this.#lock, { force: true });
    }
  }

  #putAside(): void {
    const { keepFiles } = this.#limits;
    if (keepFiles === 0) rmSync(this.#path, { force: true });
    for (let number = keepFiles; number > 0; number -= 1) {
      const from = number === 1 ? this.#path : `${this.#path}.${number - 1}`;
      if (existsSync(from)) renameSync(from, `${this.#path}.${number}`);
    }
  }

  #open(): void {
    const next = openSync(this.#path, APPEND, 0o600);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = next;
    this.#torn = endsInsideLine(this.#path, this.#stats());
  }

  #append(line: string): void {
    if (this.#file === undefined) return;
    // One write for one line: between those of other processes it stays whole.
    const bytes = Buffer.from(this.#torn ? `\n${line}` : line);
    this.#torn = true;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#torn = false;
  }

  #hasName(): boolean {
    const there = lstatSync(this.#path, { throwIfNoEntry: false });
    const ours = this.#stats();
    return there !== undefined && there.ino === ours.ino && there.dev === ours.dev;
  }

  #stats(): Stats {
    return fstatSync(this.#file ?? -1);
  }

  get #lock(): string {
    return `${this.#path}.lock`;
  }
}

/** Whether the lock is ours now; it is not waited for. */
function takeLock(lock: string): boolean {
  const held = lstatSync(lock, { throwIfNoEntry: false });
  if (held !== undefined && Math.abs(Date.now() - held.mtimeMs) > DEAD_LOCK_MS) rmSync(lock, { force: true });
  try {
    closeSync(openSync(lock, CLAIM, 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** As a process leaves it that ran out of disk, or died. */
function endsInsideLine(path: string, stats: Stats): boolean {
  if (!stats.isFile() || stats.size === 0) return false;
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const last = Buffer.alloc(1);
      return readSync(file, last, 0, 1, stats.size - 1) === 1 && last[0] !== LINE_END;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

let warned = false;

/** The host swallows what a listener throws; a log that cannot be written must not be silent. */
function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!warned)
      process.emitWarning(`The audit log cannot be written: ${(error as Error).message}`, 'CaissonAuditWarning');
    warned = true;
  }
}
