import { Command, CommanderError } from 'commander';
import { PolicyError } from '../permissions/rules/policy-error.js';
import { isSandboxError } from '../sandbox/errors.js';
import { EXIT, EXIT_CODE_HELP } from './exit-code.js';
import { noteColor } from './terminal/color.js';
import { escapeTerminal } from './terminal/escape.js';
import { printNote, tolerateClosedPipes } from './terminal/print.js';
import { UsageError } from './usage-error.js';
import { packageVersion } from './version.js';

const HELP = `
Start here:
  $ caisson demo                          # see it work, and see what it stops
  $ caisson doctor                        # what works on this machine
  $ caisson shell --workspace .           # a prompt inside the sandbox
  $ caisson call grep --workspace . --args '{"pattern":"TODO"}'

${EXIT_CODE_HELP}`;

/** Runs the command line; sets `process.exitCode` and never rejects. */
export async function main(argv: readonly string[]): Promise<void> {
  tolerateClosedPipes();
  try {
    const program = await createProgram(argv[2], (code) => {
      process.exitCode = code;
    });
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

type SetExitCode = (code: number) => void;

/** In the order of the help. Each is loaded when it is asked for: a server must not wait for the demo's code. */
const COMMANDS: Record<string, (setExitCode: SetExitCode, version: string) => Promise<Command>> = {
  demo: async (setExitCode) => (await import('./commands/demo.js')).demoCommand(setExitCode),
  call: async (setExitCode) => (await import('./commands/call.js')).callCommand(setExitCode),
  shell: async (setExitCode) => (await import('./commands/shell.js')).shellCommand(setExitCode),
  tools: async () => (await import('./commands/tools.js')).toolsCommand(),
  mcp: async (setExitCode) => (await import('./commands/mcp.js')).mcpCommand(setExitCode),
  doctor: async (setExitCode, version) => (await import('./commands/doctor.js')).doctorCommand(version, setExitCode),
  ps: async (setExitCode) => (await import('./commands/ps.js')).psCommand(setExitCode),
  reap: async (setExitCode) => (await import('./commands/reap.js')).reapCommand(setExitCode),
  image: async (setExitCode) => (await import('./commands/image.js')).imageCommand(setExitCode),
  policy: async (setExitCode) => (await import('./commands/policy.js')).policyCommand(setExitCode),
  audit: async (setExitCode) => (await import('./commands/audit.js')).auditCommand(setExitCode),
};

async function createProgram(asked: string | undefined, setExitCode: SetExitCode): Promise<Command> {
  const version = packageVersion();
  const program = new Command('caisson')
    .description('A sandboxed tool host for coding agents: nothing a model writes runs on this machine.')
    .version(version, '-V, --version')
    .addHelpText('after', HELP);
  const names = asked !== undefined && Object.hasOwn(COMMANDS, asked) ? [asked] : Object.keys(COMMANDS);
  const commands = await Promise.all(names.flatMap((name) => COMMANDS[name]?.(setExitCode, version) ?? []));
  for (const command of commands) program.addCommand(command);
  for (const command of [program, ...commands, ...commands.flatMap((one) => one.commands)]) {
    command.exitOverride().showSuggestionAfterError().configureOutput({ outputError: printUsageError });
  }
  return program;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError || error instanceof PolicyError) {
    printUsageError(`error: ${error.message}`);
    return EXIT.usage;
  }
  const message = error instanceof Error ? error.message : String(error);
  printNote(noteColor.red(`error: ${escapeTerminal(message)}`));
  return isSandboxError(error) ? EXIT.unavailable : EXIT.failed;
}

function printUsageError(text: string): void {
  printNote(noteColor.red(escapeTerminal(text.trimEnd())));
}
