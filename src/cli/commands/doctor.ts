import { Command } from 'commander';
import { reportText } from '../doctor/report-text.js';
import { EXIT } from '../exit-code.js';
import { withInterrupt } from '../interrupt.js';
import { safeJson } from '../terminal/escape.js';
import { print } from '../terminal/print.js';

const EXAMPLES = `
Examples:
  $ caisson doctor
  $ caisson doctor --json | jq '.backends[] | select(.works) | .name'

Exit code 0 when at least one backend works, 4 when none does.`;

/** `caisson doctor`: which backends work here, why not, and what to do. */
export function doctorCommand(version: string, setExitCode: (code: number) => void): Command {
  return new Command('doctor')
    .description('say which backends work on this machine, why not, and how to fix it')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { json?: boolean }) => {
      setExitCode(
        await withInterrupt(async () => {
          // Loaded here: other commands need no client of an engine.
          const { doctorReport } = await import('../doctor/report.js');
          const report = await doctorReport(version);
          print(options.json ? safeJson(report, 2) : reportText(report));
          return report.ok ? EXIT.ok : EXIT.unavailable;
        }),
      );
    });
}
