import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../exit-code.js';
import { withInterrupt } from '../interrupt.js';
import { type AuditFilter, AuditReader, type AuditRecord, effectOf } from '../policy/audit-records.js';
import { color } from '../terminal/color.js';
import { escapeTerminal } from '../terminal/escape.js';
import { print } from '../terminal/print.js';
import { UsageError } from '../usage-error.js';

const POLL_MS = 300;
const EFFECTS = { deny: color.red('deny '), ask: color.yellow('ask  '), allow: color.green('allow') };
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const EXAMPLES = `
Examples:
  $ caisson audit audit.jsonl --decision deny --since 2h
  $ caisson audit audit.jsonl --tool shell --follow
  $ caisson audit audit.jsonl --json | jq .decision.rule.text

The log is written by createAuditLog({ path }), given to a host as onEvent.`;

interface AuditOptions extends AuditFilter {
  follow?: boolean;
  json?: boolean;
}

/** `caisson audit`: the decisions of an audit log, for people. */
export function auditCommand(setExitCode: (code: number) => void): Command {
  return new Command('audit')
    .description('show the decisions that an audit log holds')
    .argument('<log>', 'the JSONL file')
    .option('--tool <name>', 'only calls of this tool')
    .addOption(new Option('--decision <effect>', 'only these').choices(['deny', 'ask', 'allow']))
    .option('--session <id>', 'only of this session')
    .option('--rule <text>', 'only where the rule or its source holds this text')
    .option('--since <time>', 'an ISO time, or an age such as 30m, 2h, 7d', sinceTime)
    .option('-f, --follow', 'go on with what is written later')
    .option('--json', 'print the records as they are, one a line')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: AuditOptions) => {
      setExitCode(await withInterrupt((signal) => show(path, options, signal)));
    });
}

async function show(path: string, options: AuditOptions, signal: AbortSignal): Promise<number> {
  using reader = new AuditReader(path);
  if (!options.json) print(color.dim('time                 decision  tool          held by        rule'));
  printNext(reader, options, path);
  while (options.follow === true && !signal.aborted) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    if (!signal.aborted) printNext(reader, options, path);
  }
  return EXIT.ok;
}

function printNext(reader: AuditReader, options: AuditOptions, path: string): void {
  try {
    for (const record of reader.next(options)) print(options.json ? JSON.stringify(record) : line(record));
  } catch (error) {
    throw new UsageError(`Cannot read '${path}': ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

function line(record: AuditRecord): string {
  const { time, toolName = '', decision, approvalId, mode, note, always = [] } = record;
  const effect = effectOf(decision) ?? 'ask';
  const answered = typeof decision === 'string';
  const { rule, certainty, part, enforcement = 'tool gate' } = answered ? {} : (decision ?? {});
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
  return `${time.slice(0, 19)}  ${EFFECTS[effect]}     ${safe(toolName).padEnd(13)} ${enforcement.padEnd(14)} ${safe(by)}${shown}`;
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
