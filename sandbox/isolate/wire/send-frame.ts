import { writeSync } from 'node:fs';
import { encodeFrame } from '../../protocol/frame.js';
import type { WorkerMessage } from '../../protocol/isolate.js';
import { die } from '../watch/die.js';

const HOST_FD = 1;
/** Frames up to this many bytes are joined into one write. */
const JOIN_BYTES = 64 * 1024;

/** Writes a frame before it returns, so that what was sent is never lost to a kill. */
export function sendFrame(message: WorkerMessage, body?: Uint8Array): void {
  const pieces = encodeFrame(message, body);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= JOIN_BYTES)
    writeAll(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces, length));
  else for (const piece of pieces) writeAll(piece);
}

function writeAll(bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) offset += writeSome(bytes, offset);
}

function writeSome(bytes: Uint8Array, offset: number): number {
  try {
    return writeSync(HOST_FD, bytes, offset);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EAGAIN' || code === 'EINTR') {
      pause();
      return 0;
    }
    // The host no longer reads.
    die();
  }
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

function pause(): void {
  Atomics.wait(nothing, 0, 0, 1);
}
