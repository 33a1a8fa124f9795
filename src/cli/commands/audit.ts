import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../exit-code.js';
import { withInterrupt } from '../interrupt.js';
import {
  type AuditFilter,
  AuditReader,
  type AuditRecord,
  effectOf,
  type SkippedLine,
} from '../policy/audit-records.js';
import { color } from '../terminal/color.js';
import { escapeTerminal, safeJson } from '../terminal/escape.js';
import { isStdoutClosed, print, printNote } from '../terminal/print.js';
import { UsageError } from '../usage-error.js';

const POLL_MS = 300;
/** Records that are printed in one go. */
const TURN = 100;
const SHOWN_SKIPPED = 10;
const EFFECTS = { deny: color.red('deny '), ask: color.yellow('ask  '), allow: color.green('allow') };
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const EXAMPLES = `
Examples:
  $ caisson audit audit.jsonl --decision deny --since 2h
  $ caisson audit audit.jsonl --tool shell --last 20 --follow
  $ caisson audit audit.jsonl --json | jq .decision.rule.text

The log is written by createAuditLog({ path }), given to a host as onEvent.`;

interface AuditOptions extends AuditFilter {
  follow?: boolean;
  json?: boolean;
  last?: number;
}

/** `caisson audit`: the decisions of an audit log, for people. */
export function auditCommand(setExitCode: (code: number) => void): Command {
  return new Command('audit')
    .description('show the decisions that an audit log holds')
    .argument('<log>', 'the JSONL file; what was put aside of it (<log>.1, <log>.2, …) is read first')
    .option('--tool <name>', 'only calls of this tool')
    .addOption(new Option('--decision <effect>', 'only these').choices(['deny', 'ask', 'allow']))
    .option('--session <id>', 'only of this session')
    .option('--rule <text>', 'only where the rule or its source holds this text')
    .option('--since <time>', 'an ISO time, or an age such as 30m, 2h, 7d', sinceTime)
    .option('-n, --last <count>', 'only the last so many of them', count)
    .option('-f, --follow', 'go on with what is written later')
    .option('--json', 'print the records as they are, one a line')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: AuditOptions) => {
      setExitCode(await withInterrupt((signal) => show(path, options, signal)));
    });
}

async function show(path: string, options: AuditOptions, signal: AbortSignal): Promise<number> {
  const skipped: SkippedLine[] = [];
  using reader = new AuditReader(path, { onSkipped: (line) => skipped.push(line) });
  const next = (final: boolean) => readNext(reader, { path, options, final });
  let isTitled = options.json === true;
  const printed = (record: AuditRecord) => {
    if (!isTitled) print(color.dim('time                 decision  tool          held by        rule'));
    isTitled = true;
    print(options.json ? safeJson(record) : line(record));
  };
  const isOver = () => signal.aborted || isStdoutClosed();
  await inTurns(lastOf(next(options.follow !== true), options.last), { act: printed, isOver });
  noteSkipped(skipped);
  while (options.follow === true && !isOver()) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    if (!isOver()) await inTurns(next(false), { act: printed, isOver });
    noteSkipped(skipped);
  }
  return EXIT.ok;
}

/** A long log leaves room for Ctrl-C, and for hearing that nobody reads any more. */
async function inTurns<T>(
  items: Iterable<T>,
  { act, isOver }: { act: (item: T) => void; isOver: () => boolean },
): Promise<void> {
  let count = 0;
  for (const item of items) {
    act(item);
    count += 1;
    if (count % TURN === 0) await setImmediate();
    if (isOver()) return;
  }
}

function* readNext(
  reader: AuditReader,
  { path, options, final }: { path: string; options: AuditOptions; final: boolean },
): Generator<AuditRecord> {
  try {
    yield* reader.next(options, { final });
  } catch (error) {
    throw new UsageError(`Cannot read '${path}': ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

function lastOf<T>(items: Iterable<T>, count: number | undefined): Iterable<T> {
  if (count === undefined) return items;
  const kept: T[] = [];
  for (const item of items) {
    kept.push(item);
    if (kept.length > 2 * count) kept.splice(0, kept.length - count);
  }
  return kept.slice(-count);
}

/** On stderr: a record that is missing from what is shown must not go unsaid. */
function noteSkipped(skipped: SkippedLine[]): void {
  if (skipped.length === 0) return;
  const shown = skipped.slice(0, SHOWN_SKIPPED).map(({ place, problem }) => `  ${safe(place)}: ${problem}`);
  const more = skipped.length - shown.length;
  const title = `Skipped ${skipped.length} ${skipped.length === 1 ? 'line' : 'lines'}:`;
  printNote([title, ...shown, ...(more === 0 ? [] : [`  and ${more} more`])].join('\n'));
  skipped.length = 0;
}

function line(record: AuditRecord): string {
  const { time, toolName = '', decision, approvalId, mode, note, always = [] } = record;
  const effect = effectOf(decision);
  const answered = typeof decision === 'string';
  const { rule, certainty, part, enforcement = 'tool gate' } = answered ? {} : decision;
  const byRule = rule === undefined ? 'default' : `${rule.text} (${rule.source})`;
  const by = answered ? `answer: ${decision}` : byRule;
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...always.map((kept) => `always ${kept}`),
    ...(part === undefined ? [] : [part.text]),
    ...(certainty === 'could be' ? ['could be'] : []),
    ...(mode === undefined || mode === 'default' ? [] : [`mode ${mode}`]),
    ...(approvalId === undefined ? [] : [approvalId]),
  ];
  const shown = notes.length === 0 ? '' : color.dim(`  ${safe(notes.join(', '))}`);
  return `${safe(time.slice(0, 19))}  ${EFFECTS[effect]}     ${safe(toolName).padEnd(13)} ${safe(enforcement).padEnd(14)} ${safe(by)}${shown}`;
}

function safe(text: string): string {
  return escapeTerminal(text).replaceAll('\n', '\\n');
}

function sinceTime(text: string): number {
  const age = /^(\d+)([smhd])$/.exec(text);
  const time = age === null ? Date.parse(text) : Date.now() - Number(age[1]) * (UNITS[age[2] ?? ''] ?? 0);
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give an ISO time, or an age such as 30m, 2h or 7d');
  return time;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1');
  return Number(text);
}
