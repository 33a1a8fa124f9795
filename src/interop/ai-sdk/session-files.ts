import type { FileStat, SandboxFiles } from '../../sandbox/contract.js';
import { SandboxError } from '../../sandbox/errors.js';
import type { AnyAiSdkSandboxSession } from './sandbox-types.js';
import { sessionPath } from './session-path.js';

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** A session's file methods as a sandbox's files. */
export function sessionFiles(session: AnyAiSdkSandboxSession): SandboxFiles {
  return {
    async readFile(path, { signal, maxBytes = MAX_FILE_BYTES } = {}) {
      const bytes = await readBytes(session, { path: sessionPath(path), ...abortOf(signal) });
      if (bytes !== null && bytes.byteLength > maxBytes) {
        throw new SandboxError('file_too_large', `'${path}' has ${bytes.byteLength} bytes, more than ${maxBytes}`, {
          path,
        });
      }
      return bytes;
    },
    async writeFile(path, data, { mode, ifVersion, signal } = {}) {
      if (mode !== undefined || ifVersion !== undefined) await unsupported('set modes or compare versions');
      await writeBytes(session, { path: sessionPath(path), ...abortOf(signal) }, data);
    },
    async stat(path, { signal } = {}) {
      if (session.stat === undefined) return unsupported('look at files');
      const stat = await session.stat({ path: sessionPath(path), ...abortOf(signal) });
      return stat === null ? null : fileStat(stat);
    },
    async list(path, { signal } = {}) {
      if (session.listDirectory === undefined) return unsupported('list directories');
      const entries = await session.listDirectory({ path: sessionPath(path), ...abortOf(signal) });
      if (entries === null) return null;
      return entries
        .map(({ name, type }) => ({ name, type, size: 0 }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async remove(path, { recursive, signal } = {}) {
      if (session.deleteFile === undefined) return unsupported('delete files');
      if (recursive === true) return unsupported('delete directories');
      return session.deleteFile({ path: sessionPath(path), ...abortOf(signal) });
    },
    mkdir: () => unsupported('make directories'),
    rename: () => unsupported('rename files'),
    glob: () => unsupported('search for files'),
    grep: () => unsupported('search in files'),
  };
}

type PathOptions = { path: string; abortSignal?: AbortSignal };

async function readBytes(session: AnyAiSdkSandboxSession, options: PathOptions): Promise<Uint8Array | null> {
  if (session.readBinaryFile !== undefined) return session.readBinaryFile(options);
  if (session.readFile === undefined) return unsupported('read files');
  const stream = await session.readFile(options);
  return stream === null ? null : new Uint8Array(await new Response(stream).arrayBuffer());
}

async function writeBytes(
  session: AnyAiSdkSandboxSession,
  options: PathOptions,
  data: string | Uint8Array,
): Promise<void> {
  if (typeof data === 'string' && session.writeTextFile !== undefined) {
    return session.writeTextFile({ ...options, content: data });
  }
  const content = typeof data === 'string' ? Buffer.from(data) : data;
  if (session.writeBinaryFile !== undefined) return session.writeBinaryFile({ ...options, content });
  if (session.writeFile === undefined) return unsupported('write files');
  return session.writeFile({
    ...options,
    content: new Response(new Uint8Array(content)).body as ReadableStream<Uint8Array>,
  });
}

/** A session tells type and size only; its version is a new one each time, so that nothing is taken for unchanged. */
function fileStat({ type, size }: { type: FileStat['type']; size: number }): FileStat {
  return {
    type,
    size,
    mode: type === 'directory' ? 0o755 : 0o644,
    mtimeMs: 0,
    version: `unknown-${performance.now()}`,
  };
}

function abortOf(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

async function unsupported(what: string): Promise<never> {
  throw new SandboxError(
    'unsupported',
    `This AI SDK sandbox cannot ${what}: its session has no method for it. Do it with a command`,
  );
}
