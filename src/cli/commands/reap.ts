import { Command } from 'commander';
import type { Reaped } from '../../sandbox/docker/index.js';
import { EXIT } from '../exit-code.js';
import { withInterrupt } from '../interrupt.js';
import { escapeTerminal, safeJson } from '../terminal/escape.js';
import { print } from '../terminal/print.js';

const EXAMPLES = `
Examples:
  $ caisson reap
  $ caisson reap --json | jq '.containers | length'
  $ caisson reap --caches

Removes what hosts that are gone left on the engine, and nothing else. Every host does the same when it first uses an
engine, so this is for a machine where none will start again. With --caches also what the setups of sessions share, unless
a session uses it now. Exit code 4 when no engine answers.`;

/** `caisson reap`: removes what dead hosts left on the engine. */
export function reapCommand(setExitCode: (code: number) => void): Command {
  return new Command('reap')
    .description('remove containers, volumes and networks whose host is gone')
    .option('--caches', 'also remove the package caches that setups share')
    .option('--json', 'print what was removed as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { caches?: boolean; json?: boolean }) => {
      setExitCode(
        await withInterrupt(async () => {
          const { reapSandboxes, removeCaches } = await import('../../sandbox/docker/index.js');
          const reaped = await reapSandboxes();
          if (options.caches === true) reaped.volumes.push(...(await removeCaches()));
          print(options.json ? safeJson(reaped, 2) : reapedText(reaped));
          return EXIT.ok;
        }),
      );
    });
}

function reapedText(reaped: Reaped): string {
  const removed = (['containers', 'volumes', 'networks'] as const).flatMap((kind) =>
    reaped[kind].map((id) => `removed ${kind.slice(0, -1)} ${escapeTerminal(id)}`),
  );
  return removed.length === 0 ? 'Nothing to remove' : removed.join('\n');
}
