import { type BigIntStats, closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { versionOf } from '../files/file-stat.js';
import { errnoOf, Moved, Refusal } from '../files/refusal.js';
import { isReservedName, reservedKind, temporaryName } from '../files/reserved-name.js';
import type { Entry, OpenFile, SeenSpot, Spot, Tree, WriteRequest } from '../files/tree.js';
import type { RemoteShell } from './remote-shell.js';
import { readStats } from './remote-stats.js';

const ROOT = '/workspace';
/** The largest file that is ever read whole. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The workspace in a container, worked on through a shell there. */
export class RemoteTree implements Tree {
  readonly mount = '/workspace';
  readonly #shell: RemoteShell;
  readonly #scratch: string;
  /** Of the directory listed last, within one operation: a listing asks for each of its entries. */
  #listed: { dir: string; names: string[]; stats?: Map<string, BigIntStats> | undefined } | undefined;

  /** @param scratch a directory of this machine, for contents on their way */
  constructor(shell: RemoteShell, scratch: string) {
    this.#shell = shell;
    this.#scratch = scratch;
  }

  /** Nothing that was seen before counts any more. */
  forget(): void {
    this.#listed = undefined;
  }

  shortcut(dir: string): string | undefined {
    try {
      return this.fromHostPath(this.#shell.step('H', [host(dir)]).toString('utf8'));
    } catch {
      // Where a link is on the way the shell stands somewhere else than it was told to: the walk looks part by part.
      return undefined;
    }
  }

  fromHostPath(path: string): string | undefined {
    if (path === ROOT) return '';
    return path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : undefined;
  }

  lstat(at: Spot): BigIntStats | undefined {
    if (isReservedName(at.name)) return undefined;
    const listed = this.#statsOf(at.dir)?.get(at.name);
    if (listed !== undefined) return listed;
    try {
      return parseStats(this.#shell.step('S', [host(at.dir), at.name]).toString('latin1'));
    } catch (error) {
      // Only the name may be missing; a directory on the way that is gone is another matter, but nothing is there either.
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  readlink(at: Spot): string {
    const text = this.#shell.step('K', [host(at.dir), at.name]).toString('utf8');
    return text.endsWith('\n') ? text.slice(0, -1) : text;
  }

  entries(dir: string): Entry[] {
    const found: Entry[] = [];
    for (const line of this.#shell
      .step('L', [host(dir)])
      .toString('utf8')
      .split('\0')
      .slice(0, -1)) {
      const name = line.slice(1);
      if (reservedKind(name) === undefined) found.push({ name, type: TYPES[line.charAt(0)] ?? 'other' });
    }
    this.#listed = { dir, names: found.map(({ name }) => name) };
    return found;
  }

  open(at: SeenSpot): OpenFile {
    if (at.stat !== undefined) requireRegular(at.stat);
    const answer = this.#shell.step('R', [host(at.dir), at.name, MAX_FILE_BYTES + 1]);
    const first = answer.indexOf(10);
    const second = answer.indexOf(10, first + 1);
    if (first === -1 || second === -1) throw new Moved();
    const stat = parseStats(answer.toString('latin1', 0, first));
    const named = parseStats(answer.toString('latin1', first + 1, second));
    requireRegular(stat);
    if (stat.dev !== named.dev || stat.ino !== named.ino) throw new Moved();
    return { fd: this.#holding(answer.subarray(second + 1)), stat };
  }

  write(at: Spot, data: Uint8Array, request: WriteRequest): void {
    const existing = this.lstat(at);
    if (existing !== undefined) requireRegular(existing);
    requireVersion(existing, request.ifVersion);
    this.forget();
    const mode = request.mode ?? (existing === undefined ? 0o644 : Number(existing.mode));
    const expected = request.ifVersion === undefined ? 'any' : existing === undefined ? 'none' : this.#line(at);
    try {
      const words = [host(at.dir), at.name, temporaryName(), (mode & 0o777).toString(8), data.length, expected];
      this.#shell.step('W', words, data);
    } catch (error) {
      if (errnoOf(error) === 'ESTALE' || (request.ifVersion === null && errnoOf(error) === 'EEXIST')) {
        throw new Refusal('stale_file', 'it changed since it was read; read it again');
      }
      throw error;
    }
  }

  mkdir(at: Spot, mode: number): void {
    this.#change('M', at, Number.parseInt((mode & 0o777).toString(8), 10));
  }

  unlink(at: Spot): void {
    this.#change('U', at);
  }

  rmdir(at: Spot): void {
    this.#change('D', at);
  }

  removeTree(at: Spot): void {
    this.#change('X', at);
  }

  rename(from: Spot, to: Spot): void {
    this.forget();
    this.#shell.step('V', [host(from.dir), from.name, host(to.dir), to.name, temporaryName(), ROOT]);
  }

  symlink(target: string, at: Spot): void {
    this.#change('Y', at, target);
  }

  chmod(at: Spot, mode: number): void {
    const stat = this.lstat(at);
    if (stat?.isSymbolicLink() === true) throw new Moved();
    this.#change('C', at, Number.parseInt((mode & 0o777).toString(8), 10));
  }

  utimes(at: Spot, _atimeMs: number, mtimeMs: number): void {
    if (this.lstat(at)?.isSymbolicLink() === true) return;
    this.forget();
    this.#shell.step('E', [host(at.dir), at.name, Math.max(0, mtimeMs) / 1000]);
  }

  /** A FIFO, as a stand-in for what cannot be copied. */
  makeFifo(at: Spot): void {
    this.#change('P', at);
  }

  link(): void {
    throw new Refusal('unsupported', 'this sandbox makes no second names');
  }

  receive(): void {
    throw new Refusal('unsupported', 'this sandbox has no other tree to copy from');
  }

  #change(letter: string, at: Spot, ...more: (string | number)[]): void {
    this.forget();
    this.#shell.step(letter, [host(at.dir), at.name, ...more]);
  }

  /** As the shell sees the file right now, to be compared there again. */
  #line(at: Spot): string {
    return this.#shell
      .step('S', [host(at.dir), at.name])
      .toString('latin1')
      .trimEnd();
  }

  #statsOf(dir: string): Map<string, BigIntStats> | undefined {
    const listed = this.#listed;
    if (listed?.dir !== dir) return undefined;
    listed.stats ??= this.#statAll(dir, listed.names);
    return listed.stats;
  }

  #statAll(dir: string, wanted: readonly string[]): Map<string, BigIntStats> {
    const lines = this.#shell
      .step('T', [host(dir)])
      .toString('latin1')
      .trimEnd()
      .split('\n');
    const names = this.#shell
      .step('L', [host(dir)])
      .toString('utf8')
      .split('\0')
      .slice(0, -1)
      .map((line) => line.slice(1));
    // Something came or went between the two looks: then each name is asked for by itself.
    if (lines.length !== names.length) return new Map();
    const known = new Set(wanted);
    return new Map(
      names.flatMap((name, index) => (known.has(name) ? [[name, parseStats(lines[index] ?? '')] as const] : [])),
    );
  }

  /** A descriptor at the start of these bytes, of a file that has no name any more. */
  #holding(bytes: Uint8Array): number {
    const path = `${this.#scratch}/${temporaryName()}`;
    const fd = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
}

const TYPES: Record<string, Entry['type']> = { f: 'file', d: 'directory', l: 'symlink', o: 'other' };

function host(dir: string): string {
  return dir === '' ? ROOT : `${ROOT}/${dir}`;
}

function parseStats(line: string): BigIntStats {
  const stats = readStats(line.trimEnd());
  if (stats === undefined) throw new Moved();
  return stats;
}

function requireRegular(stat: BigIntStats): void {
  if (stat.isFile()) return;
  if (stat.isDirectory()) throw new Refusal('is_directory', 'it is a directory');
  if (stat.isSymbolicLink()) throw new Moved();
  throw new Refusal('not_regular_file', 'it is not a regular file');
}

function requireVersion(stat: BigIntStats | undefined, wanted: string | null | undefined): void {
  if (wanted === undefined) return;
  if (wanted === null && stat !== undefined) throw new Refusal('stale_file', 'it exists by now; read it first');
  if (wanted !== null && (stat === undefined || versionOf(stat) !== wanted)) {
    throw new Refusal('stale_file', 'it changed since it was read; read it again');
  }
}
