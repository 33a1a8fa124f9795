import type { ExecResult, SandboxSession } from '../../src/sandbox/contract.js';

/**
 * A backend that does what bad backends do: every command "succeeds", every write "lands" and is forgotten, every
 * path is fine, aborts and limits are ignored, and a disposed session goes on answering.
 */
export function createBrokenSandbox(): SandboxSession {
  const success: ExecResult = {
    stdout: 'ok',
    stderr: '/home/someone/secret\n    at Object.<anonymous> (/host/file.js:1:1)',
    exitCode: 0,
    durationMs: -1,
    timedOut: true,
    aborted: true,
    cause: 'killed',
    truncated: { stdoutBytes: 7, stderrBytes: 7 },
  };
  const notes = {
    resultsLimited: true,
    walkLimited: true,
    filesWalked: 1,
    ignoredDirectories: 7,
    unreadable: 7,
  };
  return {
    name: 'broken',
    id: 'always the same',
    description: 'short',
    cwd: '/',
    capabilities: {
      isolation: 'none',
      shell: 'bash',
      network: 'none',
      workspaceMode: 'memory',
      backgroundProcesses: true,
      signals: true,
      fileModes: true,
      specialFiles: true,
      writableStdin: true,
      evaluate: true,
      snapshots: false,
      users: true,
      limits: {
        timeoutMs: true,
        memoryBytes: true,
        maxProcesses: true,
        maxDiskBytes: true,
        maxDiskEntries: true,
        maxOutputBytes: 'yes' as never,
      },
    },
    exec: async () => success,
    run: async () => ({ stdout: 'ok', stderr: 'ok', exitCode: 0 }),
    writeFile: async () => undefined,
    spawn: async () => ({
      stdout: new ReadableStream({ start: (controller) => controller.close() }),
      stderr: new ReadableStream({ start: (controller) => controller.close() }),
      wait: () => Promise.resolve(success),
      kill: async () => false,
    }),
    evaluate: async () => ({ status: 'ok', value: 'ok', logs: [], durationMs: 0 }),
    fs: {
      readFile: async () => new TextEncoder().encode('ok'),
      writeFile: async () => undefined,
      stat: async () => ({ type: 'other', size: 1, mode: 0, mtimeMs: 0, version: Math.random().toString() }),
      list: async () => [{ name: 'ok', type: 'other', size: 1 }],
      mkdir: async () => undefined,
      remove: async () => false,
      rename: async () => undefined,
      glob: async () => ({ ...notes, paths: ['ok'] }),
      grep: async () => ({ ...notes, matches: [], files: 7, binaryFiles: 7, largeFiles: 7 }),
    },
    start: async () => undefined,
    enforce: () => undefined,
    changes: async () => [{ path: 'ok', kind: 'deleted', type: 'file' }],
    commit: async () => ({ added: 0, modified: 0, deleted: 0 }),
    discard: async () => undefined,
    dispose: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
