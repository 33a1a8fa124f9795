import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A whole line of a log, or why it is not read. */
export interface LogLine {
  /** The name of its file when that was opened, and which line it is there. */
  place: string;
  text: string;
  problem?: string;
}

const CHUNK_BYTES = 256 * 1024;
/** Characters of the longest line that is read; a decision has some thousands at most. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const LINE_END = 0x0a;

/**
 * Reads a log that others write to and put aside: `path.2`, `path.1`, `path`, then on from where it stopped, whatever
 * the names are by then.
 */
export class LogReader {
  readonly #path: string;
  /** Oldest first. The last has, or had, the name itself. */
  #files: LogFile[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The lines that came since the last call. One without its end is kept back, unless `final`.
   * @throws the system's error for a log that cannot be read
   */
  *next({ final = false } = {}): Generator<LogLine> {
    // What came before the log was put aside is read first: the open file is still that one.
    for (const file of this.#files) yield* file.lines();
    this.#files.push(...this.#newFiles());
    while (this.#files.length > 0) {
      const [file] = this.#files;
      if (file === undefined) return;
      yield* file.lines();
      const isLast = this.#files.length === 1;
      if (!isLast || final) yield* file.rest();
      if (isLast) return;
      file.close();
      this.#files.shift();
    }
  }

  [Symbol.dispose](): void {
    for (const file of this.#files.splice(0)) file.close();
  }

  /** Newest first: a file that is put aside meanwhile only moves to where the search has not been. */
  #newFiles(): LogFile[] {
    const known = this.#files.at(-1);
    const found: LogFile[] = [];
    for (const name of this.#names()) {
      const file = openLog(name);
      if (file === undefined) continue;
      if (known?.isSame(file) === true || found.some((other) => other.isSame(file))) {
        file.close();
        if (known?.isSame(file) === true) break;
      } else found.unshift(file);
    }
    // Between putting a log aside and beginning the next there is none for a moment.
    if (found.length === 0 && known === undefined) statSync(this.#path);
    return found;
  }

  #names(): string[] {
    const prefix = `${basename(this.#path)}.`;
    const numbers = namesIn(dirname(this.#path))
      .filter((name) => name.startsWith(prefix) && /^[1-9]\d{0,5}$/.test(name.slice(prefix.length)))
      .map((name) => Number(name.slice(prefix.length)))
      .sort((a, b) => a - b);
    const last = numbers.at(-1) ?? 0;
    return [this.#path, ...[...numbers, last + 1].map((number) => join(dirname(this.#path), `${prefix}${number}`))];
  }
}

/** A directory that may be entered and not listed hides what was put aside, and nothing else. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function openLog(name: string): LogFile | undefined {
  try {
    return new LogFile(openSync(name, 'r'), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

class LogFile {
  readonly #file: number;
  readonly #name: string;
  readonly #id: string;
  /** A pipe has no places to read from. */
  readonly #isSeekable: boolean;
  #position = 0;
  #line = 1;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(file: number, name: string) {
    const stats = fstatSync(file);
    this.#file = file;
    this.#name = name;
    this.#id = `${stats.dev}:${stats.ino}`;
    this.#isSeekable = stats.isFile();
  }

  isSame(other: LogFile): boolean {
    return this.#id === other.#id;
  }

  *lines(): Generator<LogLine> {
    if (this.#isSeekable && fstatSync(this.#file).size < this.#position) this.#startAgain();
    for (let chunk = this.#read(); chunk.length > 0; chunk = this.#read()) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
        this.#keep(chunk.subarray(from, end));
        yield this.#take();
        from = end + 1;
      }
      this.#keep(chunk.subarray(from));
    }
  }

  /** What stands after the last line end. */
  *rest(): Generator<LogLine> {
    if (this.#restBytes > 0) yield this.#take();
  }

  close(): void {
    closeSync(this.#file);
  }

  /** It was cut in place. */
  #startAgain(): void {
    this.#position = 0;
    this.#line = 1;
    this.#rest = [];
    this.#restBytes = 0;
  }

  #read(): Buffer {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readSync(this.#file, buffer, 0, buffer.length, this.#isSeekable ? this.#position : null);
    this.#position += count;
    return buffer.subarray(0, count);
  }

  /** Of a line that is too long, the length alone. */
  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > MAX_LINE_BYTES) this.#rest = [];
    else if (bytes.length > 0) this.#rest.push(bytes);
  }

  #take(): LogLine {
    const tooLong = this.#restBytes > MAX_LINE_BYTES;
    const line = { place: `${this.#name}:${this.#line}`, text: Buffer.concat(this.#rest).toString('utf8') };
    this.#line += 1;
    this.#rest = [];
    this.#restBytes = 0;
    return tooLong ? { ...line, problem: `longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB` } : line;
  }
}
