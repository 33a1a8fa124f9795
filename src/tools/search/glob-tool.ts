import { z } from 'zod';
import type { GlobResult, Sandbox } from '../../sandbox/contract.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { defineTool } from '../../tool/define-tool.js';
import { signalOf } from '../call-options.js';
import { refuseOnHost } from '../host-refusal.js';
import { joinLabel, pathLabel } from '../path-label.js';
import { MAX_RESULTS, MAX_WALKED } from './limits.js';
import { explainSearchError, ignoredDirectories } from './search-root.js';
import { count, walkNotes } from './walk-notes.js';

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'Glob relative to path, for example "**/*.ts", "src/*.{js,ts}" or "test/**"; "*" does not cross directories',
    ),
  path: z.string().min(1).optional().describe('Directory to search in. Default: the workspace'),
  directories: z.boolean().optional().describe('Return matching directories too. Default false'),
  include_ignored: z.boolean().optional().describe('Look into .git and node_modules too. Default false'),
});

/** What `glob` answers: paths relative to the workspace, in path order, at most 200. */
export interface GlobToolResult {
  paths: string[];
  note?: string;
}

/** Makes `glob`: finds files by name; an empty answer says what was left out. */
export function createGlobTool() {
  return defineTool({
    name: 'glob',
    description:
      `Finds files of the workspace by glob pattern. Returns at most ${MAX_RESULTS} paths, relative to the workspace, in path order. ` +
      '.git and node_modules are skipped.',
    input,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requiresSandbox: true,
    execute: refuseOnHost('glob'),
    sandboxExecute: glob,
  });
}

async function glob(
  { pattern, path = '.', directories = false, include_ignored }: z.infer<typeof input>,
  sandbox: Sandbox,
  context?: ToolExecutionContext,
): Promise<GlobToolResult> {
  const label = pathLabel(path, sandbox);
  const relative = label === '.' ? relativePattern(pattern, sandbox) : pattern;
  const result = await sandbox.fs
    .glob(relative, {
      cwd: path,
      directories,
      maxResults: MAX_RESULTS,
      maxWalked: MAX_WALKED,
      ...ignoredDirectories(include_ignored),
      ...signalOf(context),
    })
    .catch((error: unknown) => explainSearchError(error, { label, advice: 'a glob looks like "src/**/*.ts"' }));
  const notes = notesOf(result, relative);
  return {
    paths: result.paths.map((found) => joinLabel(label, found)),
    ...(notes.length > 0 && { note: notes.join('. ') }),
  };
}

/** Models give absolute patterns too; in the workspace they mean the same. */
function relativePattern(pattern: string, sandbox: Sandbox): string {
  return pattern.startsWith(`${sandbox.cwd}/`) ? pattern.slice(sandbox.cwd.length + 1) : pattern;
}

function notesOf(result: GlobResult, pattern: string): string[] {
  if (result.paths.length > 0) return walkNotes(result);
  const hints = pattern.includes('/') ? [] : [`"${pattern}" looks at one level only; "**/${pattern}" looks at all`];
  return [`0 matches among ${count(result.filesWalked, 'file')}`, ...walkNotes(result), ...hints];
}
