import type { ListDirResult } from '../../../tools/index.js';
import { CallFailed } from '../../provider/call-failed.js';
import { readLines } from '../../provider/text-file.js';
import type { HostCall } from '../../provider/turn-call.js';
import { ExpectedError } from '../expected-error.js';
import { fileError } from './not-there.js';
import { numberedLines } from './numbered-lines.js';

/** Characters of a file that are shown at once. */
const MAX_VIEW_CHARACTERS = 50_000;

/** Directories whose content is shown below the one that is looked at. */
const MAX_INNER_DIRECTORIES = 50;

/** Shows a file with line numbers, or a directory two levels deep. */
export async function view(call: HostCall, path: string, viewRange: unknown): Promise<string> {
  const range = readRange(viewRange);
  try {
    return await viewFile(call, path, range);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.result.code !== 'is_directory') throw outOfRange(error, range) ?? fileError(error.result, path);
    if (range === undefined) return viewDirectory(call, path);
    throw new ExpectedError('The `view_range` parameter is not allowed when `path` points to a directory.');
  }
}

interface ViewRange {
  from: number;
  /** -1: to the end. */
  to: number;
}

function readRange(value: unknown): ViewRange | undefined {
  if (value === undefined || value === null) return undefined;
  const [from, to] = Array.isArray(value) && value.length === 2 ? value : [];
  if (!Number.isInteger(from) || !Number.isInteger(to))
    throw new ExpectedError('Invalid `view_range`. It should be a list of two integers.');
  if (from < 1) throw invalid([from, to], `Its first element \`${from}\` should be 1 or more.`);
  if (to !== -1 && to < from)
    throw invalid([from, to], `Its second element \`${to}\` should be larger or equal than its first \`${from}\`.`);
  return { from, to };
}

function invalid(range: readonly number[], problem: string): ExpectedError {
  return new ExpectedError(`Invalid \`view_range\`: [${range.join(', ')}]. ${problem}`);
}

function outOfRange({ result }: CallFailed, range: ViewRange | undefined): ExpectedError | undefined {
  if (range === undefined || result.code !== 'invalid_input' || result.kind === 'validation') return undefined;
  return invalid([range.from, range.to], `${result.message}.`);
}

async function viewFile(call: HostCall, path: string, range: ViewRange | undefined): Promise<string> {
  const { from = 1, to = -1 } = range ?? {};
  const read = await readLines(call, path, {
    from,
    ...(to !== -1 && { to }),
    characters: MAX_VIEW_CHARACTERS,
  });
  const left = Math.min(to === -1 ? read.totalLines : to, read.totalLines) - read.endLine;
  const note =
    left > 0
      ? `\n[${left} more lines are not shown; the file has ${read.totalLines}. Use view_range [${read.endLine + 1}, -1] to see them]`
      : '';
  return `Here's the result of running \`cat -n\` on ${path}:\n${numberedLines(read.text, read.startLine)}${note}`;
}

async function viewDirectory(call: HostCall, path: string): Promise<string> {
  const outcome = await call('list_dir', { path });
  if (outcome.status === 'error') throw fileError(outcome.error, path);
  const root = path.replace(/\/+$/, '') || '/';
  const lines = [root];
  let opened = 0;
  for (const { name, type } of shown(outcome.output as ListDirResult)) {
    const inner = `${root === '/' ? '' : root}/${name}`;
    lines.push(type === 'directory' ? `${inner}/` : inner);
    if (type !== 'directory' || opened === MAX_INNER_DIRECTORIES) continue;
    opened += 1;
    const below = await call('list_dir', { path: inner });
    // What may not be listed is shown as a name.
    if (below.status === 'error') continue;
    const names = shown(below.output as ListDirResult);
    lines.push(...names.map((entry) => `${inner}/${entry.name}${entry.type === 'directory' ? '/' : ''}`));
  }
  const { totalEntries, entries } = outcome.output as ListDirResult;
  const more = totalEntries > entries.length ? [`[${totalEntries - entries.length} more entries are not shown]`] : [];
  const header = `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`;
  return [header, ...lines, ...more].join('\n');
}

function shown({ entries }: ListDirResult): ListDirResult['entries'] {
  return entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
}
