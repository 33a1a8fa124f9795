import picomatch from 'picomatch';
import type { ExecOptions, ExecResult, FileStat, Sandbox, SandboxFiles } from '../../../src/sandbox/contract.js';
import { SandboxError } from '../../../src/sandbox/errors.js';

interface StoredFile {
  bytes: Uint8Array;
  mode: number;
  version: number;
}

export interface MemorySandbox extends Sandbox {
  /** What commands were run, with their options. */
  readonly executed: { command: string; options: ExecOptions }[];
  /** Runs before each write lands, as somebody outside the host would. */
  beforeWrite?: (path: string) => void;
  put(path: string, content: string | Uint8Array, mode?: number): void;
  bytes(path: string): number[] | undefined;
  text(path: string): string | undefined;
  mode(path: string): number | undefined;
}

let sandboxes = 0;

/** Files in a map, by the rules of the contract; what a command answers is given. The contract suite runs the tools on real backends. */
export function createMemorySandbox(answer: Partial<ExecResult> = {}): MemorySandbox {
  const files = new Map<string, StoredFile>();
  const executed: MemorySandbox['executed'] = [];
  let clock = 0;
  sandboxes += 1;

  const store = (path: string, bytes: Uint8Array, mode: number): void => {
    clock += 1;
    files.set(path, { bytes, mode, version: clock });
  };
  const resolve = (path: string): string => {
    const inside = path.startsWith('/workspace') ? path.slice('/workspace'.length) : path;
    const parts: string[] = [];
    for (const part of inside.split('/')) {
      if (part === '' || part === '.') continue;
      if (part !== '..') parts.push(part);
      else if (parts.pop() === undefined)
        throw new SandboxError('path_escape', `"${path}" is outside the workspace`, { path });
    }
    return parts.join('/');
  };
  const isDirectory = (path: string) => path === '' || [...files.keys()].some((name) => name.startsWith(`${path}/`));
  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    await new Promise((done) => setImmediate(done));
    if (signal?.aborted === true) throw new SandboxError('aborted', 'The call was aborted');
  };
  const stat = (path: string): FileStat | null => {
    const file = files.get(path);
    if (file === undefined)
      return isDirectory(path) ? { type: 'directory', size: 0, mode: 0o755, mtimeMs: 0, version: 'd' } : null;
    return { type: 'file', size: file.bytes.length, mode: file.mode, mtimeMs: 0, version: String(file.version) };
  };
  const walk = (root: string, ignored: readonly string[]): { paths: string[]; skipped: number } => {
    if (stat(root) === null) throw new SandboxError('not_found', `"${root}" does not exist`, { path: root });
    const below = [...files.keys()]
      .filter((name) => root === '' || name === root || name.startsWith(`${root}/`))
      .sort();
    const paths = below.filter((name) => !name.split('/').some((part) => ignored.includes(part)));
    const skipped = new Set(below.flatMap((name) => name.split('/').filter((part) => ignored.includes(part))));
    return { paths, skipped: skipped.size };
  };

  const fs: SandboxFiles = {
    readFile: async (path, options = {}) => {
      await turn(options.signal);
      const name = resolve(path);
      const file = files.get(name);
      if (file === undefined && isDirectory(name))
        throw new SandboxError('is_directory', `"${path}" is a directory`, { path });
      if (file !== undefined && file.bytes.length > (options.maxBytes ?? Number.POSITIVE_INFINITY)) {
        throw new SandboxError('file_too_large', `"${path}" is over ${options.maxBytes} bytes`, { path });
      }
      return file?.bytes ?? null;
    },
    writeFile: async (path, data, options = {}) => {
      await turn(options.signal);
      const name = resolve(path);
      sandbox.beforeWrite?.(name);
      if (isDirectory(name)) throw new SandboxError('is_directory', `"${path}" is a directory`, { path });
      const now = files.get(name);
      const expected = options.ifVersion;
      if (expected !== undefined && expected !== (now === undefined ? null : String(now.version))) {
        throw new SandboxError('stale_file', `"${path}" changed`, { path });
      }
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data.slice();
      store(name, bytes, options.mode ?? now?.mode ?? 0o644);
    },
    stat: async (path, options = {}) => {
      await turn(options.signal);
      return stat(resolve(path));
    },
    list: async (path, options = {}) => {
      await turn(options.signal);
      const name = resolve(path);
      if (files.has(name)) throw new SandboxError('not_directory', `"${path}" is a file`, { path });
      if (!isDirectory(name)) return null;
      const prefix = name === '' ? '' : `${name}/`;
      const names = [...files.keys()]
        .filter((file) => file.startsWith(prefix))
        .map((file) => file.slice(prefix.length).split('/')[0] ?? '');
      return [...new Set(names)].sort().map((entry) => {
        const found = stat(prefix + entry);
        return { name: entry, type: found?.type ?? 'other', size: found?.size ?? 0 };
      });
    },
    mkdir: async () => undefined,
    remove: async (path) => files.delete(resolve(path)),
    rename: async () => undefined,
    glob: async (patterns, options = {}) => {
      const root = resolve(options.cwd ?? '.');
      const { paths, skipped } = walk(root, options.ignoreDirectories ?? ['.git', 'node_modules']);
      const matches = picomatch([...(typeof patterns === 'string' ? [patterns] : patterns)], { dot: true });
      const relative = paths.map((path) => (root === '' ? path : path.slice(root.length + 1)));
      const found = relative.filter((path) => matches(path));
      const max = options.maxResults ?? 200;
      return {
        paths: found.slice(0, max),
        resultsLimited: found.length > max,
        walkLimited: paths.length > (options.maxWalked ?? 20_000),
        filesWalked: paths.length,
        ignoredDirectories: skipped,
        unreadable: 0,
      };
    },
    grep: async (pattern, options = {}) => {
      const root = resolve(options.path ?? '.');
      const source = options.literal === true ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern;
      let expression: RegExp;
      try {
        expression = new RegExp(source, options.ignoreCase === true ? 'i' : '');
      } catch {
        throw new SandboxError('bad_pattern', `"${pattern}" is not a regular expression`);
      }
      const { paths, skipped } = walk(root, options.ignoreDirectories ?? ['.git', 'node_modules']);
      const chosen = options.globs === undefined ? () => true : picomatch([...options.globs]);
      const searched = paths.filter((path) => chosen(root === '' ? path : path.slice(root.length + 1)));
      const texts = searched.map((path) => ({ path, text: sandbox.text(path) ?? '' }));
      const readable = texts.filter(({ text }) => !text.includes('\0'));
      const matches = readable.flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) => (expression.test(line) ? [{ path, line: index + 1, text: line }] : [])),
      );
      const max = options.maxResults ?? 200;
      return {
        matches: matches.slice(0, max),
        files: new Set(matches.map(({ path }) => path)).size,
        binaryFiles: texts.length - readable.length,
        largeFiles: 0,
        resultsLimited: matches.length > max,
        walkLimited: false,
        filesWalked: searched.length,
        ignoredDirectories: skipped,
        unreadable: 0,
      };
    },
  };

  const sandbox: MemorySandbox = {
    name: 'memory',
    id: `memory-${sandboxes}`,
    description: 'Files in memory',
    cwd: '/workspace',
    capabilities: {
      isolation: 'none',
      shell: 'sh',
      network: 'none',
      workspaceMode: 'memory',
      backgroundProcesses: false,
      signals: false,
      fileModes: false,
      specialFiles: false,
      writableStdin: false,
      evaluate: false,
      snapshots: false,
      users: false,
      limits: {
        timeoutMs: true,
        memoryBytes: false,
        maxProcesses: false,
        maxDiskBytes: false,
        maxDiskEntries: false,
        maxOutputBytes: false,
      },
    },
    fs,
    executed,
    run: async () => ({ stdout: '', stderr: '', exitCode: 0 }),
    writeFile: (path, content) => fs.writeFile(path, content),
    exec: async (command, options = {}) => {
      executed.push({ command, options });
      const { cause } = answer;
      return {
        stdout: '',
        stderr: '',
        exitCode: 0,
        durationMs: 1,
        timedOut: cause === 'timeout',
        aborted: cause === 'aborted',
        ...answer,
      };
    },
    spawn: async () => {
      throw new SandboxError('unsupported', 'No background processes');
    },
    put: (path, content, mode = 0o644) =>
      store(path, typeof content === 'string' ? new TextEncoder().encode(content) : content, mode),
    bytes: (path) => {
      const file = files.get(path);
      return file && [...file.bytes];
    },
    text: (path) => {
      const file = files.get(path);
      return file && new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes);
    },
    mode: (path) => files.get(path)?.mode,
  };
  return sandbox;
}
