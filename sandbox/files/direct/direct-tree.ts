import {
  accessSync,
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  ftruncateSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { isAbandonedIncoming } from '../../protocol/incoming-path.js';
import { copyBytes, isHole, readToEnd, writeAll } from '../file-bytes.js';
import { typeOf, versionOf } from '../file-stat.js';
import { AtTarget, errnoOf, Moved, Refusal } from '../refusal.js';
import { isReservedName, reservedKind } from '../reserved-name.js';
import type { Mount } from '../sandbox-path.js';
import { type Entry, type OpenFile, pathOf, type SeenSpot, type Spot, type Tree, type WriteRequest } from '../tree.js';
import type { Gate } from './gate.js';
import { makeSymlink } from './link-maker.js';
import type { Quota } from './quota.js';
import type { Scratch } from './scratch.js';
import { unnamedEntries } from './unnamed-entries.js';

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** `O_NONBLOCK`: a FIFO that took the name's place must not stop the process. */
const SAFE = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

/** Half-written files of killed processes go when a listing meets them after this long; it may be known that they are before. */
const STALE_MS = { tmp: 60_000, incoming: 24 * 60 * 60 * 1000 };

export interface DirectTreeOptions {
  gate: Gate;
  scratch: Scratch;
  mount: Mount;
  /** Real path on the host. */
  root: string;
  /** Absent for the workspace itself: it is the user's disk. */
  quota?: Quota | undefined;
}

/**
 * A tree that is one directory of the host. Each step enters the directory by the gate and then uses bare names only.
 * Above 400 lines because every system call on guest-reachable names is here, to be read side by side.
 */
export class DirectTree implements Tree {
  readonly mount: Mount;
  readonly #root: string;
  readonly #gate: Gate;
  readonly #scratch: Scratch;
  readonly #quota: Quota | undefined;

  constructor(options: DirectTreeOptions) {
    this.mount = options.mount;
    this.#root = options.root;
    this.#gate = options.gate;
    this.#scratch = options.scratch;
    this.#quota = options.quota;
  }

  shortcut(dir: string): string | undefined {
    const wanted = this.#host(dir);
    const reached = this.#gate.follow(wanted);
    if (reached === undefined) return undefined;
    return reached === wanted ? dir : this.fromHostPath(reached);
  }

  fromHostPath(path: string): string | undefined {
    if (path === this.#root) return '';
    const prefix = this.#root === '/' ? '/' : `${this.#root}/`;
    return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  }

  lstat(at: Spot): BigIntStats | undefined {
    this.#enter(at.dir);
    if (isReservedName(at.name)) return undefined;
    return this.#look(at.name);
  }

  readlink(at: Spot): string {
    this.#enter(at.dir);
    return readlinkSync(at.name);
  }

  entries(dir: string): Entry[] {
    this.#enter(dir);
    const entries = readdirSync('.', { withFileTypes: true });
    const { found, lost } = this.#unnamed(entries);
    for (const entry of entries) {
      const { name } = entry;
      if (lost.has(name)) continue;
      const kind = reservedKind(name);
      if (kind === 'tmp' || kind === 'incoming') this.#sweep(name, kind);
      if (kind !== undefined) continue;
      if (entry.isFile()) found.push({ name, type: 'file' });
      else if (entry.isDirectory()) found.push({ name, type: 'directory' });
      else if (entry.isSymbolicLink()) found.push({ name, type: 'symlink' });
      else found.push({ name, type: this.#typeByStat(name) });
    }
    return found;
  }

  open(at: SeenSpot): OpenFile {
    this.#enter(at.dir);
    return this.#open(at.name, O_RDONLY, at.stat);
  }

  write(at: Spot, data: Uint8Array, request: WriteRequest): void {
    this.#enter(at.dir);
    const existing = this.#writable(at.name);
    if (request.append === true && existing !== undefined && existing.nlink === 1n) {
      this.#requireVersion(existing, request.ifVersion);
      this.#append(at, data);
      return;
    }
    const keep = request.append === true && existing !== undefined ? this.open(at) : undefined;
    try {
      this.#replace(at, existing, {
        mode: request.mode ?? modeOf(existing, 0o644),
        bytes: data.length + (keep === undefined ? 0 : Number(keep.stat.size)),
        ifVersion: request.ifVersion,
        fill: (fd) => {
          if (keep !== undefined) copyBytes(keep.fd, fd);
          writeAll(fd, data);
        },
      });
    } finally {
      if (keep !== undefined) closeSync(keep.fd);
    }
  }

  receive(at: Spot, source: OpenFile): void {
    this.#enter(at.dir);
    this.#replace(at, this.#writable(at.name), {
      mode: modeOf(source.stat, 0o644),
      bytes: Number(source.stat.size),
      fill: (fd) => copyBytes(source.fd, fd),
    });
  }

  mkdir(at: Spot, mode: number): void {
    this.#charge(at.dir, 0, 1);
    mkdirSync(at.name, mode & 0o777);
    this.#quota?.add(0, 1);
  }

  unlink(at: Spot): void {
    this.#enter(at.dir);
    const size = this.#quota === undefined ? 0 : Number(this.#look(at.name)?.size ?? 0);
    unlinkSync(at.name);
    this.#quota?.add(-size, -1);
  }

  rmdir(at: Spot): void {
    this.#enter(at.dir);
    this.#dropLeftovers(at);
    rmdirSync(at.name);
    this.#quota?.add(0, -1);
  }

  removeTree(at: Spot): void {
    const dir = pathOf(at);
    this.#enter(dir);
    this.#giveNames(dir);
    for (const entry of readdirSync('.', { withFileTypes: true })) {
      const child = { dir, name: entry.name };
      if (entry.isDirectory()) this.removeTree(child);
      else this.unlink(child);
    }
    this.#enter(at.dir);
    rmdirSync(at.name);
    this.#quota?.add(0, -1);
  }

  rename(from: Spot, to: Spot): void {
    try {
      this.#rename(from, to);
    } catch (error) {
      throw errnoOf(error) === 'EACCES' && this.#isClosed(to.dir) ? new AtTarget('', { cause: error }) : error;
    }
  }

  #rename(from: Spot, to: Spot): void {
    if (from.dir === to.dir) {
      this.#enter(from.dir);
      renameSync(from.name, to.name);
    } else if (to.dir === '') {
      this.#enter(from.dir);
      renameSync(from.name, this.#host(to.name));
    } else if (from.dir === '') {
      this.#enter(to.dir);
      renameSync(this.#host(from.name), to.name);
    } else {
      this.#renameByRoot(from, to);
    }
  }

  link(existing: Spot, at: Spot): void {
    this.#charge(existing.dir, 0, 1);
    const staged = this.#scratch.name(this.#root);
    // `link` does not follow a symbolic link, so what is staged can be looked at in peace.
    linkSync(existing.name, this.#host(staged));
    this.#enter('');
    try {
      if (this.#look(staged)?.isFile() !== true)
        throw new Refusal('not_regular_file', 'only regular files can have a second name');
      this.#enter(at.dir);
      linkSync(this.#host(staged), at.name);
    } finally {
      unlinkSync(this.#host(staged));
    }
    this.#quota?.add(0, 1);
  }

  symlink(target: string, at: Spot): void {
    this.#charge(at.dir, target.length, 1);
    makeSymlink(target, at.name);
    this.#quota?.add(target.length, 1);
  }

  chmod(at: Spot, mode: number): void {
    const bits = mode & 0o777;
    this.#enter(at.dir);
    const stat = this.#required(at.name);
    if (stat.isDirectory()) {
      this.#enter(pathOf(at));
      chmodSync('.', (Number(stat.mode) & 0o7000) | bits);
    } else if (!stat.isFile()) {
      throw new Refusal('not_regular_file', 'it is not a regular file');
    } else if (stat.nlink > 1n) {
      this.#copyOnWrite(at, bits);
    } else {
      this.#chmodFile(at, stat, bits);
    }
  }

  utimes(at: Spot, atimeMs: number, mtimeMs: number): void {
    this.#enter(at.dir);
    const stat = this.#required(at.name);
    if (stat.isDirectory()) {
      this.#enter(pathOf(at));
      utimesSync('.', atimeMs / 1000, mtimeMs / 1000);
      return;
    }
    if (stat.isFile() && stat.nlink > 1n) this.#copyOnWrite(at, Number(stat.mode) & 0o777);
    lutimesSync(at.name, atimeMs / 1000, mtimeMs / 1000);
  }

  /** @throws what writing to the file would throw, without writing */
  requireWritable(at: Spot): void {
    this.#enter(at.dir);
    requireRegular(this.#required(at.name));
    // Not opened: the permission model bars this process from writing to an overlay's origin, and `access` asks the kernel alone.
    accessSync(at.name, constants.W_OK);
  }

  /** Takes something out of the tree at once, whatever it holds. @param target host path, on the same file system */
  evict(at: Spot, target: string): void {
    this.#enter(at.dir);
    renameSync(at.name, target);
  }

  hasReserved(at: Spot): boolean {
    this.#enter(at.dir);
    return this.#look(at.name) !== undefined;
  }

  hasAnyReserved(dir: string): boolean {
    this.#enter(dir);
    return readdirSync('.').some((name) => reservedKind(name) === 'gone');
  }

  readReserved(at: Spot, maxBytes: number): Uint8Array {
    this.#enter(at.dir);
    const fd = openSync(at.name, O_RDONLY | SAFE);
    try {
      return readToEnd(fd, 0, maxBytes);
    } finally {
      closeSync(fd);
    }
  }

  writeReserved(at: Spot, data: Uint8Array): void {
    this.#enter(at.dir);
    this.#replace(at, this.#look(at.name), { mode: 0o600, bytes: data.length, fill: (fd) => writeAll(fd, data) });
  }

  /** Host path of a place directly below the root, which nothing in the sandbox can move or replace. */
  #host(path: string): string {
    if (path === '') return this.#root;
    return this.#root === '/' ? `/${path}` : `${this.#root}/${path}`;
  }

  #enter(dir: string): void {
    this.#gate.enter(this.#host(dir));
  }

  #isClosed(dir: string): boolean {
    this.#enter(dir);
    try {
      accessSync('.', constants.W_OK | constants.X_OK);
      return false;
    } catch {
      return true;
    }
  }

  #look(name: string): BigIntStats | undefined {
    return lstatSync(name === '' ? '.' : name, { bigint: true, throwIfNoEntry: false });
  }

  #required(name: string): BigIntStats {
    const stat = this.#look(name);
    if (stat === undefined) throw new Refusal('not_found', 'no such file or directory');
    return stat;
  }

  /** Checks the room, which may lead the gate elsewhere, and enters `dir`. */
  #charge(dir: string, bytes: number, entries: number): void {
    this.#quota?.require(bytes, entries);
    this.#enter(dir);
  }

  #open(name: string, flags: number, seen?: BigIntStats): OpenFile {
    // Looked at before: opening a device or a FIFO can have effects of its own. Looked at after: the name may have changed hands.
    requireRegular(seen ?? this.#required(name));
    const fd = openSync(name, flags | SAFE);
    try {
      const stat = fstatSync(fd, { bigint: true });
      requireRegular(stat);
      return { fd, stat };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** The file that a write would replace, once the kernel has agreed that it may be written. */
  #writable(name: string): BigIntStats | undefined {
    const seen = this.#look(name);
    if (seen === undefined) return undefined;
    requireRegular(seen);
    try {
      // Not opened: on an overlay of the kernel's that alone would copy the file, and make it another version.
      accessSync(name, constants.W_OK);
    } catch (error) {
      throw isMissing(error) ? new Moved() : error;
    }
    return seen;
  }

  /** For a name that was there a moment ago: when it is gone, the operation starts over rather than fail. */
  #openSeen(name: string, flags: number): OpenFile {
    try {
      return this.#open(name, flags);
    } catch (error) {
      throw isMissing(error) ? new Moved() : error;
    }
  }

  #append(at: Spot, data: Uint8Array): void {
    this.#charge(at.dir, data.length, 0);
    const { fd, stat } = this.#openSeen(at.name, O_WRONLY | O_APPEND);
    try {
      if (stat.nlink !== 1n) throw new Moved();
      // A guest's `truncate -s 20G` must not become 20 GB of the host's disk when it is committed part by part.
      if (isHole(data)) ftruncateSync(fd, Number(stat.size) + data.length);
      else writeAll(fd, data);
    } finally {
      closeSync(fd);
    }
    this.#quota?.add(data.length, 0);
  }

  #replace(
    at: Spot,
    existing: BigIntStats | undefined,
    job: { mode: number; bytes: number; ifVersion?: string | null | undefined; fill(fd: number): void },
  ): void {
    const growth = job.bytes - Number(existing?.size ?? 0n);
    const added = existing === undefined ? 1 : 0;
    this.#requireVersion(existing, job.ifVersion);
    this.#charge(at.dir, growth, added);
    const temporary = this.#scratch.name(this.#host(at.dir));
    const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | SAFE, job.mode & 0o777);
    try {
      try {
        job.fill(fd);
      } finally {
        closeSync(fd);
      }
      keepOwner(temporary, existing);
      if (job.ifVersion !== undefined) this.#requireVersion(this.#look(at.name), job.ifVersion);
      if (job.ifVersion === null) this.#takeFreeName(temporary, at.name);
      else renameSync(temporary, at.name);
    } catch (error) {
      this.#discard(temporary);
      throw error;
    }
    this.#quota?.add(growth, added);
  }

  #requireVersion(stat: BigIntStats | undefined, wanted: string | null | undefined): void {
    if (wanted === undefined) return;
    if (wanted === null && stat !== undefined) throw new Refusal('stale_file', 'it exists by now; read it first');
    if (wanted !== null && (stat === undefined || versionOf(stat) !== wanted)) {
      throw new Refusal('stale_file', 'it changed since it was read; read it again');
    }
  }

  /** Gives the file its name only if nobody has taken it meanwhile: unlike `rename`, `link` replaces nothing. */
  #takeFreeName(temporary: string, name: string): void {
    try {
      linkSync(temporary, name);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') throw new Refusal('stale_file', 'it exists by now; read it first');
      renameSync(temporary, name);
      return;
    }
    unlinkSync(temporary);
  }

  /** Gives this name a file of its own, with the content it had: its other names keep the old one. */
  #copyOnWrite(at: Spot, mode: number): void {
    const source = this.open(at);
    try {
      this.#replace(at, source.stat, {
        mode,
        bytes: Number(source.stat.size) * 2,
        fill: (fd) => copyBytes(source.fd, fd),
      });
    } finally {
      closeSync(source.fd);
    }
  }

  /**
   * `chmod` follows links, and the permission model bars `fchmod`: the mode is set through a second name that nobody
   * else knows, so nobody can put a link there.
   */
  #chmodFile(at: Spot, stat: BigIntStats, bits: number): void {
    const second = this.#scratch.name(this.#host(at.dir));
    try {
      linkSync(at.name, second);
    } catch (error) {
      const mine = stat.uid === BigInt(process.geteuid?.() ?? 0);
      if (!mine || !NO_LINKS.has(errnoOf(error))) throw error;
      this.#copyOnWrite(at, bits);
      return;
    }
    try {
      requireRegular(this.#required(second));
      chmodSync(second, bits);
    } finally {
      unlinkSync(second);
    }
  }

  /**
   * A rename needs two directories, and a process has one working directory. The root is the one place besides that
   * nothing inside can divert: there, under a name that nobody knows, the file changes from one to the other.
   */
  #renameByRoot(from: Spot, to: Spot): void {
    const staged = this.#scratch.name(this.#root);
    this.#scratch.note({
      directory: this.#root,
      name: staged,
      cameFrom: { directory: this.#host(from.dir), name: from.name },
    });
    this.#enter(from.dir);
    renameSync(from.name, this.#host(staged));
    try {
      this.#enter(to.dir);
      renameSync(this.#host(staged), to.name);
    } catch (error) {
      this.#enter(from.dir);
      renameSync(this.#host(staged), from.name);
      throw error;
    }
  }

  /** @returns `lost`: what their names look like; `found`: they, and what really has such a name */
  #unnamed(entries: readonly Dirent[]): { found: Entry[]; lost: Set<string> } {
    const found: Entry[] = [];
    const lost = new Set<string>();
    for (const bytes of unnamedEntries(entries)) {
      const stat = lstatSync(bytes, { bigint: true, throwIfNoEntry: false });
      const name = bytes.toString();
      if (stat !== undefined) found.push({ name, type: typeOf(stat), unnamed: versionOf(stat) });
      lost.add(name);
    }
    for (const name of lost) {
      const stat = this.#look(name);
      if (stat !== undefined) found.push({ name, type: typeOf(stat) });
    }
    return { found, lost };
  }

  /** So that what no path leads to can be removed like everything else. */
  #giveNames(dir: string): void {
    for (const bytes of unnamedEntries(readdirSync('.', { withFileTypes: true })))
      renameSync(bytes, this.#scratch.name(this.#host(dir)));
  }

  #typeByStat(name: string): Entry['type'] {
    const stat = this.#look(name);
    return stat === undefined ? 'other' : typeOf(stat);
  }

  #sweep(name: string, kind: keyof typeof STALE_MS): void {
    const stat = this.#look(name);
    if (stat?.isFile() !== true) return;
    if (Date.now() - Number(stat.ctimeMs) > STALE_MS[kind] || isAbandonedIncoming(name)) this.#discard(name);
  }

  #discard(temporary: string): void {
    try {
      unlinkSync(temporary);
    } catch {
      // Gone with its directory, or not ours to delete: it stays invisible.
    }
  }

  /** A directory that looks empty may hold what a killed process left. */
  #dropLeftovers(at: Spot): void {
    if (this.#look(at.name)?.isDirectory() !== true) return;
    this.#enter(pathOf(at));
    const names = readdirSync('.');
    if (names.length > 0 && names.every((name) => isReservedName(name) || isAbandonedIncoming(name))) {
      for (const name of names) unlinkSync(name);
    }
    this.#enter(at.dir);
  }
}

const NO_LINKS = new Set(['EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function requireRegular(stat: BigIntStats): void {
  if (stat.isFile()) return;
  if (stat.isDirectory()) throw new Refusal('is_directory', 'it is a directory');
  // Resolved links are never met here, so a link means that the name changed hands.
  if (stat.isSymbolicLink()) throw new Moved();
  throw new Refusal('not_regular_file', 'it is not a regular file');
}

function isMissing(error: unknown): boolean {
  return errnoOf(error) === 'ENOENT' || (error instanceof Refusal && error.code === 'not_found');
}

function modeOf(stat: BigIntStats | undefined, otherwise: number): number {
  return stat === undefined ? otherwise : Number(stat.mode) & 0o777;
}

/** A file that root replaces stays its owner's. */
function keepOwner(temporary: string, existing: BigIntStats | undefined): void {
  if (existing === undefined || process.geteuid?.() !== 0) return;
  if (existing.uid === 0n && existing.gid === BigInt(process.getegid?.() ?? 0)) return;
  lchownSync(temporary, Number(existing.uid), Number(existing.gid));
}
