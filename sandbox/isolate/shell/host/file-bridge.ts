import { FileError, type FileLayer } from '../../../files/file-layer.js';
import { decodeEscaped } from '../../text/escaped-text.js';
import type { FileCall, FileFailure } from '../bridge.js';

/** One file, as a string in the isolate; V8 strings end at 512 Mi characters. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

type Argument = string | number | undefined;

/** The file layer as the shell calls it: strings and numbers in, strings and numbers out. */
export class FileBridge {
  readonly #layer: FileLayer;
  #failure: FileFailure = { code: 'not_found', message: '' };
  /** Whether a write failed for lack of room since the last `reset`. */
  ranOutOfSpace = false;

  constructor(layer: FileLayer) {
    this.#layer = layer;
  }

  reset(): void {
    this.ranOutOfSpace = false;
  }

  readonly failure = (): string => JSON.stringify(this.#failure);

  readonly call = (
    operation: FileCall,
    path: string,
    argument: Argument,
    more: Argument,
  ): string | number | true | undefined => {
    try {
      return this.#call(operation, path, argument, more);
    } catch (error) {
      this.#failure = failureOf(error);
      if (this.#failure.code === 'no_space' || this.#failure.code === 'quota_exceeded') this.ranOutOfSpace = true;
      return undefined;
    }
  };

  #call(operation: FileCall, path: string, argument: Argument, more: Argument): string | number | true {
    const layer = this.#layer;
    switch (operation) {
      case 'read':
        return latin1(layer.readFile(path, MAX_READ_BYTES));
      case 'readText':
        return decodeEscaped(layer.readFile(path, MAX_READ_BYTES));
      case 'write':
        layer.writeFile(path, Buffer.from(String(argument), 'latin1'));
        return true;
      case 'append':
        layer.writeFile(path, Buffer.from(String(argument), 'latin1'), { append: true });
        return true;
      case 'stat':
      case 'lstat': {
        const { type, size, mode, mtimeMs, version } = operation === 'stat' ? layer.stat(path) : layer.lstat(path);
        return JSON.stringify({ type, size, mode, mtimeMs, identity: identityOf(version) });
      }
      case 'list':
        return JSON.stringify(layer.list(path).map(({ name, type }) => ({ name, type })));
      case 'mkdir':
        layer.mkdir(path, { recursive: argument === 1 });
        return true;
      case 'remove':
        return layer.remove(path, { recursive: argument === 1 }) ? 1 : 0;
      case 'rename':
        layer.rename(path, String(argument));
        return true;
      case 'link':
        layer.link(path, String(argument));
        return true;
      case 'symlink':
        layer.symlink(String(argument), path);
        return true;
      case 'readlink':
        return layer.readlink(path);
      case 'realpath':
        return layer.realpath(path);
      case 'chmod':
        layer.chmod(path, Number(argument));
        return true;
      case 'utimes':
        layer.utimes(path, Number(argument), Number(more));
        return true;
    }
  }
}

/** A version begins with what stays the same while the file does: its device and its number there. */
function identityOf(version: string): string {
  return version.split(':', 2).join(':');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function failureOf(error: unknown): FileFailure {
  // Anything else would name host paths.
  if (!(error instanceof FileError)) return { code: 'unknown', message: 'The file operation failed' };
  const { code, message, errno } = error;
  return errno === undefined ? { code, message } : { code, message, errno };
}
