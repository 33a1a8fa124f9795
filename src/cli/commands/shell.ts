import { Command } from 'commander';
import { createToolHost } from '../../host/create-tool-host.js';
import { withInterrupt } from '../interrupt.js';
import { addSandboxOptions, openSandbox, permissionsOf, type SandboxOptions } from '../sandbox-options.js';
import { pipedLines } from '../shell/piped-lines.js';
import { promptLines } from '../shell/prompt-lines.js';
import { promptTool } from '../shell/prompt-tool.js';
import { type PromptState, ShellRunner } from '../shell/shell-runner.js';
import { askApproval } from '../terminal/ask-approval.js';
import { printNote } from '../terminal/print.js';

interface ShellCommandOptions extends SandboxOptions {
  raw?: boolean;
}

const EXAMPLES = `
Examples:
  $ caisson shell --workspace .                            # a prompt; Ctrl-D or exit ends it
  $ echo 'grep -rn TODO src | wc -l' | caisson shell -w .  # on a pipe: each line is a command
  $ caisson shell -w . --workspace-mode overlay            # look around and break things; nothing is written
  $ caisson shell -w . --deny 'read_file(**/.env)' --deny 'shell(rm:*)'

Each line is one command and starts clean: files stay, cd is carried over, variables and functions are not.
A line that ends in a backslash goes on in the next. exit [n] ends; without it the exit code is that of the last
command (3 when it was denied, 4 when the sandbox failed). Output is escaped unless --raw is given.`;

/** `caisson shell`: a prompt inside the sandbox. */
export function shellCommand(setExitCode: (code: number) => void): Command {
  const command = new Command('shell').description('open a prompt inside a sandbox, or run the commands on stdin');
  return addSandboxOptions(command)
    .option('--raw', 'do not escape control characters in the output')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ShellCommandOptions) => {
      const state: PromptState = { running: undefined, quiet: false };
      const intercept = () => {
        if (process.stdin.isTTY !== true || state.running === undefined) return false;
        state.running.abort();
        return true;
      };
      setExitCode(await withInterrupt((signal) => runShell(options, signal, state), { intercept }));
    });
}

async function runShell(options: ShellCommandOptions, signal: AbortSignal, state: PromptState): Promise<number> {
  const isTerminal = process.stdin.isTTY === true;
  await using sandbox = await openSandbox(options);
  await using host = createToolHost({
    sandbox,
    tools: [promptTool({ raw: options.raw === true, isQuiet: () => state.quiet })],
    permissions: permissionsOf(options),
    ...(isTerminal ? { approve: (request) => askApproval(request, { signal }) } : {}),
  });
  await host.ready();
  const runner = new ShellRunner(host, { signal, state });
  const lines = isTerminal ? promptLines({ signal, cwd: () => runner.cwd, state }) : pipedLines(signal);
  if (isTerminal) printNote('Caisson sandbox: nothing here touches this machine but the workspace. Ctrl-D ends.');
  for await (const line of lines) {
    if (await runner.runLine(line)) break;
  }
  return runner.exitCode;
}
