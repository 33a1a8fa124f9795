import type {
  BufferEncoding,
  CpOptions,
  FileContent,
  FsStat,
  IFileSystem,
  MkdirOptions,
  RmOptions,
} from 'just-bash/browser';
import type { FileCall, WireEntry, WireStat } from '../bridge.js';
import { host } from './connection.js';
import { arrayToLatin1, latin1ToArray, textToBytes } from './encoding.js';
import { GuestFileError, lastFailure, MissingTargetError } from './file-error.js';
import { realRootOf, resolveGuestPath } from './resolve-path.js';
import type { StaticTree } from './static-tree.js';

type Encoding = BufferEncoding | { encoding?: BufferEncoding | null } | undefined;
type Dirent = { name: string; isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean };
/** The interpreter's branded latin1 string; only its text crosses here. */
type Bytes = Awaited<ReturnType<NonNullable<IFileSystem['readFileBytes']>>>;

/** The file system that commands see: the worker's three roots in a small read-only tree. */
export class GuestFiles implements IFileSystem {
  readonly #tree: StaticTree;

  constructor(tree: StaticTree) {
    this.#tree = tree;
  }

  async readFile(path: string, options?: Encoding): Promise<string> {
    const encoding = encodingOf(options);
    if (encoding !== 'utf8') return decodeAs(this.#read('read', path), encoding);
    return this.#read('readText', path);
  }

  async readFileBytes(path: string): Promise<Bytes> {
    return this.#read('read', path) as unknown as Bytes;
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return latin1ToArray(this.#read('read', path));
  }

  async writeFile(path: string, content: FileContent, options?: Encoding): Promise<void> {
    this.#write('write', path, encodeAs(content, encodingOf(options)));
  }

  async appendFile(path: string, content: FileContent, options?: Encoding): Promise<void> {
    this.#write('append', path, encodeAs(content, encodingOf(options)));
  }

  async exists(path: string): Promise<boolean> {
    const at = normal(path);
    return realRootOf(at) === undefined ? this.#tree.stat(at) !== undefined : host().file('stat', at) !== undefined;
  }

  async stat(path: string): Promise<FsStat> {
    return this.#stat('stat', path);
  }

  async lstat(path: string): Promise<FsStat> {
    return this.#stat('lstat', path);
  }

  async mkdir(path: string, options: MkdirOptions = {}): Promise<void> {
    const at = normal(path);
    if (realRootOf(at) === undefined) {
      const there = this.#tree.stat(at);
      if (there?.type === 'directory' && options.recursive) return;
      throw new GuestFileError(there === undefined ? 'read_only' : 'exists', 'mkdir', at);
    }
    this.#call('mkdir', at, options.recursive ? 1 : 0);
  }

  async readdir(path: string): Promise<string[]> {
    return this.#list(path).map((entry) => entry.name);
  }

  async readdirWithFileTypes(path: string): Promise<Dirent[]> {
    return this.#list(path).map(({ name, type }) => ({
      name,
      isFile: type === 'file' || type === 'other',
      isDirectory: type === 'directory',
      isSymbolicLink: type === 'symlink',
    }));
  }

  async rm(path: string, options: RmOptions = {}): Promise<void> {
    const at = normal(path);
    if (realRootOf(at) === at) throw new GuestFileError('access_denied', 'rm', at);
    if (realRootOf(at) === undefined) {
      if (this.#tree.stat(at) === undefined && options.force) return;
      throw new GuestFileError(this.#tree.stat(at) === undefined ? 'not_found' : 'read_only', 'rm', at);
    }
    const removed = this.#call('remove', at, options.recursive ? 1 : 0);
    if (removed === 0 && !options.force) throw new GuestFileError('not_found', 'rm', at);
  }

  async cp(from: string, to: string, options: CpOptions = {}): Promise<void> {
    const source = this.#wireStat(options.recursive ? 'lstat' : 'stat', from);
    if (source.type === 'symlink') return this.symlink(await this.readlink(from), to);
    if (source.type !== 'directory') {
      const content = this.#read('read', from);
      aboutTarget(normal(to), () => this.#write('write', to, content));
      const copied = [from, to].every((path) => realRootOf(normal(path)) !== undefined);
      if (copied) this.#call('chmod', normal(to), source.mode);
      return;
    }
    if (!options.recursive) throw new GuestFileError('is_directory', 'cp', normal(from));
    if (normal(to).startsWith(`${normal(from)}/`)) throw new GuestFileError('not_regular_file', 'cp', normal(to));
    await this.#directoryAt(to);
    let first: unknown;
    for (const { name } of this.#list(from)) {
      try {
        await this.cp(`${from}/${name}`, `${to}/${name}`, options);
      } catch (error) {
        // As `cp` does: what may not be read keeps nothing else from being copied.
        if (!(error instanceof GuestFileError && error.code === 'EACCES')) throw error;
        first ??= error;
      }
    }
    if (first !== undefined) throw first;
  }

  async mv(from: string, to: string): Promise<void> {
    const source = this.#real('mv', from);
    const target = this.#real('mv', to);
    if (realRootOf(source) === realRootOf(target)) {
      this.#wireStat('lstat', source);
      aboutTarget(target, () => this.#call('rename', source, target));
      return;
    }
    await this.cp(source, target, { recursive: true });
    await this.rm(source, { recursive: true });
  }

  resolvePath(base: string, path: string): string {
    return resolveGuestPath(base, path);
  }

  /** Globs walk directories instead: listing every path of a workspace for one would not do. */
  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.#call('chmod', this.#real('chmod', path), mode);
  }

  async symlink(target: string, path: string): Promise<void> {
    this.#call('symlink', this.#real('symlink', path), target);
  }

  async link(existing: string, path: string): Promise<void> {
    this.#call('link', this.#real('link', existing), this.#real('link', path));
  }

  async readlink(path: string): Promise<string> {
    const at = normal(path);
    if (realRootOf(at) === undefined)
      throw new GuestFileError(this.#tree.stat(at) ? 'not_regular_file' : 'not_found', 'readlink', at);
    return String(this.#call('readlink', at));
  }

  async realpath(path: string): Promise<string> {
    const at = normal(path);
    if (realRootOf(at) !== undefined) return String(this.#call('realpath', at));
    if (this.#tree.stat(at) === undefined) throw new GuestFileError('not_found', 'realpath', at);
    return at;
  }

  async utimes(path: string, accessed: Date, modified: Date): Promise<void> {
    this.#call('utimes', this.#real('utimes', path), accessed.getTime(), modified.getTime());
  }

  /** Makes the target of a copied directory, whose own directory must be there; one that is there is filled. */
  async #directoryAt(path: string): Promise<void> {
    try {
      await this.mkdir(path);
    } catch (error) {
      if (!(error instanceof GuestFileError)) throw error;
      if (error.code === 'ENOENT') throw new MissingTargetError(normal(path));
      if (error.code !== 'EEXIST' || this.#wireStat('stat', path).type !== 'directory') throw error;
    }
  }

  #read(call: 'read' | 'readText', path: string): string {
    const at = normal(path);
    if (realRootOf(at) !== undefined) return String(this.#call(call, at));
    const content = this.#tree.read(at);
    if (content !== undefined) return content;
    throw new GuestFileError(this.#tree.stat(at) === undefined ? 'not_found' : 'is_directory', 'open', at);
  }

  #write(call: 'write' | 'append', path: string, bytes: string): void {
    const at = normal(path);
    if (at === '/dev/null') return;
    this.#call(call, this.#real('open', at), bytes);
  }

  #list(path: string): WireEntry[] {
    const at = normal(path);
    if (realRootOf(at) !== undefined) return JSON.parse(String(this.#call('list', at))) as WireEntry[];
    const entries = this.#tree.list(at);
    if (entries !== undefined) return entries;
    throw new GuestFileError(this.#tree.stat(at) === undefined ? 'not_found' : 'not_directory', 'scandir', at);
  }

  #stat(call: 'stat' | 'lstat', path: string): FsStat {
    const { type, size, mode, mtimeMs, identity = normal(path) } = this.#wireStat(call, path);
    return {
      isFile: type === 'file' || type === 'other',
      isDirectory: type === 'directory',
      isSymbolicLink: type === 'symlink',
      mode,
      size,
      mtime: new Date(mtimeMs),
      // Without it `cp` and `mv` onto a file that is there refuse: it might be the same one.
      identity,
    };
  }

  #wireStat(call: 'stat' | 'lstat', path: string): WireStat {
    const at = normal(path);
    if (realRootOf(at) !== undefined) return JSON.parse(String(this.#call(call, at))) as WireStat;
    const stat = this.#tree.stat(at);
    if (stat === undefined) throw new GuestFileError('not_found', call, at);
    return stat;
  }

  /** A path that may be changed. */
  #real(operation: string, path: string): string {
    const at = normal(path);
    if (realRootOf(at) !== undefined) return at;
    throw new GuestFileError('read_only', operation, at);
  }

  #call(call: FileCall, path: string, argument?: string | number, more?: string | number): string | number | true {
    const answer = host().file(call, path, argument, more);
    if (answer === undefined) throw lastFailure(call, path);
    return answer;
  }
}

/** The source is there: what is missing is the directory of the target. */
function aboutTarget(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof GuestFileError && error.code === 'ENOENT' ? new MissingTargetError(path) : error;
  }
}

function normal(path: string): string {
  return resolveGuestPath('/', path);
}

function encodingOf(options: Encoding): BufferEncoding {
  const encoding = typeof options === 'string' ? options : (options?.encoding ?? 'utf8');
  return encoding === 'utf-8' ? 'utf8' : encoding;
}

/** @returns latin1 bytes */
function encodeAs(content: FileContent, encoding: BufferEncoding): string {
  if (typeof content !== 'string') return arrayToLatin1(content);
  if (encoding === 'binary' || encoding === 'latin1' || encoding === 'ascii') return content;
  if (encoding === 'base64') return atob(content);
  if (encoding === 'hex') return content.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return textToBytes(content);
}

function decodeAs(bytes: string, encoding: BufferEncoding): string {
  if (encoding === 'base64') return btoa(bytes);
  if (encoding === 'hex') return bytes.replace(/./gs, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));
  return bytes;
}
