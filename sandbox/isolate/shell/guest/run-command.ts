import { Bash, type BashExecResult, type BashOptions, getCommandNames } from 'just-bash/browser';
import type { CommandRule } from '../../../protocol/plan.js';
import type { ShellCommand, ShellResult } from '../bridge.js';
import { GuestAbortSignal } from './abort-signal.js';
import { gateCommands } from './argv-gate.js';
import { COMMAND_OVERRIDES, REMOVED_COMMANDS } from './commands/overrides.js';
import { host } from './connection.js';
import { forgetMeasured } from './encoding.js';
import { forgetFailures } from './file-error.js';
import { GuestFiles } from './guest-files.js';
import { beginDenied, beginLiveOutput } from './interpreter-hooks.js';
import { beginUninterrupted, stopNow, wasInterrupted } from './interruption.js';
import { SHELL_LIMITS } from './limits.js';
import { StaticTree } from './static-tree.js';
import { clearAllGuestTimers } from './timers.js';

const names = [
  ...getCommandNames().filter((name) => !REMOVED_COMMANDS.has(name)),
  ...COMMAND_OVERRIDES.map(({ name }) => name),
];
const available = [...new Set(names)].sort();
const files = new GuestFiles(new StaticTree(available));

let signal = new GuestAbortSignal();

export function commandNames(): string[] {
  return available;
}

/** Ends what waits: `sleep`, `timeout`. */
export function interruptCommand(): void {
  stopNow();
  signal.fire();
}

/** Runs one command in a shell of its own and tells the worker how it ended. Never rejects. */
export async function runCommand(command: ShellCommand): Promise<void> {
  beginUninterrupted();
  forgetFailures();
  signal = new GuestAbortSignal();
  const live = beginLiveOutput();
  const result = await attempt(command);
  clearAllGuestTimers();
  forgetMeasured();
  const interrupted = wasInterrupted();
  const stdout = live.restOf('stdout', result.stdout);
  const stderr = live.restOf('stderr', result.stderr);
  // An interrupted command has lost some of what it told; what it told stands.
  const replace = !interrupted && (stdout === undefined || stderr === undefined);
  const ended: ShellResult = { exitCode: result.exitCode, interrupted, replace };
  const rest = interrupted
    ? [stdout ?? '', '']
    : replace
      ? [result.stdout, result.stderr]
      : [stdout ?? '', stderr ?? ''];
  host().done(JSON.stringify(ended), rest[0] ?? '', rest[1] ?? '');
}

/** Every command, registered once; a shell only reads it. */
const registry = new Bash({
  fs: files,
  commands: available as NonNullable<BashOptions['commands']>,
  customCommands: [...COMMAND_OVERRIDES],
  defenseInDepth: false,
});

/** A shell that nobody used before: what a command sets in it ends with it. */
function createShell(cwd: string, env: Record<string, string>, denied: readonly CommandRule[]): Bash {
  const shell = new Bash({
    fs: files,
    cwd,
    env,
    commands: [],
    executionLimits: SHELL_LIMITS,
    // It guards a host's globals; here is none, and the isolate is the wall.
    defenseInDepth: false,
    processInfo: { pid: 2, ppid: 1, uid: 1000, gid: 1000 },
  });
  // Registering ninety commands takes as long as running one.
  const { commands } = registry as unknown as Registered;
  (shell as unknown as Registered).commands = gateCommands(commands, denied);
  return shell;
}

interface Registered {
  commands: ReadonlyMap<string, unknown>;
}

async function attempt({ command, argv, cwd, env, stdin, denied = [] }: ShellCommand): Promise<BashExecResult> {
  beginDenied(denied);
  const bash = createShell(cwd, env, denied);
  const options = { stdin, stdinKind: 'bytes', rawScript: true, signal: signal as unknown as AbortSignal } as const;
  try {
    if (argv === undefined) return await bash.exec(command ?? '', options);
    const script = scriptOf(argv, denied);
    if (script !== undefined) return await bash.exec(script, options);
    const [program = '', ...args] = argv;
    return await bash.exec(quoted(program), { ...options, args });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { stdout: '', stderr: `bash: ${message}\n`, exitCode: 1, env: {} };
  }
}

const SHELL = /^(?:\/bin\/|\/usr\/bin\/)?(?:ba)?sh$/;

/**
 * The script of a call that only runs one: run by this shell itself, it tells its output as it comes. Where rules speak
 * of shells, the call has to pass their gate instead.
 */
function scriptOf([program = '', flag, script, ...more]: string[], denied: readonly CommandRule[]): string | undefined {
  if (denied.some((rule) => SHELL.test(rule.program))) return undefined;
  return flag === '-c' && more.length === 0 && SHELL.test(program) ? script : undefined;
}

/** One word of the shell's language, whatever it holds. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
