import { randomUUID } from 'node:crypto';
import { bytes, text, texts } from '../checks/kinds.js';
import { requireArgument, requireOptions } from './call-arguments.js';
import type {
  ExecCause,
  ExecOptions,
  ExecResult,
  Sandbox,
  SandboxAdapter,
  SandboxCapabilities,
  SandboxFiles,
} from './contract.js';
import { SandboxError } from './errors.js';
import { checkExecOptions } from './exec-request.js';
import { createExecResult } from './exec-result.js';
import { WRITE_OPTIONS } from './session-files.js';

/** What may be assumed of an adapter that says nothing of itself. */
const CAPABILITIES: SandboxCapabilities = {
  isolation: 'none',
  shell: 'sh',
  network: 'full',
  workspaceMode: 'direct',
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
};

const UNSUPPORTED_OPTIONS = ['stdin', 'limits', 'onOutput'] as const;

/**
 * Gives an adapter with Lousho's three members the rest of a `Sandbox`: `exec` runs `sh -c`, `fs.writeFile` writes
 * text. Everything else is refused with `unsupported`, never done in another way.
 */
export function adaptSandbox(adapter: SandboxAdapter): Sandbox {
  return {
    name: adapter.name,
    id: `${adapter.name}-${randomUUID()}`,
    description: `Commands run with sh in the sandbox '${adapter.name}', which tells nothing more about itself.`,
    cwd: '/workspace',
    capabilities: CAPABILITIES,
    fs: adaptFiles(adapter),
    async run(cmd, args, opts) {
      requireArgument('run()', 'cmd', cmd, text);
      requireArgument('run()', 'args', args, texts);
      checkExecOptions('run()', opts);
      return await adapter.run(cmd, args, opts);
    },
    async writeFile(path, content) {
      requireArgument('writeFile()', 'path', path, text);
      requireArgument('writeFile()', 'content', content, text);
      await adapter.writeFile(path, content);
    },
    exec: (command, opts = {}) => execute(adapter, command, opts),
    spawn: () => unsupported(adapter, 'start long-lived processes'),
  };
}

function adaptFiles(adapter: SandboxAdapter): SandboxFiles {
  return {
    async writeFile(path, data, opts = {}) {
      requireArgument('fs.writeFile()', 'path', path, text);
      requireArgument('fs.writeFile()', 'data', data, bytes);
      requireOptions('fs.writeFile()', opts, WRITE_OPTIONS);
      if (opts.mode !== undefined || opts.ifVersion !== undefined)
        await unsupported(adapter, 'set modes or compare versions');
      await adapter.writeFile(path, typeof data === 'string' ? data : decodeText(adapter, path, data));
    },
    readFile: () => unsupported(adapter, 'read files'),
    stat: () => unsupported(adapter, 'look at files'),
    list: () => unsupported(adapter, 'list directories'),
    mkdir: () => unsupported(adapter, 'make directories'),
    remove: () => unsupported(adapter, 'remove files'),
    rename: () => unsupported(adapter, 'rename files'),
    glob: () => unsupported(adapter, 'search for files'),
    grep: () => unsupported(adapter, 'search in files'),
  };
}

/** Lousho's form rejects on timeout and abort; this one resolves with what is known. */
async function execute(adapter: SandboxAdapter, command: string, opts: ExecOptions): Promise<ExecResult> {
  requireArgument('exec()', 'command', command, text);
  checkExecOptions('exec()', opts);
  for (const name of UNSUPPORTED_OPTIONS) {
    if (opts[name] !== undefined) await unsupported(adapter, `take '${name}'`);
  }
  const started = performance.now();
  if (opts.signal?.aborted === true) return ended('aborted', started);
  try {
    const { stdout, stderr, exitCode } = await adapter.run('sh', ['-c', command], opts);
    return createExecResult({
      stdout: encode(stdout),
      stderr: encode(stderr),
      exitCode,
      durationMs: performance.now() - started,
    });
  } catch (error) {
    const cause = causeOf(error, opts.signal);
    if (cause === undefined) throw error;
    return ended(cause, started, error as { stdout?: unknown; stderr?: unknown });
  }
}

function ended(cause: ExecCause, started: number, partial: { stdout?: unknown; stderr?: unknown } = {}): ExecResult {
  return createExecResult({
    stdout: encode(partial.stdout),
    stderr: encode(partial.stderr),
    exitCode: null,
    cause,
    killed: 'unverified',
    durationMs: performance.now() - started,
  });
}

/** Adapters in the wild tell a timeout only by its message. */
function causeOf(error: unknown, signal: AbortSignal | undefined): ExecCause | undefined {
  const { name, code, message } = (error ?? {}) as { name?: unknown; code?: unknown; message?: unknown };
  if (code === 'timeout' || name === 'TimeoutError' || (typeof message === 'string' && /timed out/i.test(message)))
    return 'timeout';
  return name === 'AbortError' || code === 'aborted' || signal?.aborted === true ? 'aborted' : undefined;
}

function encode(output: unknown): Uint8Array {
  return Buffer.from(typeof output === 'string' ? output : '', 'utf8');
}

function decodeText(adapter: SandboxAdapter, path: string, data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new SandboxError('encoding', `Cannot write '${path}': the sandbox '${adapter.name}' writes UTF-8 text only`, {
      path,
    });
  }
}

async function unsupported(adapter: SandboxAdapter, what: string): Promise<never> {
  throw new SandboxError(
    'unsupported',
    `The sandbox '${adapter.name}' cannot ${what}: it is a bare adapter with run() and writeFile(). Use another sandbox, or do it with a command`,
  );
}
