import { Command } from 'commander';
import { runDemo } from '../demo/run-demo.js';
import { withInterrupt } from '../interrupt.js';

const EXAMPLES = `
Examples:
  $ caisson demo
  $ caisson demo --json | jq '.steps[] | select(.expected == false)'

Exit code 0 when every call went as it should, 1 otherwise, 4 when no sandbox starts.`;

/** `caisson demo`: an agent's turn on a real code base, then everything that must fail. */
export function demoCommand(setExitCode: (code: number) => void): Command {
  return new Command('demo')
    .description('replay an agent turn on a copy of a real package, then attacks that must fail')
    .option('--json', 'print the steps as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { json?: boolean }) => {
      setExitCode(await withInterrupt((signal) => runDemo({ json: options.json === true, signal })));
    });
}
