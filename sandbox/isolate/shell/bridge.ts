import type { CommandRule } from '../../protocol/plan.js';

/**
 * Every way out of the shell's isolate: synchronous functions over strings and numbers. The worker implements them
 * (`host/`), the shell in the isolate calls them (`guest/`).
 */
export interface Bridge {
  /** File work; `undefined` when it failed, and `failure` then says why. Bytes cross as latin1 strings. */
  file(
    operation: FileCall,
    path: string,
    argument?: string | number,
    more?: string | number,
  ): string | number | true | undefined;
  failure(): string;
  /** Whether the call should stop: 0 no, 1 its time is up, 2 it was cancelled. */
  interrupted(): number;
  /** A piece of output that is final, as escaped text. */
  emit(stream: OutputStream, text: string): void;
  /** The running command ended; `rest` is what `emit` has not told yet. */
  done(result: string, restOfStdout: string, restOfStderr: string): void;
  startTimer(id: number, delayMs: number): void;
  stopTimer(id: number): void;
  /** Latin1 bytes to escaped text. */
  decode(bytes: string): string;
  /** Escaped text to latin1 bytes. */
  encode(text: string): string;
  /** Of a text's UTF-8; a byte escape counts three. */
  byteLength(text: string): number;
  digest(algorithm: 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512', bytes: string): string;
  toBase64(bytes: string): string;
  /** Of a text that is known to be base64. */
  fromBase64(text: string): string;
}

export type OutputStream = 1 | 2;

export type FileCall =
  | 'read'
  | 'readText'
  | 'write'
  | 'append'
  | 'stat'
  | 'lstat'
  | 'list'
  | 'mkdir'
  | 'remove'
  | 'rename'
  | 'link'
  | 'symlink'
  | 'readlink'
  | 'realpath'
  | 'chmod'
  | 'utimes';

/** `failure`, as JSON. */
export interface FileFailure {
  code: string;
  message: string;
  errno?: string;
}

/** `stat`, as JSON. */
export interface WireStat {
  type: 'file' | 'directory' | 'symlink' | 'other';
  size: number;
  mode: number;
  mtimeMs: number;
  /** Equal for two names of one file. */
  identity?: string;
}

/** `list`, as JSON. */
export interface WireEntry {
  name: string;
  type: WireStat['type'];
}

/** What the worker asks the isolate to run. */
export interface ShellCommand {
  command?: string;
  argv?: string[];
  cwd: string;
  env: Record<string, string>;
  /** Latin1 bytes. */
  stdin: string;
  /** Commands that rules do not let start. */
  denied?: readonly CommandRule[];
}

/** `done`, as JSON. */
export interface ShellResult {
  exitCode: number;
  /** Something stopped because `interrupted` said so. */
  interrupted: boolean;
  /** The two texts that follow are the whole output: what was told before is not how it begins. */
  replace: boolean;
}

/** What the isolate offers the worker, as one global. */
export interface ShellGuest {
  connect(bridge: Bridge): void;
  run(command: ShellCommand): void;
  fireTimer(id: number): void;
  /** Tells everything that waits on a signal that the call is to stop. */
  interrupt(): void;
  warmUp(): void;
  commandNames(): string[];
}
