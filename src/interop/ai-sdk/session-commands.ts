import type { ExecCause, ExecOptions, ExecResult, SandboxProcess } from '../../sandbox/contract.js';
import { SandboxError } from '../../sandbox/errors.js';
import { createExecResult } from '../../sandbox/exec-result.js';
import { DEFAULT_LIMITS, MAX_TIMEOUT_MS } from '../../sandbox/limits.js';
import type { AiSdkCommandOptions, AiSdkProcess, AnyAiSdkSandboxSession } from './sandbox-types.js';
import { sessionPath } from './session-path.js';

/** Runs a command to its end; a timeout, which sessions do not have, is an abort of ours. */
export async function execThroughSession(
  session: AnyAiSdkSandboxSession,
  command: string,
  opts: ExecOptions,
): Promise<ExecResult> {
  const started = performance.now();
  const ending = endingOf(opts);
  const finish = (end: Partial<Collected> & { exitCode: number | null; cause?: ExecCause }): ExecResult =>
    createExecResult({
      stdout: Buffer.concat(end.stdout ?? []),
      stderr: Buffer.concat(end.stderr ?? []),
      exitCode: end.exitCode,
      durationMs: performance.now() - started,
      ...(end.cause === undefined ? {} : { cause: end.cause, killed: 'unverified' as const }),
    });
  if (opts.signal?.aborted === true) return finish({ exitCode: null, cause: 'aborted' });
  const collected: Collected = { stdout: [], stderr: [] };
  try {
    const options = commandOptions(command, opts, ending.signal);
    const exitCode = await (opts.stdin === undefined && opts.onOutput === undefined
      ? runWhole(session, options, collected)
      : runStreaming(session, options, { opts, collected }));
    return finish({ ...collected, exitCode });
  } catch (error) {
    const cause = ending.cause();
    if (cause === undefined) throw error;
    return finish({ ...collected, exitCode: null, cause });
  } finally {
    ending.clear();
  }
}

/** Starts a long-lived command. @throws SandboxError `unsupported` where the session cannot */
export async function spawnThroughSession(
  session: AnyAiSdkSandboxSession,
  command: string,
  opts: ExecOptions,
): Promise<SandboxProcess> {
  if (session.spawn === undefined) return unsupported('start long-lived commands');
  const started = performance.now();
  const ending = endingOf(opts);
  const process = await startProcess(session, { ...commandOptions(command, opts, ending.signal), stdin: true });
  const stdin = 'stdin' in process ? (process.stdin as WritableStream<Uint8Array>) : undefined;
  const end = (exitCode: number | null, cause?: ExecCause) =>
    createExecResult({
      stdout: new Uint8Array(),
      stderr: new Uint8Array(),
      exitCode,
      durationMs: performance.now() - started,
      ...(cause === undefined ? {} : { cause, killed: 'unverified' as const }),
    });
  let isOver = false;
  const ended = Promise.resolve(process.wait())
    .then(
      ({ exitCode }) => end(exitCode),
      (error: unknown) => {
        const cause = ending.cause();
        if (cause === undefined) throw error;
        return end(null, cause);
      },
    )
    .finally(() => {
      isOver = true;
      ending.clear();
    });
  ended.catch(() => {});
  return {
    ...(process.pid === undefined ? {} : { pid: process.pid }),
    stdout: process.stdout,
    stderr: process.stderr,
    ...(stdin === undefined ? {} : { stdin }),
    wait: () => ended,
    async kill() {
      const wasRunning = !isOver;
      await process.kill();
      return wasRunning;
    },
  };
}

interface Collected {
  stdout: Uint8Array[];
  stderr: Uint8Array[];
}

async function runWhole(
  session: AnyAiSdkSandboxSession,
  options: AiSdkCommandOptions,
  collected: Collected,
): Promise<number> {
  const { exitCode, stdout, stderr } = await session.run(options);
  collected.stdout.push(Buffer.from(stdout));
  collected.stderr.push(Buffer.from(stderr));
  return exitCode;
}

async function runStreaming(
  session: AnyAiSdkSandboxSession,
  options: AiSdkCommandOptions,
  { opts, collected }: { opts: ExecOptions; collected: Collected },
): Promise<number> {
  if (session.spawn === undefined) return unsupported('stream output or take input');
  const process = await startProcess(session, { ...options, ...(opts.stdin === undefined ? {} : { stdin: true }) });
  await Promise.all([
    feed(process, opts.stdin),
    ...(['stdout', 'stderr'] as const).map(async (stream) => {
      for await (const data of process[stream]) {
        collected[stream].push(data);
        opts.onOutput?.({ stream, data });
      }
    }),
  ]);
  return (await process.wait()).exitCode;
}

async function startProcess(
  session: AnyAiSdkSandboxSession,
  options: AiSdkCommandOptions & { stdin?: boolean },
): Promise<AiSdkProcess & { stdin?: WritableStream<Uint8Array> }> {
  if (session.spawn === undefined) return unsupported('start long-lived commands');
  return session.spawn(options);
}

async function feed(process: { stdin?: WritableStream<Uint8Array> }, stdin: ExecOptions['stdin']): Promise<void> {
  if (stdin === undefined || process.stdin === undefined) return;
  const writer = process.stdin.getWriter();
  try {
    await writer.write(typeof stdin === 'string' ? Buffer.from(stdin) : stdin);
    await writer.close();
  } catch {
    // The command may end without reading its input.
  }
}

function commandOptions(command: string, { cwd, env }: ExecOptions, signal: AbortSignal): AiSdkCommandOptions {
  const workingDirectory = cwd === undefined ? undefined : sessionPath(cwd);
  return {
    command,
    abortSignal: signal,
    ...(workingDirectory === undefined || workingDirectory === '.' ? {} : { workingDirectory }),
    ...(env === undefined ? {} : { env }),
  };
}

/** What ends a command from outside: the caller, or its time. @throws SandboxError `invalid_input`, `unsupported` */
function endingOf({ signal, timeoutMs = DEFAULT_LIMITS.timeoutMs, limits }: ExecOptions) {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS) {
    const problem = `timeoutMs must be an integer from 1 to ${MAX_TIMEOUT_MS}, not ${timeoutMs}`;
    throw new SandboxError('invalid_input', problem);
  }
  if (limits !== undefined) {
    throw new SandboxError('unsupported', "This AI SDK sandbox cannot take 'limits': leave them out");
  }
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new DOMException('The command timed out', 'TimeoutError')), timeoutMs);
  return {
    signal: signal === undefined ? time.signal : AbortSignal.any([signal, time.signal]),
    cause: (): ExecCause | undefined =>
      signal?.aborted === true ? 'aborted' : time.signal.aborted ? 'timeout' : undefined,
    clear: () => clearTimeout(timer),
  };
}

async function unsupported(what: string): Promise<never> {
  throw new SandboxError('unsupported', `This AI SDK sandbox cannot ${what}: its session has no 'spawn'`);
}
