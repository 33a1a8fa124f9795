/**
 * A frame is two big-endian 32-bit lengths, a JSON header and raw bytes: `[header length][body length][header][body]`.
 * Lengths are checked before anything is allocated; a stream that breaks a rule is over.
 */
const PREFIX_BYTES = 8;

export const MAX_HEADER_BYTES = 4 * 1024 * 1024;
/** A whole file travels in one frame; 64 MiB is the largest the file calls take, the rest is room for the shape of it. */
export const MAX_BODY_BYTES = 80 * 1024 * 1024;

const NO_BYTES = new Uint8Array(0);

export interface Frame {
  /** Parsed, not yet checked against any schema. */
  header: unknown;
  body: Uint8Array;
}

/** The other side broke the protocol; nothing that comes after can be trusted. */
export class FrameError extends Error {}

/** @throws FrameError when header or body is over its cap */
export function encodeFrame(header: object, body: Uint8Array = NO_BYTES): Uint8Array[] {
  const headerBytes = Buffer.from(JSON.stringify(header), 'utf8');
  if (headerBytes.length > MAX_HEADER_BYTES) throw new FrameError('Cannot send a frame: its header is over 4 MiB');
  if (body.length > MAX_BODY_BYTES) throw new FrameError('Cannot send a frame: its body is over 80 MiB');
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES + headerBytes.length);
  prefix.writeUInt32BE(headerBytes.length, 0);
  prefix.writeUInt32BE(body.length, 4);
  headerBytes.copy(prefix, PREFIX_BYTES);
  return body.length === 0 ? [prefix] : [prefix, body];
}

/** Cuts a byte stream into frames. Holds at most one frame's bytes. */
export class FrameDecoder {
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #wanted = PREFIX_BYTES;

  /** @throws FrameError on a length over its cap or a header that is not JSON */
  *push(chunk: Uint8Array): Generator<Frame> {
    if (chunk.length > 0) {
      this.#chunks.push(chunk);
      this.#buffered += chunk.length;
    }
    while (this.#buffered >= this.#wanted) {
      const bytes = this.#join();
      const headerLength = bytes.readUInt32BE(0);
      const bodyLength = bytes.readUInt32BE(4);
      if (headerLength > MAX_HEADER_BYTES || bodyLength > MAX_BODY_BYTES) {
        throw new FrameError(`A frame announces ${headerLength} + ${bodyLength} bytes: over the cap`);
      }
      const end = PREFIX_BYTES + headerLength + bodyLength;
      if (bytes.length < end) {
        this.#wanted = end;
        return;
      }
      this.#chunks = bytes.length > end ? [bytes.subarray(end)] : [];
      this.#buffered = bytes.length - end;
      this.#wanted = PREFIX_BYTES;
      const bodyStart = PREFIX_BYTES + headerLength;
      yield { header: parseHeader(bytes.subarray(PREFIX_BYTES, bodyStart)), body: bytes.subarray(bodyStart, end) };
    }
  }

  #join(): Buffer {
    const [first] = this.#chunks;
    const joined =
      this.#chunks.length === 1 && first !== undefined
        ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
        : Buffer.concat(this.#chunks, this.#buffered);
    this.#chunks = [joined];
    return joined;
  }
}

function parseHeader(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new FrameError('A frame header is not JSON');
  }
}
