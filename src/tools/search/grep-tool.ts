import { z } from 'zod';
import type { GrepMatch, GrepResult, Sandbox } from '../../sandbox/contract.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { defineTool } from '../../tool/define-tool.js';
import { signalOf } from '../call-options.js';
import { cut } from '../files/text-lines.js';
import { refuseOnHost } from '../host-refusal.js';
import { pathLabel } from '../path-label.js';
import { MAX_GREP_CHARACTERS, MAX_LINE_CHARACTERS, MAX_RESULTS, MAX_WALKED } from './limits.js';
import { explainSearchError, ignoredDirectories } from './search-root.js';
import { count, walkNotes } from './walk-notes.js';

const input = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression, matched line by line; plain text with literal'),
  path: z.string().min(1).optional().describe('File or directory to search. Default: the workspace'),
  glob: z
    .string()
    .min(1)
    .optional()
    .describe('Only files that match this glob, for example "*.ts" (at any depth) or "src/**/*.ts" (relative to path)'),
  ignore_case: z.boolean().optional().describe('Ignore upper and lower case. Default false'),
  literal: z.boolean().optional().describe('Take pattern as plain text. Default false'),
  context: z.int().min(0).max(20).optional().describe('Lines shown before and after each match. Default 0'),
  include_ignored: z.boolean().optional().describe('Look into .git and node_modules too. Default false'),
});

/** What `grep` answers: matching lines in path and line order, at most 200, paths relative to the workspace. */
export interface GrepToolResult {
  matches: GrepMatch[];
  /** Files that matched. */
  files: number;
  note?: string;
}

/** Makes `grep`: finds lines by regular expression; an empty answer says what was left out. */
export function createGrepTool() {
  return defineTool({
    name: 'grep',
    description:
      `Searches the files of the workspace line by line with a regular expression. Returns at most ${MAX_RESULTS} matching lines with path and line number. ` +
      '.git, node_modules, binary files and files over 10 MB are skipped, and the note says so.',
    input,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requiresSandbox: true,
    execute: refuseOnHost('grep'),
    sandboxExecute: grep,
  });
}

async function grep(
  args: z.infer<typeof input>,
  sandbox: Sandbox,
  context?: ToolExecutionContext,
): Promise<GrepToolResult> {
  const { pattern, path = '.', glob } = args;
  const label = pathLabel(path, sandbox);
  const result = await sandbox.fs
    .grep(pattern, {
      path,
      ...(glob !== undefined && { globs: [anyDepth(glob)] }),
      ignoreCase: args.ignore_case ?? false,
      literal: args.literal ?? false,
      context: args.context ?? 0,
      maxResults: MAX_RESULTS,
      maxWalked: MAX_WALKED,
      ...ignoredDirectories(args.include_ignored),
      ...signalOf(context),
    })
    .catch((error: unknown) =>
      explainSearchError(error, {
        label,
        advice: 'escape special characters with a backslash, or set literal to search for plain text',
      }),
    );
  const { matches, cutLines } = shorten(result.matches);
  const notes = notesOf(result, { shown: matches.length, cutLines });
  return { matches, files: result.files, ...(notes.length > 0 && { note: notes.join('. ') }) };
}

/** As ripgrep reads `-g`: a pattern without a slash holds at any depth. */
function anyDepth(glob: string): string {
  return glob.includes('/') ? glob : `**/${glob}`;
}

function shorten(all: GrepMatch[]): { matches: GrepMatch[]; cutLines: number } {
  const matches: GrepMatch[] = [];
  let characters = 0;
  let cutLines = 0;
  const short = (line: string): string => {
    if (line.length > MAX_LINE_CHARACTERS) cutLines += 1;
    return cut(line, MAX_LINE_CHARACTERS);
  };
  for (const match of all) {
    const shown = {
      path: match.path,
      line: match.line,
      text: short(match.text),
      ...(match.before && { before: match.before.map(short) }),
      ...(match.after && { after: match.after.map(short) }),
    };
    characters += [shown.path, shown.text, ...(shown.before ?? []), ...(shown.after ?? [])].join('\n').length;
    if (characters > MAX_GREP_CHARACTERS) break;
    matches.push(shown);
  }
  return { matches, cutLines };
}

function notesOf(result: GrepResult, shown: { shown: number; cutLines: number }): string[] {
  const notes: string[] = [];
  if (result.matches.length === 0) notes.push(`0 matches in ${count(result.filesWalked, 'file')}`);
  if (shown.shown < result.matches.length) {
    notes.push(
      `Showing ${shown.shown} of ${result.matches.length} matches, to keep the answer under ${MAX_GREP_CHARACTERS} characters`,
    );
  }
  if (shown.cutLines > 0) notes.push(`${count(shown.cutLines, 'line')} cut at ${MAX_LINE_CHARACTERS} characters`);
  if (result.binaryFiles > 0) notes.push(`Skipped ${count(result.binaryFiles, 'binary file')}`);
  if (result.largeFiles > 0) notes.push(`Skipped ${count(result.largeFiles, 'file')} over 10 MB`);
  return [...notes, ...walkNotes(result)];
}
