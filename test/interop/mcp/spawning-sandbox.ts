import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { adaptSandbox } from '../../../src/sandbox/adapted-sandbox.js';
import type { ExecResult, Sandbox, SandboxProcess } from '../../../src/sandbox/contract.js';
import { SandboxError } from '../../../src/sandbox/errors.js';
import { createExecResult } from '../../../src/sandbox/exec-result.js';

export interface SpawningSandbox extends Sandbox {
  /** The command lines that were started in it. */
  readonly spawned: string[][];
  running(): number;
}

/** A sandbox that keeps the contract of `spawn()` with processes of this machine. It isolates nothing. */
export function spawningSandbox({ unsupported = false } = {}): SpawningSandbox {
  const adapted = adaptSandbox({
    name: 'spawning',
    run: async () => ({ stdout: '', stderr: '', exitCode: 0 }),
    writeFile: async () => {},
  });
  const spawned: string[][] = [];
  const children = new Set<ChildProcessWithoutNullStreams>();
  return {
    ...adapted,
    spawned,
    running: () => children.size,
    spawn: async (cmd, args) => {
      if (unsupported) throw new SandboxError('unsupported', 'This sandbox has no long-lived programs');
      spawned.push([cmd, ...args]);
      const child = spawn(cmd, args, { stdio: ['pipe', 'pipe', 'pipe'] });
      children.add(child);
      child.once('exit', () => children.delete(child));
      return toSandboxProcess(child);
    },
  };
}

function toSandboxProcess(child: ChildProcessWithoutNullStreams): SandboxProcess {
  const { promise, resolve } = Promise.withResolvers<ExecResult>();
  const none = new Uint8Array();
  child.once('exit', (exitCode) => resolve(createExecResult({ stdout: none, stderr: none, exitCode, durationMs: 1 })));
  return {
    stdout: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    stderr: Readable.toWeb(child.stderr) as ReadableStream<Uint8Array>,
    stdin: Writable.toWeb(child.stdin),
    wait: () => promise,
    kill: async (signal = 'SIGTERM') => child.kill(signal),
  };
}
