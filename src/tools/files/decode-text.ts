import { SandboxError } from '../../sandbox/errors.js';

const BOM = '\uFEFF';

/** Text of a file, byte for byte: `bom + body` encodes back to exactly what was read. */
export interface TextDocument {
  bom: string;
  body: string;
}

/**
 * Decodes a file as UTF-8 text without losing a byte.
 * @throws SandboxError `encoding` for UTF-16, binary and invalid UTF-8 content, saying what to do instead
 */
export function decodeText(bytes: Uint8Array, path: string): TextDocument {
  refuseUtf16(bytes, path);
  refuseBinary(bytes, path);
  const text = decodeUtf8(bytes, path);
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(1) } : { bom: '', body: text };
}

function refuseUtf16(bytes: Uint8Array, path: string): void {
  const [first, second] = bytes;
  const littleEndian = first === 0xff && second === 0xfe;
  if (!littleEndian && !(first === 0xfe && second === 0xff)) return;
  const encoding = littleEndian ? 'UTF-16LE' : 'UTF-16BE';
  throw encodingError(path, `it is ${encoding}, only UTF-8 is read as text`, 'convert it to UTF-8 in the shell first');
}

function refuseBinary(bytes: Uint8Array, path: string): void {
  const nul = bytes.indexOf(0);
  if (nul === -1) return;
  throw encodingError(
    path,
    `it is binary (a NUL byte at offset ${nul})`,
    'look at it in the shell, for example with od or strings',
  );
}

function decodeUtf8(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const offset = firstInvalidByte(bytes);
    const byte = bytes[offset]?.toString(16).toUpperCase().padStart(2, '0') ?? '??';
    throw encodingError(
      path,
      `it is not valid UTF-8 (byte 0x${byte} at offset ${offset})`,
      'work on it in the shell with byte-safe commands, or convert it to UTF-8 first',
    );
  }
}

function firstInvalidByte(bytes: Uint8Array): number {
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const back = new TextEncoder().encode(lossy);
  const offset = bytes.findIndex((byte, index) => back[index] !== byte);
  return offset === -1 ? bytes.length - 1 : offset;
}

function encodingError(path: string, state: string, advice: string): SandboxError {
  return new SandboxError('encoding', `Cannot use "${path}" as text: ${state}; ${advice}`, { path });
}
