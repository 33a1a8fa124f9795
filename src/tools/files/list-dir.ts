import { z } from 'zod';
import type { DirectoryEntry, Sandbox } from '../../sandbox/contract.js';
import { isSandboxError, SandboxError } from '../../sandbox/errors.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { defineTool } from '../../tool/define-tool.js';
import { signalOf } from '../call-options.js';
import { refuseOnHost } from '../host-refusal.js';
import { pathLabel } from '../path-label.js';
import { MAX_LISTED_ENTRIES } from './limits.js';

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('Directory to list, relative to the workspace or absolute. Default: the workspace'),
});

/** What `list_dir` answers: entries in name order, at most 200. */
export interface ListDirResult {
  path: string;
  entries: DirectoryEntry[];
  totalEntries: number;
  note?: string;
}

/** Makes `list_dir`: names, types and sizes of one directory, hidden ones too. */
export function createListDirTool() {
  return defineTool({
    name: 'list_dir',
    description:
      `Lists one directory of the workspace: name, type and size in bytes of each entry, hidden ones too, at most ${MAX_LISTED_ENTRIES}. ` +
      'To look deeper, use glob.',
    input,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requiresSandbox: true,
    execute: refuseOnHost('list_dir'),
    sandboxExecute: listDir,
  });
}

async function listDir(
  { path = '.' }: z.infer<typeof input>,
  sandbox: Sandbox,
  context?: ToolExecutionContext,
): Promise<ListDirResult> {
  const label = pathLabel(path, sandbox);
  const all = await sandbox.fs.list(path, signalOf(context)).catch((error: unknown) => explainFile(error, label));
  if (all === null) {
    throw new SandboxError(
      'not_found',
      `Cannot list "${label}": no such directory; look for it with glob or list_dir of its parent`,
      {
        path: label,
      },
    );
  }
  const note = noteOf(all.length);
  return {
    path: label,
    entries: all.slice(0, MAX_LISTED_ENTRIES),
    totalEntries: all.length,
    ...(note !== undefined && { note }),
  };
}

function explainFile(error: unknown, label: string): never {
  if (isSandboxError(error) && error.code === 'not_directory') {
    throw new SandboxError('not_directory', `Cannot list "${label}": it is a file; use read_file`, {
      path: label,
      cause: error,
    });
  }
  throw error;
}

function noteOf(total: number): string | undefined {
  if (total === 0) return 'The directory is empty';
  if (total <= MAX_LISTED_ENTRIES) return undefined;
  return `Showing the first ${MAX_LISTED_ENTRIES} of ${total} entries; narrow it down with glob`;
}
