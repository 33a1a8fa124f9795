import { Command, CommanderError } from 'commander';
import { PolicyError } from '../permissions/policy-error.js';
import { isSandboxError } from '../sandbox/errors.js';
import { auditCommand } from './commands/audit.js';
import { callCommand } from './commands/call.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { imageCommand } from './commands/image.js';
import { mcpCommand } from './commands/mcp.js';
import { policyCommand } from './commands/policy.js';
import { psCommand } from './commands/ps.js';
import { reapCommand } from './commands/reap.js';
import { shellCommand } from './commands/shell.js';
import { toolsCommand } from './commands/tools.js';
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
    await createProgram((code) => {
      process.exitCode = code;
    }).parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error);
  }
}

function createProgram(setExitCode: (code: number) => void): Command {
  const version = packageVersion();
  const program = new Command('caisson')
    .description('A sandboxed tool host for coding agents: nothing a model writes runs on this machine.')
    .version(version, '-V, --version')
    .addHelpText('after', HELP);
  const commands = [
    demoCommand(setExitCode),
    callCommand(setExitCode),
    shellCommand(setExitCode),
    toolsCommand(),
    mcpCommand(setExitCode),
    doctorCommand(version, setExitCode),
    psCommand(setExitCode),
    reapCommand(setExitCode),
    imageCommand(setExitCode),
    policyCommand(setExitCode),
    auditCommand(setExitCode),
  ];
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
