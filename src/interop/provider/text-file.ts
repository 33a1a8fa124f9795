import { MAX_READ_LINES } from '../../tools/files/limits.js';
import type { ReadFileResult } from '../../tools/index.js';
import { CallFailed } from './call-failed.js';
import type { HostCall } from './turn-call.js';

export interface ReadLines {
  text: string;
  /** From 1; 0 for an empty file. */
  startLine: number;
  endLine: number;
  totalLines: number;
}

/**
 * Reads lines of a file through `read_file`, as many calls as it takes.
 * @param range `from` and `to` are lines from 1, both included; `characters` stops it early, at a line's end where it can
 * @throws CallFailed with the host's error
 */
export async function readLines(
  call: HostCall,
  path: string,
  range: { from?: number; to?: number; characters?: number } = {},
): Promise<ReadLines> {
  const { from = 1, to = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY } = range;
  const pages: string[] = [];
  let length = 0;
  for (let offset = from; ; ) {
    const limit = Math.min(MAX_READ_LINES, to - offset + 1);
    const page = await readPage(call, {
      path,
      ...(offset > 1 && { offset }),
      ...(limit < MAX_READ_LINES && { limit }),
    });
    pages.push(page.content);
    length += page.content.length;
    const done = page.endLine >= Math.min(to, page.totalLines) || length >= characters;
    if (done) {
      return {
        text: pages.join(''),
        startLine: Math.min(from, page.endLine),
        endLine: page.endLine,
        totalLines: page.totalLines,
      };
    }
    offset = page.endLine + 1;
  }
}

/**
 * The whole text of a file (without a byte-order mark), exactly.
 * @throws CallFailed with the host's error, or when a line is too long to be read whole
 */
export async function readWhole(call: HostCall, path: string): Promise<string> {
  const pages: string[] = [];
  for (let offset = 1; ; ) {
    const page = await readPage(call, { path, ...(offset > 1 && { offset }) });
    if (page.endLine >= page.totalLines && page.truncated) throw tooLong(path, page.endLine);
    if (page.startLine === page.endLine && !page.content.endsWith('\n') && page.endLine < page.totalLines)
      throw tooLong(path, page.endLine);
    pages.push(page.content);
    if (page.endLine >= page.totalLines) return pages.join('');
    offset = page.endLine + 1;
  }
}

async function readPage(
  call: HostCall,
  args: { path: string; offset?: number; limit?: number },
): Promise<ReadFileResult> {
  const outcome = await call('read_file', args);
  if (outcome.status === 'error') throw new CallFailed(outcome.error);
  const page = outcome.output as Partial<ReadFileResult> | null;
  if (typeof page?.content !== 'string' || !Number.isInteger(page.endLine) || !Number.isInteger(page.totalLines))
    throw new TypeError("The host's tool 'read_file' is not the one of codingTools(): it cannot serve this call");
  return page as ReadFileResult;
}

function tooLong(path: string, line: number): Error {
  return new Error(
    `Cannot edit "${path}": line ${line} is too long to be read whole; change the file with a command instead`,
  );
}
