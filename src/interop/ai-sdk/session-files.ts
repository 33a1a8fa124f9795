import { createHash, randomUUID } from 'node:crypto';
import type { FileStat, SandboxFiles } from '../../sandbox/contract.js';
import { SandboxError } from '../../sandbox/errors.js';
import type { AnyAiSdkSandboxSession } from './sandbox-types.js';
import { sessionPath } from './session-path.js';
import {
  listByCommand,
  makeDirectoryByCommand,
  removeByCommand,
  renameByCommand,
  statByCommand,
} from './session-path-commands.js';

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Whose content is read to tell one version from another. */
const MAX_VERSIONED_BYTES = 8 * 1024 * 1024;

/**
 * A session's file methods as a sandbox's files. What older releases have no method for is asked of the session's shell;
 * a version is compared and then written, which two writers at once can defeat.
 */
export function sessionFiles(session: AnyAiSdkSandboxSession): SandboxFiles {
  const at = (path: string, signal: AbortSignal | undefined) => ({ session, path: sessionPath(path), signal });
  const stat: SandboxFiles['stat'] = async (path, { signal } = {}) => {
    const options = { path: sessionPath(path), ...abortOf(signal) };
    const found = await (session.stat === undefined ? statByCommand(at(path, signal)) : session.stat(options));
    if (found === null) return null;
    const isVersioned = found.type === 'file' && found.size <= MAX_VERSIONED_BYTES;
    return fileStat(found, isVersioned ? await readBytes(session, options) : null);
  };
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
      if (mode !== undefined) await unsupported('set modes');
      if (ifVersion !== undefined && ((await stat(path, abortSignalOf(signal)))?.version ?? null) !== ifVersion) {
        throw new SandboxError('stale_file', `Cannot write '${path}': it is no longer what it was`, { path });
      }
      await writeBytes(session, { path: sessionPath(path), ...abortOf(signal) }, data);
    },
    stat,
    async list(path, { signal } = {}) {
      const entries = await (session.listDirectory === undefined
        ? listByCommand(at(path, signal))
        : session.listDirectory({ path: sessionPath(path), ...abortOf(signal) }));
      if (entries === null) return null;
      return entries
        .map(({ name, type }) => ({ name, type, size: 0 }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async remove(path, { recursive = false, signal } = {}) {
      if (session.deleteFile === undefined || recursive) return removeByCommand(at(path, signal), { recursive });
      return session.deleteFile({ path: sessionPath(path), ...abortOf(signal) });
    },
    mkdir: (path, { signal } = {}) => makeDirectoryByCommand(at(path, signal)),
    rename: (from, to, { signal } = {}) => renameByCommand(at(from, signal), sessionPath(to)),
    glob: () => unsupported('search for files', 'run a command, such as: find . -name "*.ts"'),
    grep: () => unsupported('search in files', 'run a command, such as: grep -rn pattern .'),
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

/** A session tells type and size only. Without content the version is a new one each time: nothing is taken for unchanged. */
function fileStat({ type, size }: { type: FileStat['type']; size: number }, content: Uint8Array | null): FileStat {
  return {
    type,
    size,
    mode: type === 'directory' ? 0o755 : 0o644,
    mtimeMs: 0,
    version: content === null ? `unknown-${randomUUID()}` : createHash('sha256').update(content).digest('hex'),
  };
}

function abortSignalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function abortOf(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

async function unsupported(what: string, instead = 'do it with a command'): Promise<never> {
  throw new SandboxError(
    'unsupported',
    `This AI SDK sandbox cannot ${what}: its session has no method for it; ${instead}`,
  );
}
