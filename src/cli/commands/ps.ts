import { Command } from 'commander';
import type { RunningSandbox, SharedCache } from '../../sandbox/docker/index.js';
import { EXIT } from '../exit-code.js';
import { withInterrupt } from '../interrupt.js';
import { escapeTerminal, safeJson } from '../terminal/escape.js';
import { print } from '../terminal/print.js';

const EXAMPLES = `
Examples:
  $ caisson ps
  $ caisson ps --json | jq '.[] | select(.abandoned) | .sessionId'
  $ caisson ps --caches

Containers of the Docker backend only; an isolate is a child process of its host and ends with it. "abandoned" means
that the host that made it is gone: caisson reap removes it. Exit code 4 when no engine answers.`;

const COLUMNS = ['SESSION', 'CONTAINER', 'IMAGE', 'STATE', 'AGE', 'OWNER'];
const CACHE_COLUMNS = ['VOLUME', 'KIND', 'AGE', 'WORKSPACE'];

/** `caisson ps`: the containers Caisson has on the engine. */
export function psCommand(setExitCode: (code: number) => void): Command {
  return new Command('ps')
    .description("list Caisson's containers on the engine")
    .option('--caches', 'list what the setups of sessions share instead')
    .option('--json', 'print the list as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { caches?: boolean; json?: boolean }) => {
      setExitCode(
        await withInterrupt(async () => {
          const { listCaches, listSandboxes } = await import('../../sandbox/docker/index.js');
          if (options.caches === true) {
            const caches = await listCaches();
            print(options.json ? safeJson(caches, 2) : table([CACHE_COLUMNS, ...caches.map(cacheRow)]));
            return EXIT.ok;
          }
          const found = await listSandboxes();
          print(options.json ? safeJson(found, 2) : table([COLUMNS, ...found.map(row)]));
          return EXIT.ok;
        }),
      );
    });
}

function row({ sessionId, containerId, image, state, createdAt, abandoned }: RunningSandbox): string[] {
  const cells = [sessionId, containerId.slice(0, 12), image, state, age(createdAt), abandoned ? 'abandoned' : 'alive'];
  return cells.map((cell) => escapeTerminal(cell));
}

function cacheRow({ volume, kind, createdAt, workspace }: SharedCache): string[] {
  const cells = [volume, kind, createdAt === undefined ? '-' : age(createdAt), workspace === '' ? '-' : workspace];
  return cells.map((cell) => escapeTerminal(cell));
}

function age(since: Date): string {
  const seconds = Math.max(0, Math.round((Date.now() - since.getTime()) / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
