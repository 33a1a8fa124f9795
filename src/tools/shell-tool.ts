import { z } from 'zod';
import { flag, object, text, whole } from '../checks/kinds.js';
import { checkOptions, shapeOf } from '../checks/options.js';
import type { ExecCause, ExecResult, Sandbox, SandboxCapabilities } from '../sandbox/contract.js';
import { SandboxAbortError, SandboxError } from '../sandbox/errors.js';
import { DEFAULT_LIMITS, MAX_TIMEOUT_MS, MODEL_OUTPUT_CHARACTERS } from '../sandbox/limits.js';
import { keepSecrets } from '../sandbox/session-secrets.js';
import type { ToolExecutionContext } from '../tool/context.js';
import { defineTool } from '../tool/define-tool.js';
import { signalOf } from './call-options.js';
import { refuseOnHost } from './host-refusal.js';
import { explainResult } from './shell/explain-result.js';
import { shortenOutput } from './shell/shorten-output.js';

/** Bytes of one command line. */
export const MAX_COMMAND_BYTES = 64 * 1024;

export interface ShellToolOptions {
  /** Whether a call waits for a person. Default false: the sandbox is the boundary, an `ask` rule asks. */
  needsApproval?: boolean;
  /** Milliseconds a command may take when the model does not say. Default 120,000. */
  timeoutMs?: number;
  /** Characters of each stream in the answer. Default 30,000. */
  maxOutputCharacters?: number;
  /** Added to the sandbox's own small environment in every call. */
  env?: Record<string, string>;
  /** Said to the model of the place where commands run, for example a sandbox's `description`. */
  environment?: string;
}

/** What `shell` answers. A non-zero exit code and a timeout are answers, not errors. */
export interface ShellResult {
  /** `null` when the command did not end by itself; `cause` then says why. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  signal?: string;
  cause?: ExecCause;
  timedOut?: true;
  aborted?: true;
  /** What the result means and what to do, when that is not plain. */
  note?: string;
  durationMs: number;
}

/**
 * Makes `shell`: runs a command line in the sandbox's workspace.
 * @throws TypeError for an unknown option or a value that cannot be
 */
export function createShellTool(options: ShellToolOptions = {}) {
  const settings = readOptions(options);
  const tool = defineTool({
    name: 'shell',
    description: describe(settings, options.environment),
    input: inputOf(settings),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    needsApproval: options.needsApproval ?? false,
    requiresSandbox: true,
    execute: refuseOnHost('shell'),
    sandboxExecute: (args: ShellInput, sandbox: Sandbox, context?: ToolExecutionContext) =>
      runCommand(args, sandbox, { settings, ...(context && { context }) }),
  });
  if (settings.env !== undefined) keepSecrets(tool, settings.env);
  return tool;
}

interface Settings {
  timeoutMs: number;
  maxOutputCharacters: number;
  env?: Record<string, string>;
}

type ShellInput = z.infer<ReturnType<typeof inputOf>>;

const OPTIONS = shapeOf<ShellToolOptions>({
  needsApproval: flag,
  timeoutMs: whole(1, MAX_TIMEOUT_MS),
  maxOutputCharacters: whole(100),
  env: object,
  environment: text,
});

function readOptions(options: ShellToolOptions): Settings {
  checkOptions('createShellTool', options, OPTIONS);
  const { timeoutMs = DEFAULT_LIMITS.timeoutMs, maxOutputCharacters = MODEL_OUTPUT_CHARACTERS, env } = options;
  return { timeoutMs, maxOutputCharacters, ...(env && { env }) };
}

function describe(settings: Settings, environment: string | undefined): string {
  return [
    'Runs a shell command line in the sandbox, in the workspace directory. Every call starts clean: only files carry over, not cd, variables or functions.',
    `There is no input (stdin is at its end) and no terminal. Each stream is cut in the middle at ${settings.maxOutputCharacters} characters; ` +
      `the time limit is ${settings.timeoutMs / 1000} s unless timeout_ms says otherwise.`,
    ...(environment === undefined ? [] : [environment]),
  ].join(' ');
}

function inputOf(settings: Settings) {
  return z.strictObject({
    command: z.string().min(1).describe('The command line'),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe('Directory to run in, relative to the workspace or absolute. Default: the workspace'),
    timeout_ms: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_MS)
      .optional()
      .describe(
        `Milliseconds after which the command is stopped. Default ${settings.timeoutMs}, at most ${MAX_TIMEOUT_MS}`,
      ),
  });
}

async function runCommand(
  args: ShellInput,
  sandbox: Sandbox,
  call: { settings: Settings; context?: ToolExecutionContext },
): Promise<ShellResult> {
  const { settings, context } = call;
  refuseLongCommand(args.command);
  const timeoutMs = args.timeout_ms ?? settings.timeoutMs;
  const result = await sandbox.exec(args.command, {
    timeoutMs,
    ...(args.cwd !== undefined && { cwd: args.cwd }),
    ...(settings.env && { env: settings.env }),
    ...signalOf(context),
  });
  // The host answers an aborted call as a failure; whoever aborted is not waiting for a result.
  if (result.aborted && context?.abortSignal?.aborted === true)
    throw new SandboxAbortError('The call was aborted', result);
  const { capabilities } = sandbox;
  return answer(result, { command: args.command, timeoutMs, capabilities, limit: settings.maxOutputCharacters });
}

function refuseLongCommand(command: string): void {
  const bytes = Buffer.byteLength(command);
  if (bytes <= MAX_COMMAND_BYTES) return;
  throw new SandboxError(
    'command_too_long',
    `Cannot run a command of ${bytes} bytes: at most ${MAX_COMMAND_BYTES} fit; write it to a file with write_file and run "bash file"`,
  );
}

function answer(
  result: ExecResult,
  call: { command: string; timeoutMs: number; capabilities: SandboxCapabilities; limit: number },
): ShellResult {
  const favourEnd = result.exitCode !== 0;
  const notes = explainResult(result, call);
  const shorten = (stream: 'stdout' | 'stderr'): string => {
    const droppedBytes = result.truncated?.[`${stream}Bytes`] ?? 0;
    const text = shortenOutput(result[stream], { limit: call.limit, favourEnd, droppedBytes });
    if (droppedBytes > 0 && text === result[stream])
      notes.push(`${droppedBytes} bytes were dropped from the middle of ${stream}`);
    return text;
  };
  const stdout = shorten('stdout');
  const stderr = shorten('stderr');
  return {
    exitCode: result.exitCode,
    stdout,
    stderr,
    ...(result.signal !== undefined && { signal: result.signal }),
    ...(result.cause !== undefined && { cause: result.cause }),
    ...(result.timedOut && { timedOut: true }),
    ...(result.aborted && { aborted: true }),
    ...(notes.length > 0 && { note: notes.join('. ') }),
    durationMs: result.durationMs,
  };
}
