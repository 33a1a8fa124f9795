import { z } from 'zod';
import type { Sandbox } from '../../sandbox/contract.js';
import { SandboxError } from '../../sandbox/errors.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { defineTool } from '../../tool/define-tool.js';
import { signalOf } from '../call-options.js';
import { refuseOnHost } from '../host-refusal.js';
import { pathLabel } from '../path-label.js';
import { MAX_READ_CHARACTERS, MAX_READ_LINES } from './limits.js';
import { loadText } from './load-text.js';
import { cut, lineEnding, splitLines } from './text-lines.js';

const input = z.strictObject({
  path: z.string().min(1).describe('File to read, relative to the workspace or absolute (/workspace/…)'),
  offset: z.int().min(1).optional().describe('First line to return, from 1. Default 1'),
  limit: z
    .int()
    .min(1)
    .max(MAX_READ_LINES)
    .optional()
    .describe(`Lines to return at most. Default and maximum ${MAX_READ_LINES}`),
});

/** What `read_file` answers. `content` is the file's own text, so that a piece of it is a valid `old_string` of `edit_file`. */
export interface ReadFileResult {
  path: string;
  content: string;
  /** From 1; 0 for an empty file. */
  startLine: number;
  endLine: number;
  totalLines: number;
  /** Whether lines after `endLine` were left out. */
  truncated: boolean;
  note?: string;
}

/** Makes `read_file`: text by line range, at most 2,000 lines or 50,000 characters a call, files up to 10 MB. */
export function createReadFileTool() {
  return defineTool({
    name: 'read_file',
    description:
      `Reads a UTF-8 text file of the workspace. Returns its exact text (without line numbers) with startLine, endLine and totalLines; ` +
      `at most ${MAX_READ_LINES} lines or ${MAX_READ_CHARACTERS} characters at once: continue with offset. Binary files are refused.`,
    input,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requiresSandbox: true,
    execute: refuseOnHost('read_file'),
    sandboxExecute: readFile,
  });
}

async function readFile(
  { path, offset = 1, limit = MAX_READ_LINES }: z.infer<typeof input>,
  sandbox: Sandbox,
  context?: ToolExecutionContext,
): Promise<ReadFileResult> {
  const label = pathLabel(path, sandbox);
  const { body } = await loadText(sandbox, path, signalOf(context));
  const lines = splitLines(body);
  const totalLines = lines.length;
  if (totalLines === 0) {
    return {
      path: label,
      content: '',
      startLine: 0,
      endLine: 0,
      totalLines: 0,
      truncated: false,
      note: 'The file is empty',
    };
  }
  if (offset > totalLines) {
    throw new SandboxError(
      'invalid_input',
      `Cannot read "${label}" from line ${offset}: it has ${plural(totalLines, 'line')}`,
      {
        path: label,
      },
    );
  }
  const shown = takeLines(lines, offset - 1, limit);
  const endLine = offset + shown.count - 1;
  const notes: string[] = [];
  if (shown.cutLine !== undefined) {
    notes.push(
      `Line ${offset} is ${shown.cutLine} characters long and was cut at ${MAX_READ_CHARACTERS}; use grep, or cut -c in the shell, for the rest of it`,
    );
  }
  if (endLine < totalLines)
    notes.push(`Showing lines ${offset} to ${endLine} of ${totalLines}; continue with offset ${endLine + 1}`);
  const ending = lineEnding(body);
  if (ending === 'crlf') notes.push('Lines end with CRLF: keep \\r\\n in old_string and new_string of edit_file');
  if (ending === 'mixed') notes.push('Lines end partly with CRLF, partly with LF: copy them exactly for edit_file');
  return {
    path: label,
    content: shown.content,
    startLine: offset,
    endLine,
    totalLines,
    truncated: endLine < totalLines || shown.cutLine !== undefined,
    ...(notes.length > 0 && { note: notes.join('. ') }),
  };
}

/** Whole lines up to both limits; a single line over the character limit is cut. */
function takeLines(
  lines: string[],
  start: number,
  limit: number,
): { content: string; count: number; cutLine?: number } {
  const taken: string[] = [];
  let characters = 0;
  for (const line of lines.slice(start, start + limit)) {
    if (characters + line.length > MAX_READ_CHARACTERS) break;
    taken.push(line);
    characters += line.length;
  }
  const first = lines[start] ?? '';
  if (taken.length === 0) return { content: cut(first, MAX_READ_CHARACTERS), count: 1, cutLine: first.length };
  return { content: taken.join(''), count: taken.length };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
