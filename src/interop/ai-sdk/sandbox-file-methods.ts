import { posix } from 'node:path';
import type { Sandbox } from '../../sandbox/contract.js';
import { SandboxError } from '../../sandbox/errors.js';
import { lineRange } from './line-range.js';
import type { AiSdkPathOptions, AiSdkSandboxSession } from './sandbox-types.js';

type FileMethods = Omit<AiSdkSandboxSession, 'description' | 'run' | 'spawn'>;

/** The file methods of an AI SDK session over a sandbox's files. Paths are resolved by the sandbox. */
export function sandboxFileMethods({ fs }: Pick<Sandbox, 'fs'>): FileMethods {
  const read = async ({ path, abortSignal }: AiSdkPathOptions) => fs.readFile(path, signalOf(abortSignal));
  const write = (path: string, data: Uint8Array, abortSignal: AbortSignal | undefined) =>
    fs.writeFile(path, data, signalOf(abortSignal));
  return {
    async readFile(options) {
      const bytes = await read(options);
      return bytes === null ? null : streamOf(bytes);
    },
    readBinaryFile: read,
    async readTextFile({ encoding = 'utf-8', startLine, endLine, ...options }) {
      const bytes = await read(options);
      return bytes === null ? null : lineRange(decoderOf(encoding).decode(bytes), { startLine, endLine });
    },
    async writeFile({ path, content, abortSignal }) {
      await write(path, new Uint8Array(await new Response(content).arrayBuffer()), abortSignal);
    },
    async writeBinaryFile({ path, content, abortSignal }) {
      await write(path, content, abortSignal);
    },
    async writeTextFile({ path, content, encoding = 'utf-8', abortSignal }) {
      await write(path, encode(content, encoding), abortSignal);
    },
    async stat({ path, abortSignal }) {
      const stat = await fs.stat(path, signalOf(abortSignal));
      if (stat === null) return null;
      return { type: stat.type === 'symlink' ? 'other' : stat.type, size: stat.size };
    },
    async listDirectory({ path, abortSignal }) {
      const entries = await fs.list(path, signalOf(abortSignal));
      return entries === null ? null : entries.map(({ name, type }) => ({ name, type }));
    },
    async deleteFile({ path, abortSignal }) {
      const { base, dir } = posix.parse(posix.normalize(path).replace(/\/+$/, ''));
      const siblings = await fs.list(dir || '.', signalOf(abortSignal));
      const entry = siblings?.find(({ name }) => name === base);
      if (entry?.type === 'directory') {
        throw new SandboxError('is_directory', `Cannot delete '${path}': it is a directory`, { path });
      }
      return fs.remove(path, signalOf(abortSignal));
    },
  };
}

function signalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  signal?.throwIfAborted();
  return signal === undefined ? {} : { signal };
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.byteLength > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

function decoderOf(encoding: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(encoding, { ignoreBOM: true });
  } catch {
    throw unknownEncoding(encoding);
  }
}

function encode(content: string, encoding: string): Uint8Array {
  if (!Buffer.isEncoding(encoding) || ['base64', 'base64url', 'hex'].includes(encoding))
    throw unknownEncoding(encoding);
  return Buffer.from(content, encoding);
}

function unknownEncoding(encoding: string): SandboxError {
  return new SandboxError('invalid_input', `Unknown text encoding '${encoding}': use 'utf-8'`);
}
