import { z } from 'zod';
import type { Sandbox } from '../../sandbox/contract.js';
import { isSandboxError, SandboxError } from '../../sandbox/errors.js';
import type { ToolExecutionContext } from '../../tool/context.js';
import { defineTool } from '../../tool/define-tool.js';
import { signalOf } from '../call-options.js';
import { refuseOnHost } from '../host-refusal.js';
import { pathLabel } from '../path-label.js';
import { applyEdit } from './apply-edit.js';
import type { EditingToolOptions } from './editing-tool-options.js';
import { loadText, missingFile } from './load-text.js';
import { withPathLock } from './path-lock.js';
import { cut, lineAt, splitLines } from './text-lines.js';

/** Tries when somebody outside this host keeps changing the file between read and write. */
const TRIES = 20;
const SNIPPET_CONTEXT_LINES = 3;
const SNIPPET_CHARACTERS = 2_000;

const input = z.strictObject({
  path: z.string().min(1).describe('File to edit, relative to the workspace or absolute (/workspace/…)'),
  old_string: z
    .string()
    .min(1, 'must not be empty: use write_file to create or replace a file')
    .describe(
      'The exact text to replace, whitespace and line ends included; must occur once unless replace_all is set',
    ),
  new_string: z.string().describe('The text to put there, taken literally; empty deletes'),
  replace_all: z.boolean().optional().describe('Replace every occurrence. Default false'),
});

/** What `edit_file` answers. */
export interface EditFileResult {
  path: string;
  replacements: number;
  /** Line of the first replacement, from 1. */
  line: number;
  /** The changed place with a few lines around it, as it is now. */
  snippet: string;
}

/**
 * Makes `edit_file`: replaces a text that occurs once. Bytes outside the match, byte-order mark, line ends and mode stay
 * as they are. Calls on one file take turns, and a file changed by others meanwhile is read again.
 */
export function createEditFileTool(options: EditingToolOptions = {}) {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces old_string by new_string in a text file of the workspace. old_string must match exactly (copy it from read_file) and occur once, ' +
      'unless replace_all is set. Nothing else in the file changes.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    needsApproval: options.needsApproval ?? false,
    editsFiles: true,
    requiresSandbox: true,
    execute: refuseOnHost('edit_file'),
    sandboxExecute: editFile,
  });
}

async function editFile(
  args: z.infer<typeof input>,
  sandbox: Sandbox,
  context?: ToolExecutionContext,
): Promise<EditFileResult> {
  const label = pathLabel(args.path, sandbox);
  const options = signalOf(context);
  const edit = async (): Promise<EditFileResult> => {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const result = await tryEdit(args, sandbox, options);
      if (result !== 'stale') return result;
    }
    throw new SandboxError(
      'stale_file',
      `Cannot edit "${label}": it kept changing underneath; read it again and retry`,
      { path: label },
    );
  };
  return withPathLock({ sandboxId: sandbox.id, path: label }, edit, options);
}

/** One read, edit and write; `stale` when the file was changed by somebody else in between. */
async function tryEdit(
  args: z.infer<typeof input>,
  sandbox: Sandbox,
  options: { signal?: AbortSignal },
): Promise<EditFileResult | 'stale'> {
  const label = pathLabel(args.path, sandbox);
  // The version is taken before the content: whatever changes after it makes the write stale.
  const stat = await sandbox.fs.stat(args.path, options);
  if (stat === null) throw await missingFile(sandbox, args.path, options);
  const { bom, body } = await loadText(sandbox, args.path, options);
  const edited = applyEdit(
    body,
    { oldString: args.old_string, newString: args.new_string, replaceAll: args.replace_all ?? false },
    label,
  );
  if (!edited.text.isWellFormed()) {
    throw new SandboxError(
      'encoding',
      `Cannot edit "${label}": the result holds half of a surrogate pair, which UTF-8 cannot carry`,
      {
        path: label,
      },
    );
  }
  try {
    await sandbox.fs.writeFile(args.path, new TextEncoder().encode(bom + edited.text), {
      ...options,
      ifVersion: stat.version,
    });
  } catch (error) {
    if (isSandboxError(error) && error.code === 'stale_file') return 'stale';
    throw error;
  }
  const line = lineAt(edited.text, edited.firstIndex);
  return { path: label, replacements: edited.replacements, line, snippet: snippet(edited.text, line, args.new_string) };
}

function snippet(text: string, line: number, inserted: string): string {
  const start = Math.max(0, line - 1 - SNIPPET_CONTEXT_LINES);
  const end = line + splitLines(inserted).length - 1 + SNIPPET_CONTEXT_LINES;
  return cut(splitLines(text).slice(start, end).join(''), SNIPPET_CHARACTERS);
}
