import { readSync, writeSync } from 'node:fs';
import { writeAll } from '../files/file-bytes.js';
import { AtTarget, Moved } from '../files/refusal.js';
import { FROM_SHELL_FD, TO_SHELL_FD } from '../protocol/exec-files.js';
import { toolError } from './tool-error.js';

/** Of a whole file and what is said about it. */
const MAX_ANSWER_BYTES = 80 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const MAX_STATUS_BYTES = 64;

export type StepArgument = string | number;

/** Has single steps done by the shell in the container, one after the other, and waits for each. */
export class RemoteShell {
  readonly #end: Buffer;
  readonly #lost: () => never;

  /** @param lost the shell is gone, or said what it cannot say: nothing that comes after can be trusted */
  constructor(token: string, lost: () => never) {
    this.#lost = lost;
    this.#end = Buffer.from(`\n${token} `, 'latin1');
    writeSync(TO_SHELL_FD, `${token}\n`);
    this.#answer();
  }

  /**
   * @param body sent after the step's line
   * @returns what the shell printed
   * @throws system errors by their `code`, `Moved`, `AtTarget`
   */
  step(letter: string, args: readonly StepArgument[], body?: Uint8Array): Buffer {
    const words = args.map((word) => (typeof word === 'number' ? String(word) : encode(word)));
    writeAll(TO_SHELL_FD, Buffer.from(`${[letter, ...words].join(' ')}\n`, 'latin1'));
    if (body !== undefined && body.length > 0) writeAll(TO_SHELL_FD, body);
    const { status, output } = this.#answer();
    if (status === 'ok') return output;
    if (status === 'moved') throw new Moved();
    if (status === 'closed') throw new AtTarget('', { cause: toolError('EACCES', '') });
    throw toolError(status, output.toString('latin1'));
  }

  #answer(): { status: string; output: Buffer } {
    let bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    let length = 0;
    let searched = 0;
    for (;;) {
      const found = bytes.subarray(0, length).indexOf(this.#end, searched);
      if (found !== -1) {
        const from = found + this.#end.length;
        const lineEnd = bytes.subarray(0, length).indexOf(10, from);
        if (lineEnd !== -1) {
          if (lineEnd + 1 !== length) this.#lost();
          return { status: bytes.toString('latin1', from, lineEnd), output: bytes.subarray(0, found) };
        }
        if (length - from > MAX_STATUS_BYTES) this.#lost();
      } else {
        searched = Math.max(0, length - this.#end.length);
      }
      if (length > MAX_ANSWER_BYTES) this.#lost();
      if (length === bytes.length) {
        const larger = Buffer.allocUnsafe(bytes.length * 2);
        bytes.copy(larger);
        bytes = larger;
      }
      const count = readSync(FROM_SHELL_FD, bytes, length, bytes.length - length, null);
      if (count === 0) this.#lost();
      length += count;
    }
  }
}

/** Every byte that could mean something to a shell becomes `\0ooo`. */
function encode(text: string): string {
  if (/^[A-Za-z0-9._/-]*$/.test(text)) return `=${text}`;
  const bytes = Buffer.from(text, 'utf8');
  return `=${Array.from(bytes, (byte) => (PLAIN[byte] === true ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`)).join('')}`;
}

const PLAIN = Array.from({ length: 256 }, (_, byte) => /[A-Za-z0-9._/-]/.test(String.fromCharCode(byte)));
