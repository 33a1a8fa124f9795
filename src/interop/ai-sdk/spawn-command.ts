import type { ExecOptions, Sandbox } from '../../sandbox/contract.js';
import { SandboxError } from '../../sandbox/errors.js';
import { MAX_TIMEOUT_MS } from '../../sandbox/limits.js';
import { exitCodeOf } from './run-command.js';
import type { AiSdkCommandOptions, AiSdkProcess, AiSdkWritableProcess } from './sandbox-types.js';

/**
 * Starts a shell command and streams its output. Without `stdin` every backend can: one that has no long-lived
 * processes runs it as a command whose output is streamed.
 * @throws SandboxError `unsupported` for `stdin: true` where the backend has none; nothing was started then
 */
export async function spawnCommand(
  sandbox: Sandbox,
  command: AiSdkCommandOptions & { stdin?: boolean },
  { timeoutMs = MAX_TIMEOUT_MS }: { timeoutMs?: number },
): Promise<AiSdkProcess | AiSdkWritableProcess> {
  const { workingDirectory, env, abortSignal } = command;
  abortSignal?.throwIfAborted();
  const options: ExecOptions = {
    timeoutMs,
    ...(workingDirectory === undefined ? {} : { cwd: workingDirectory }),
    ...(env === undefined ? {} : { env }),
  };
  if (command.stdin === true) return spawnWritable(sandbox, command, options);
  return execStreaming(sandbox, command, options);
}

async function spawnWritable(
  sandbox: Sandbox,
  { command, abortSignal }: AiSdkCommandOptions,
  options: ExecOptions,
): Promise<AiSdkWritableProcess> {
  // A sandbox that starts with its first use tells what it can only then.
  await sandbox.fs.stat('.');
  const { backgroundProcesses, writableStdin, shell } = sandbox.capabilities;
  if (!backgroundProcesses || !writableStdin) {
    throw new SandboxError(
      'unsupported',
      `The sandbox '${sandbox.name}' cannot keep a command's input open: put the input into a file, or use a sandbox with writableStdin`,
    );
  }
  const signal = abortSignal === undefined ? {} : { signal: abortSignal };
  const process = await sandbox.spawn(shell === 'bash' ? 'bash' : 'sh', ['-c', command], { ...options, ...signal });
  const { pid, stdout, stderr, stdin } = process;
  if (stdin === undefined) {
    await process.kill();
    throw new SandboxError('unsupported', `The sandbox '${sandbox.name}' gave the command no input`);
  }
  return {
    ...(pid === undefined ? {} : { pid }),
    stdout,
    stderr,
    stdin,
    wait: async () => {
      const result = await process.wait();
      if (result.aborted) abortSignal?.throwIfAborted();
      return { exitCode: exitCodeOf(result) };
    },
    kill: async () => {
      await process.kill();
    },
  };
}

function execStreaming(
  sandbox: Sandbox,
  { command, abortSignal }: AiSdkCommandOptions,
  options: ExecOptions,
): AiSdkProcess {
  const killing = new AbortController();
  const stdout = new OutputStream();
  const stderr = new OutputStream();
  const signal = abortSignal === undefined ? killing.signal : AbortSignal.any([abortSignal, killing.signal]);
  const running = sandbox
    .exec(command, {
      ...options,
      signal,
      onOutput: ({ stream, data }) => (stream === 'stdout' ? stdout : stderr).push(data),
    })
    .then((result) => {
      for (const stream of [stdout, stderr]) stream.end();
      return result;
    })
    .catch((error: unknown) => {
      for (const stream of [stdout, stderr]) stream.fail(error);
      throw error;
    });
  // Whoever wants to know asks `wait`.
  running.catch(() => {});
  return {
    stdout: stdout.readable,
    stderr: stderr.readable,
    wait: async () => {
      const result = await running;
      if (result.aborted) abortSignal?.throwIfAborted();
      return { exitCode: exitCodeOf(result) };
    },
    kill: async () => {
      killing.abort();
      await running.catch(() => {});
    },
  };
}

/** One stream of a command; what is pushed after its reader left is dropped. */
class OutputStream {
  readonly readable: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#controller = undefined;
      },
    });
  }

  push(data: Uint8Array): void {
    this.#controller?.enqueue(data.slice());
  }

  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  fail(error: unknown): void {
    this.#controller?.error(error);
    this.#controller = undefined;
  }
}
